import { type Address, decodeRouterCall, encodeRouterCall } from '@braid-swap/core'
import type { Devnet } from '@braid-swap/devnet'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SwapAnswer, startApiDouble } from '../testing/apiDouble.js'
import { borrowDevnetFolder, type DevnetFolder, mineDuring } from '../testing/devnetFolder.js'
import { runCli } from '../testing/runCli.js'

const E18 = 10n ** 18n

let borrowed: DevnetFolder
let devnet: Devnet
let node: readonly string[]
let usdc: Address
let honest: SwapAnswer
/** Makes the API's next answer from an honest one. */
let answer: (honest: SwapAnswer) => SwapAnswer
let api: Awaited<ReturnType<typeof startApiDouble>>

beforeAll(async () => {
  borrowed = await borrowDevnetFolder()
  ;({ devnet, node, usdc } = borrowed)
  api = await startApiDouble(devnet.tokens, (query) => {
    const { tx, ...amounts } = answer(honest)
    const call = { ...decodeRouterCall(tx.data), deadline: BigInt(query.get('deadline')!) }
    return { ...amounts, tx: { ...tx, data: encodeRouterCall(call) } }
  })
})
afterAll(async () => {
  await api?.stop()
  await borrowed?.stop()
})

const env = () => ({ KEY: devnet.wallet.privateKey, BRAID_API_KEY: 'k' })
const send = ['--json', '--send', '--private-key-env', 'KEY']

const balanceOf = (token: Address) =>
  devnet.client.readContract({
    ...{ address: token, abi: erc20Abi, functionName: 'balanceOf' },
    args: [devnet.wallet.address],
  })
const nonce = () =>
  devnet.client.getTransactionCount({ address: devnet.wallet.address, blockTag: 'pending' })

/** Runs a command while blocks are mined. */
const run = (words: readonly string[], person: Parameters<typeof runCli>[2] = {}) =>
  mineDuring(devnet, () => runCli(words, env(), person))

describe('braid swap --amount-out --send', () => {
  it('buys the amount from its own quote, and approves exactly what it sells', async () => {
    const hype = ['--in', 'USDC', '--out', 'WHYPE', '--amount-out', '20']
    const before = [await balanceOf(usdc), await balanceOf(devnet.wrappedNative)] as const
    const { code, err } = await run(['swap', ...node, ...hype, ...send, '--yes'])
    expect([code, err]).toEqual([0, expect.stringContaining('approving exactly')])
    const sold = BigInt(/approving exactly .* \((\d+) wei\)/.exec(err)![1]!)
    const paid = before[0] - (await balanceOf(usdc))
    expect(paid).toBe(sold)
    expect((await balanceOf(devnet.wrappedNative)) - before[1]).toBeGreaterThanOrEqual(20n * E18)
    expect(err).toContain(`(${sold} wei)`)
  })
})

