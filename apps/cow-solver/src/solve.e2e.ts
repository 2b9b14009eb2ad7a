import type { AddressInfo } from 'node:net'
import { createClient, loadSnapshot } from '@braid-swap/chain'
import { type Address, buildGraph, type Graph, NATIVE } from '@braid-swap/core'
import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine } from './engine.js'
import type { Solution } from './solveAuction.js'

const E18 = 10n ** 18n

let devnet: Devnet
let graph: Graph
let url: string
let close: () => void
const lines: string[] = []
beforeAll(async () => {
  devnet = await borrowDevnet()
  graph = await readGraph()
  const { router, executor, wallet } = devnet
  const engine = createEngine({
    ...{ market: async () => graph, router, executor, settlement: lower(wallet.address) },
    log: (line) => lines.push(line),
  })
  await new Promise<void>((done) => engine.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`
  close = () => engine.close()
})
afterAll(async () => {
  close?.()
  await devnet?.stop()
})

async function readGraph(): Promise<Graph> {
  const { venues, wrappedNative, rpcUrl } = devnet
  const { snapshot } = await loadSnapshot(createClient(rpcUrl), { venues, wrappedNative })
  return buildGraph(snapshot)
}

const lower = (address: string) => address.toLowerCase() as Address
const tokenOf = (symbol: string) =>
  lower(devnet.tokens.find((token) => token.symbol === symbol)!.address)
const post = (path: string, body: string) => fetch(`${url}${path}`, { method: 'POST', body })

type Wish = {
  readonly sellToken: Address
  readonly buyToken: Address
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  readonly kind: 'sell' | 'buy'
}

/** An auction in the published form, with fields that the engine does not read. */
function auctionOf(wishes: readonly Wish[], more: object = {}): string {
  const orders = wishes.map(({ sellAmount, buyAmount, ...wish }, i) => ({
    ...wish,
    uid: `0x${i.toString(16).padStart(112, '0')}`,
    ...{ sellAmount: `${sellAmount}`, fullSellAmount: `${sellAmount}` },
    ...{ buyAmount: `${buyAmount}`, fullBuyAmount: `${buyAmount}` },
    ...{ feePolicies: [], validTo: 2_000_000_000, class: 'limit', partiallyFillable: false },
    ...{ sellTokenSource: 'erc20', buyTokenDestination: 'erc20', appData: `0x${'0'.repeat(64)}` },
  }))
  const priced = { decimals: 18, referencePrice: `${E18}`, availableBalance: '0', trusted: true }
  const tokens = { [devnet.wrappedNative.toUpperCase().replace('X', 'x')]: priced }
  return JSON.stringify({
    ...{ id: '1', tokens, orders, liquidity: [], surplusCapturingJitOrderOwners: [] },
    ...{ effectiveGasPrice: '100000000', deadline: '2100-01-01T00:00:00.000Z' },
    ...more,
  })
}

async function solve(wishes: readonly Wish[], more: object = {}): Promise<readonly Solution[]> {
  const answer = await post('/solve', auctionOf(wishes, more))
  expect(answer.status).toBe(200)
  const { solutions } = (await answer.json()) as { readonly solutions: readonly Solution[] }
  return solutions
}

const balanceOf = (token: Address) =>
  devnet.client.readContract({
    ...{ address: token, abi: erc20Abi, functionName: 'balanceOf' },
    args: [devnet.wallet.address],
  })

/** Makes the calls of a solution as the settlement contract does; returns what came and went. */
async function settle({ interactions }: Solution, { sellToken, buyToken }: Wish) {
  const [call] = interactions
  const { address: from } = devnet.wallet
  const before = [await balanceOf(sellToken), await balanceOf(buyToken)] as const
  const approvals = call!.allowances.map(({ token, spender, amount }) => ({
    ...{ label: 'approve', from, to: token, gas: 100_000n },
    data: approveData(spender, BigInt(amount)),
  }))
  const { target: to, callData, value } = call!
  const data = callData as `0x${string}`
  await devnet.execute(approvals)
  await devnet.execute([{ label: 'settle', from, to, data, value: BigInt(value), gas: 2_000_000n }])
  const [sold, bought] = [await balanceOf(sellToken), await balanceOf(buyToken)]
  return { sold: before[0] - sold, bought: bought - before[1] }
}

const approveData = (spender: Address, amount: bigint): `0x${string}` =>
  `0x095ea7b3${spender.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`

describe('POST /solve', () => {
  it('sells and buys on a real chain exactly what its prices promise, within the limits', async () => {
    const pair = { sellToken: devnet.wrappedNative, buyToken: tokenOf('USDC') }
    const sale: Wish = { ...pair, sellAmount: 3n * E18, buyAmount: 1n, kind: 'sell' }
    const purchase: Wish = { ...pair, sellAmount: 3n * E18, buyAmount: 40_000_000n, kind: 'buy' }
    for (const wish of [sale, purchase]) {
      graph = await readGraph()
      const [solution, ...others] = await solve([wish])
      expect(others).toEqual([])
      const { trades, prices, interactions } = solution!
      const [{ executedAmount, fee }] = trades as [Solution['trades'][number]]
      const { sold, bought } = await settle(solution!, wish)
      expect(sold).toBe(BigInt(interactions[0]!.inputs[0]!.amount))
      expect(bought).toBe(BigInt(interactions[0]!.outputs[0]!.amount))
      const isSale = wish.kind === 'sell'
      // The user pays the fee besides what is swapped, and gets at least the limit.
      expect(sold + BigInt(fee)).toBeLessThanOrEqual(wish.sellAmount)
      expect(BigInt(executedAmount)).toBe(isSale ? wish.sellAmount - BigInt(fee) : wish.buyAmount)
      expect(bought).toBeGreaterThanOrEqual(wish.buyAmount)
      // price(sell) / price(buy) is what one wei sold pays.
      expect([prices[pair.buyToken], prices[pair.sellToken]]).toEqual([
        `${sold}`,
        `${isSale ? bought : wish.buyAmount}`,
      ])
      expect(BigInt(fee)).toBe(BigInt(solution!.gas) * 100_000_000n)
    }
  })

  it('answers orders in turn, and leaves out what it cannot fill honestly', async () => {
    const sellToken = devnet.wrappedNative
    const good: Wish = {
      ...{ sellToken, buyToken: tokenOf('USDC'), sellAmount: E18, buyAmount: 1n, kind: 'sell' },
    }
    const solutions = await solve([
      { ...good, buyAmount: 10n ** 30n },
      good,
      { ...good, buyToken: NATIVE },
      { ...good, sellToken: tokenOf('USDC'), buyToken: sellToken },
      { ...good, buyToken: `0x${'12'.repeat(20)}` },
      { ...good, kind: 'buy', buyAmount: 10n ** 24n },
      { ...good, sellAmount: 1n },
    ])
    expect(solutions.map(({ id, trades }) => [id, BigInt(trades[0]!.order)])).toEqual([[0, 1n]])
    expect(lines.at(-1)).toMatch(/1 solutions for 7 orders at block \d+/)
  })

  it('stops at the deadline', async () => {
    const wish: Wish = {
      ...{ sellToken: devnet.wrappedNative, buyToken: tokenOf('USDC'), sellAmount: E18 },
      ...{ buyAmount: 1n, kind: 'sell' },
    }
    expect(await solve([wish], { deadline: '2020-01-01T00:00:00.000Z' })).toEqual([])
  })

  it.each([
    ['/solve', '{', 400],
    ['/solve', '{"id":null}', 400],
    ['/solve', '[]', 400],
    ['/notify', '{"auctionId":"1","solutionId":0,"kind":"success"}', 200],
    ['/other', '{}', 404],
  ])('%s of %s is %i', async (path, body, status) => {
    expect((await post(path, body)).status).toBe(status)
  })

  it('logs of a notice only what it knows', async () => {
    await post('/notify', '{"auctionId":"12","solutionId":0,"kind":"success","x":"\\u001b[2J"}')
    expect(lines.at(-1)).toBe('notified: success, auction 12, solution 0')
    for (const body of ['\u001b[2J', '{"kind":"a\\nb"}', 'null']) {
      await post('/notify', body)
      expect(lines.at(-1)).toBe('notified: of something that is not known')
    }
  })

  it('is 500 without a market, and tells the operator why', async () => {
    const failing = createEngine({
      ...{
        router: devnet.router,
        executor: devnet.executor,
        settlement: NATIVE,
        log: (line) => lines.push(line),
      },
      market: () => Promise.reject(new Error('the API answered 503 to a snapshot')),
    })
    await new Promise<void>((done) => failing.listen(0, '127.0.0.1', done))
    const { port } = failing.address() as AddressInfo
    const asked = { method: 'POST', body: auctionOf([]) }
    const answer = await fetch(`http://127.0.0.1:${port}/solve`, asked)
    expect([answer.status, lines.at(-1)]).toEqual([500, expect.stringContaining('503')])
    failing.close()
  })
})
