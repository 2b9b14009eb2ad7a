import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Address,
  decodeRouterCall,
  encodeProgram,
  encodeRouterCall,
  type Hex,
  type Pool,
  type RouterCall,
} from '@braid-swap/core'
import { stringify, toHex, wrappedOf } from '@braid-swap/core/advanced'
import type { Devnet } from '@braid-swap/devnet'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SwapAnswer, startApiDouble } from '../testing/apiDouble.js'
import { borrowDevnetFolder, type DevnetFolder, mineDuring } from '../testing/devnetFolder.js'
import { runCli } from '../testing/runCli.js'

const STRANGER = toHex(0xbad, 20)
const SECONDS = 1_200n

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
    // An honest API uses the requested deadline.
    return answer(withCall({ deadline: BigInt(query.get('deadline')!) })(honest))
  })
})
afterAll(async () => {
  await api?.stop()
  await borrowed?.stop()
})

const env = () => ({ KEY: devnet.wallet.privateKey, BRAID_API_KEY: 'k' })
const order = (tokenIn: string, tokenOut: string, amount: string) => [
  ...['--in', tokenIn, '--out', tokenOut, '--amount', amount, '--json'],
]
const send = ['--send', '--yes', '--private-key-env', 'KEY']

/** Records the answer of an honest API for the current block; the deadline is set at each request. */
async function quoteHonestly(tokenIn: string, tokenOut: string, amount: string): Promise<void> {
  const words = ['swap', ...node, ...order(tokenIn, tokenOut, amount)]
  const { amountOut, tx } = JSON.parse((await runCli(words, env())).out)
  honest = { dstAmount: BigInt(amountOut), tx: { ...tx, value: BigInt(tx.value) } }
}

/** Runs a command while blocks are mined, and reports whether any of the wallet's tokens moved. */
async function runAndWatch(...words: readonly string[]) {
  const before = await walletState()
  const ran = await mineDuring(devnet, () => runCli(words, env()))
  return { ...ran, moved: (await walletState()) !== before }
}

async function walletState(): Promise<string> {
  const { address } = devnet.wallet
  const allowance = (spender: Address) =>
    devnet.client.readContract({
      ...{ address: usdc, abi: erc20Abi, functionName: 'allowance', args: [address, spender] },
    })
  return stringify([
    await devnet.client.getTransactionCount({ address, blockTag: 'pending' }),
    await devnet.client.getBalance({ address }),
    await Promise.all([allowance(devnet.router), allowance(STRANGER)]),
  ])
}

const withCall =
  (change: Partial<RouterCall>) =>
  ({ dstAmount, tx }: SwapAnswer): SwapAnswer => ({
    dstAmount,
    tx: { ...tx, data: encodeRouterCall({ ...decodeRouterCall(tx.data), ...change }) },
  })

/** A route through the API's own pool, with `dstAmount` as quote and as floor. */
const throughOwnPool =
  (dstAmount: bigint) =>
  ({ tx }: SwapAnswer): SwapAnswer => {
    const { tokenIn, tokenOut } = decodeRouterCall(tx.data)
    const wrapped = (token: Address) => wrappedOf(token, devnet.wrappedNative)
    const ends = { tokenIn: wrapped(tokenIn), tokenOut: wrapped(tokenOut) }
    const isUp = ends.tokenIn < ends.tokenOut
    const pool: Pool = {
      ...{ family: 'uniswapV2', id: STRANGER, venue: 'own', reserves: [1n, 1n], feePpm: 3000 },
      tokens: isUp ? [ends.tokenIn, ends.tokenOut] : [ends.tokenOut, ends.tokenIn],
    }
    const direction = isUp ? { in: 0, out: 1 } : { in: 1, out: 0 }
    const program = encodeProgram([{ pool, direction, share: 0 }], ends)
    return withCall({ program, minAmountOut: dstAmount })({ dstAmount, tx })
  }

const withTx =
  (change: Partial<SwapAnswer['tx']>) =>
  ({ dstAmount, tx }: SwapAnswer): SwapAnswer => ({ dstAmount, tx: { ...tx, ...change } })

type Lie = readonly [string, (honest: SwapAnswer) => SwapAnswer, string, string]
const mismatches: readonly Lie[] = [
  ['a floor of 1', withCall({ minAmountOut: 1n }), 'MISMATCH', 'minAmountOut'],
  ['a deadline of 2^255', withCall({ deadline: 1n << 255n }), 'MISMATCH', 'deadline'],
  ['a deadline of 2^63', withCall({ deadline: 1n << 63n }), 'MISMATCH', 'deadline'],
  ['another receiver', withCall({ receiver: STRANGER }), 'MISMATCH', 'receiver'],
  ['another amount', withCall({ amountIn: 1n }), 'MISMATCH', 'amountIn'],
  ['another contract', withTx({ to: STRANGER }), 'MISMATCH', 'to'],
  ['another sender', withTx({ from: STRANGER }), 'MISMATCH', 'from'],
  ['no calldata', withTx({ data: `0xfcb433d6${'00'.repeat(32)}` }), 'MISMATCH', 'cut short'],
]
describe.each([
  ['HYPE', 'USDC', '100'],
  ['USDC', 'HYPE', '1000'],
] as const)('braid swap of %s for %s by a hostile API', (tokenIn, tokenOut, amount) => {
  beforeAll(() => quoteHonestly(tokenIn, tokenOut, amount))

  const more =
    (value: bigint) =>
    ({ dstAmount, tx }: SwapAnswer) => ({
      ...{ dstAmount, tx: { ...tx, value: tx.value + value } },
    })
  const lies: readonly Lie[] = [
    ...mismatches,
    ['a value above the amount', more(1n), 'MISMATCH', 'value'],
  ]

  // The caller's own floor is low here, so it is not the reason for these refusals.
  it.each(lies)('--send refuses %s', async (_, lie, code, named) => {
    answer = lie
    const address = (symbol: string) => (symbol === 'HYPE' ? 'native' : usdc)
    const words = order(address(tokenIn), address(tokenOut), amount)
    const source = ['--api', api.url, '--rpc', devnet.rpcUrl, '--min', '0.000001']
    const ran = await runAndWatch('swap', ...source, ...words, ...send)
    expect([ran.code, ran.moved, ran.out]).toEqual([5, false, ''])
    expect(ran.err).toContain(`"code":"${code}"`)
    expect(ran.err).toContain(named)
  })
})