describe('braid swap --amount-out by an API', () => {
  const order = () => ['--in', 'native', '--out', usdc, '--amount-out', '4000']
  const byApi = () => ['swap', '--api', api.url, '--rpc', devnet.rpcUrl, ...order()]
  beforeAll(async () => {
    const ran = await runCli(['swap', ...node, ...order(), '--json'], env())
    const { amountOut, leastAmountIn, tx } = JSON.parse(ran.out)
    honest = {
      dstAmount: BigInt(amountOut),
      srcAmount: BigInt(leastAmountIn),
      maxSrcAmount: BigInt(tx.value),
      tx: { ...tx, value: BigInt(tx.value) },
    }
  })

  /** An answer that sells `part` thousandths of the honest input, and says so everywhere. */
  const selling =
    (part: bigint) =>
    ({ dstAmount, srcAmount = 0n, maxSrcAmount = 0n, tx }: SwapAnswer): SwapAnswer => {
      const amountIn = (maxSrcAmount * part) / 1000n
      const data = encodeRouterCall({ ...decodeRouterCall(tx.data), amountIn })
      const least = (srcAmount * part + 999n) / 1000n
      const amounts = { srcAmount: least, maxSrcAmount: amountIn }
      return { dstAmount, ...amounts, tx: { ...tx, data, value: amountIn } }
    }
  const withFloor =
    (minAmountOut: bigint) =>
    ({ tx, ...amounts }: SwapAnswer): SwapAnswer => ({
      ...amounts,
      tx: { ...tx, data: encodeRouterCall({ ...decodeRouterCall(tx.data), minAmountOut }) },
    })

  it('needs a maximum that does not come from the API', async () => {
    answer = (it) => it
    const alone = await run(['swap', '--api', api.url, ...order(), ...send, '--yes'])
    expect([alone.code, alone.out]).toEqual([5, ''])
    expect(JSON.parse(alone.err).error.code).toBe('NO_OWN_MAXIMUM')
    // Without the right venues, the node gives no price either.
    const blind = await run([...byApi(), ...send, '--yes'])
    expect([blind.code, blind.err]).toEqual([5, expect.stringContaining('NO_OWN_MAXIMUM')])
  })

  it.each<[string, () => typeof answer, string, RegExp]>([
    ['more than its own input', () => selling(1100n), 'ABOVE_OWN_MAXIMUM', /at most 105 HYPE/],
    [
      'an input raised by more than the slippage',
      () => (it) => ({ ...selling(1005n)(it), srcAmount: honest.srcAmount! }),
      'MISMATCH',
      /amountIn/,
    ],
    [
      'no input at all',
      () =>
        ({ dstAmount, tx }) => ({ dstAmount, tx }),
      'MISMATCH',
      /did not say what must be sold/,
    ],
  ])('refuses %s', async (_, lie, code, message) => {
    answer = lie()
    const before = await nonce()
    const ran = await run([...byApi(), '--max-amount-in', '105', ...send, '--yes'])
    expect([ran.code, ran.out, await nonce()]).toEqual([5, '', before])
    expect(ran.err).toContain(`"code":"${code}"`)
    expect(ran.err).toMatch(message)
  })

  it('signs the amount itself as the floor, whatever the API says', async () => {
    answer = withFloor(1n)
    const ran = await run([...byApi(), '--max-amount-in', '110', ...send, '--yes'])
    expect(ran.code, ran.err).toBe(0)
    const { input } = await devnet.client.getTransaction({ hash: JSON.parse(ran.out).hash })
    expect(decodeRouterCall(input).minAmountOut).toBe(4_000_000_000n)
  })

  it('compares the answer with the least input of a quote on its own node', async () => {
    answer = selling(1100n)
    const before = await nonce()
    const words = ['--api', api.url, ...node, '--in', 'HYPE', '--out', 'USDC']
    const ran = await run(['swap', ...words, '--amount-out', '4000', ...send, '--yes'])
    expect([ran.code, await nonce()]).toEqual([5, before])
    expect(ran.err).toContain('"code":"ABOVE_OWN_MAXIMUM"')
  })

  it('sends nothing unless the person who is asked says yes', async () => {
    answer = (it) => it
    const words = [...byApi(), '--max-amount-in', '110', ...send]
    const [before, asked] = [await nonce(), [] as string[]]
    const says = (text: string) => ({
      ask: async (question: string) => {
        asked.push(question)
        return text
      },
    })
    for (const text of ['', 'no', 'yesterday']) {
      const ran = await run(words, says(text))
      expect([ran.code, ran.out]).toEqual([5, ''])
      expect(ran.err).toContain('"code":"DECLINED"')
    }
    expect(await nonce()).toBe(before)
    const sent = await run(words, says(' Yes '))
    expect([sent.code, asked.length, await nonce()]).toEqual([0, 4, before + 1])
    expect(BigInt(JSON.parse(sent.out).amountOut)).toBeGreaterThanOrEqual(4_000_000_000n)
  })
})