describe('braid swap --send by an API', () => {
  const words = order('HYPE', 'USDC', '100')
  const byNode = () => ['swap', '--api', api.url, '--rpc', devnet.rpcUrl]
  const byAddress = () => order('native', usdc, '100')
  beforeAll(() => quoteHonestly('HYPE', 'USDC', '100'))

  it('needs a floor that does not come from the API', async () => {
    answer = (it) => it
    const alone = await runAndWatch('swap', '--api', api.url, ...words, ...send)
    expect([alone.code, alone.moved]).toEqual([5, false])
    expect(JSON.parse(alone.err).error).toMatchObject({
      code: 'NO_OWN_FLOOR',
      details: { wanted: expect.stringMatching(/--min.*--rpc/) },
    })
    // Without the right venues, the node gives no price either.
    const blind = await runAndWatch(...byNode(), ...words, ...send)
    expect([blind.code, blind.moved]).toEqual([5, false])
    expect(blind.err).toContain('NO_OWN_FLOOR')
  })

  it.each([
    ['--min', '3900'],
    ['--min-rate', '39'],
  ])('holds it against %s', async (name, value) => {
    answer = throughOwnPool(1n)
    const ran = await runAndWatch(...byNode(), ...byAddress(), ...send, name, value)
    expect([ran.code, ran.moved]).toEqual([5, false])
    expect(ran.err).toContain('BELOW_OWN_FLOOR')
    expect(ran.err).toContain('at least 3900 USDC (3900000000 wei)')
  })

  it('compares the answer with a quote on its own node', async () => {
    answer = throughOwnPool(1n)
    const ran = await runAndWatch('swap', '--api', api.url, ...node, ...words, ...send)
    expect([ran.code, ran.moved]).toEqual([5, false])
    expect(ran.err).toContain('BELOW_OWN_FLOOR')
  })

  it('sends nothing if a pool does not pay the promised output', async () => {
    answer = throughOwnPool(honest.dstAmount)
    const ran = await runAndWatch('swap', '--api', api.url, ...node, ...words, ...send)
    expect([ran.code, ran.moved]).toEqual([5, false])
    expect(ran.err).toContain('REVERTED')
  })

  it('takes decimals and tokens from its own node, not from the API', async () => {
    answer = (it) => it
    const before = api.asked.length
    const ran = await runAndWatch(...byNode(), ...byAddress(), ...send, '--min', '1')
    expect(ran.code).toBe(0)
    const paths = api.asked.slice(before).map(({ pathname }) => pathname)
    expect(new Set(paths)).toEqual(new Set(['/swap/v1/999/swap']))
  })

  it('signs the caller’s own floor if the API’s is lower, and first reports who pays', async () => {
    await quoteHonestly('HYPE', 'USDC', '100')
    answer = withCall({ minAmountOut: (honest.dstAmount * 995n + 999n) / 1000n })
    const least = honest.dstAmount - 1_000_000n
    const floor = `${least / 1_000_000n}.${`${least % 1_000_000n}`.padStart(6, '0')}`
    const ran = await runAndWatch(...byNode(), ...byAddress(), ...send, '--min', floor)
    expect(ran.code).toBe(0)
    const { hash } = JSON.parse(ran.out) as { hash: Hex }
    const { input } = await devnet.client.getTransaction({ hash })
    expect(decodeRouterCall(input).minAmountOut).toBe(least)
    const report = ran.err.split('\nsending')[0]!
    expect(report.toLowerCase()).toContain(`paying account  ${devnet.wallet.address}`)
    for (const name of ['pays', 'receiver', 'receives', 'router']) expect(report).toContain(name)
  })

  it('sends nothing where the node reports other decimals than the list of tokens', async () => {
    answer = (it) => it
    const file = join(borrowed.folder, 'tokens.json')
    await writeFile(file, JSON.stringify([{ address: usdc, symbol: 'USDC', decimals: 18 }]))
    const limit = ['--tokens', file, '--min', '1']
    const ran = await runAndWatch(...byNode(), ...byAddress(), ...send, ...limit)
    expect([ran.code, ran.moved]).toEqual([5, false])
    expect(ran.err).toContain('the decimals of a token differ')
  })

  it('requests the deadline of --deadline', async () => {
    answer = (it) => it
    const before = Math.floor(Date.now() / 1_000)
    const ran = await runCli(['swap', '--api', api.url, ...words, '--deadline', '60'], env())
    expect(ran.code).toBe(0)
    const { deadline } = decodeRouterCall(JSON.parse(ran.out).tx.data)
    expect(Number(deadline) - before).toBeGreaterThanOrEqual(60)
    expect(Number(deadline) - before).toBeLessThan(60 + Number(SECONDS))
  })
})
