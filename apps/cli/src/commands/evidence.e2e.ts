// Evidence of a swap on a real chain, checked by the CLI and by a program that shares no code with it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startDevnetApi } from '@braid-swap/api/testing'
import { type Hex, NATIVE } from '@braid-swap/core'
import {
  type Evidence,
  parseEvidence,
  stringify,
  stringifyEvidence,
} from '@braid-swap/core/advanced'
import { type Devnet, startDevnet, swapCall } from '@braid-swap/devnet'
import { sendSigned } from '@braid-swap/devnet/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mineDuring } from '../testing/devnetFolder.js'
import {
  type Change,
  forged,
  inCall,
  inTransaction,
  narrow,
  texts,
} from '../testing/forgedEvidence.js'
import { runCli } from '../testing/runCli.js'

const script = resolve(import.meta.dirname, '../../../../docs/evidence/check.py')
const hasPython = spawnSync('python3', ['--version']).status === 0

let devnet: Devnet
let folder: string
let text: string
let evidence: Evidence
let reverted: Evidence
const fee = ['--fee-bps', '10', '--fee-recipient', '0x00000000000000000000000000000000000fee01']

beforeAll(async () => {
  // A chain that was rewound has no past state.
  devnet = await startDevnet()
  folder = mkdtempSync(join(tmpdir(), 'braid-evidence-'))
  // The families that the other program knows.
  const served = devnet.venues.filter(({ family }) => ['uniswapV2', 'uniswapV3'].includes(family))
  const venues = join(folder, 'venues.json')
  writeFileSync(venues, stringify(served))
  const node = ['--rpc', devnet.rpcUrl, '--venues', venues]
  const order = ['--in', 'HYPE', '--out', 'USDC', '--amount', '250', '--router', devnet.router]
  const send = ['--send', '--yes', '--private-key-env', 'KEY', '--json', ...fee]
  const env = { KEY: devnet.wallet.privateKey }
  const sent = await mineDuring(devnet, () => runCli(['swap', ...node, ...order, ...send], env))
  expect([sent.code, sent.err]).toEqual([0, expect.anything()])
  const { hash } = JSON.parse(sent.out)
  const told = await runCli(['evidence', '--tx', hash, ...node])
  expect([told.code, told.err]).toEqual([0, expect.not.stringContaining('not prove')])
  text = told.out
  evidence = parseEvidence(text)
  reverted = parseEvidence((await runCli(['evidence', '--tx', await revertedHash(), ...node])).out)
})
afterAll(async () => {
  await devnet?.stop()
  rmSync(folder, { recursive: true })
})

/** A swap before which, in its block, somebody takes what it was promised. */
async function revertedHash(): Promise<Hex> {
  const from = devnet.wallet.address
  const order = ['--in', 'HYPE', '--out', 'USDC', '--amount', '2500', '--slippage', '0.01']
  const node = ['--rpc', devnet.rpcUrl, '--venues', join(folder, 'venues.json')]
  const words = ['swap', ...node, ...order, '--router', devnet.router, '--from', from, '--json']
  const { tx } = JSON.parse((await runCli(words)).out)
  const [tokenIn, tokenOut] = ['WHYPE', 'USDC'].map(
    (symbol) => devnet.tokens.find((one) => one.symbol === symbol)!.address,
  ) as [Hex, Hex]
  const pool = devnet.pools.find(
    (one) =>
      [one.venue, one.feePpm].join() === 'devnet-v3a,500' &&
      [tokenIn, tokenOut].every((token) => one.tokens.includes(token)),
  )!
  const deployment = devnet.deployments.find(({ venue }) => venue.id === pool.venue)!
  const sale = { pool, from: devnet.trader.address, amountIn: 3_000n * 10n ** 18n }
  await devnet.send([swapCall(deployment, { ...sale, tokenIn, tokenOut })])
  // The node signs for nobody.
  const hash = await sendSigned(devnet, { ...tx, gas: 900_000n, gasPrice: 10n ** 12n })
  await devnet.mine()
  return hash
}

/** What the other program says of a text, and its exit code. */
function python(of: string): readonly [number, string] {
  try {
    return [0, execFileSync('python3', [script, written(of)], { encoding: 'utf8' })]
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
    return [status, stdout + stderr]
  }
}

function written(of: string): string {
  const file = join(folder, 'checked.json')
  writeFileSync(file, of)
  return file
}

const check = (of: string) => runCli(['check', written(of), '--router', devnet.router, '--json'])

describe('the evidence of a swap', () => {
  it('holds, with its receipt proved and the bound recomputed', async () => {
    const { code, out } = await check(text)
    const answer = JSON.parse(out)
    expect(answer.checks.filter(({ isOk }: { isOk: boolean }) => !isOk)).toEqual([])
    expect([code, answer.verdict, answer.isProved]).toEqual([0, 'paid as quoted', true])
    expect(answer.uncovered).toEqual([])
    expect(evidence.offers[0]!.amountOut).toBeLessThanOrEqual(evidence.amountOut)
    expect(evidence.route.length).toBeGreaterThan(3)
  })

  it.skipIf(!hasPython)('holds for a program that shares no code with Braid', () => {
    const [code, said] = python(text)
    expect([code, said]).toEqual([0, expect.stringMatching(/^ok: received \d+, \+0 against/m)])
    expect(said).not.toContain('unknown')
  })

  const settled = (of: Evidence) => of.settled!
  const changes: readonly (readonly [string, Change])[] = [
    ['the amount', (of) => ({ ...of, order: { ...of.order, amountIn: of.order.amountIn + 1n } })],
    [
      // Another price that proves as much would be as good.
      'a price',
      (of) => {
        const { prices } = of.bound
        const sold = of.snapshot.wrappedNative
        return {
          ...of,
          bound: { ...of.bound, prices: { ...prices, [sold]: prices[sold]! + 1e-4 } },
        }
      },
    ],
    [
      'a pool',
      (of) => ({
        ...of,
        snapshot: {
          ...of.snapshot,
          pools: of.snapshot.pools.map((pool) =>
            pool.family === 'uniswapV3'
              ? { ...pool, sqrtPriceX96: pool.sqrtPriceX96 + 2n ** 60n }
              : pool,
          ),
        },
      }),
    ],
    [
      'the calldata',
      (of) => ({
        ...of,
        call: {
          ...of.call!,
          data: `${of.call!.data.slice(0, 72)}1${of.call!.data.slice(73)}` as `0x${string}`,
        },
      }),
    ],
    ['the receiver', (of) => ({ ...of, receiver: `0x${'12'.repeat(20)}` })],
    [
      'the block',
      (of) => ({ ...of, settled: { ...settled(of), block: { ...settled(of).block, number: 1n } } }),
    ],
    ['the fee', (of) => ({ ...of, fee: { ...of.fee!, ppm: of.fee!.ppm + 1 } })],
    ['the order', (of) => ({ ...of, order: { ...of.order, tokenIn: of.snapshot.wrappedNative } })],
    [
      'the bound',
      (of) => ({ ...of, bound: { ...of.bound, amount: (of.bound.amount * 1_001n) / 1_000n } }),
    ],
    [
      'the receipt',
      (of) => ({
        ...of,
        settled: {
          ...settled(of),
          receipt: { ...settled(of).receipt, cumulativeGasUsed: '0x5209' },
        },
      }),
    ],
  ]
  it.each([...changes, ...forged])(
    'with another value of %s is found out by both',
    async (_, change) => {
      const altered = stringifyEvidence(change(evidence))
      const { code, err } = await check(altered)
      expect([code > 0, err]).toEqual([true, expect.stringMatching(/MISMATCH|BAD_/)])
      if (!hasPython) return
      const [exit, said] = python(altered)
      expect([exit > 0, said]).toEqual([true, expect.stringMatching(/WRONG|no evidence/)])
      expect(said).not.toContain('Traceback')
    },
  )

  it('that failed has a receipt that its transaction is tied to, or is told to be tied to none', async () => {
    const whole = stringifyEvidence(reverted)
    const told = await runCli(['check', written(whole), '--router', devnet.router])
    expect([told.err, told.code, told.out]).toEqual([
      '',
      0,
      expect.stringContaining('that of this transaction'),
    ])
    expect(JSON.parse((await check(whole)).out)).toMatchObject({
      verdict: 'reverted',
      isTied: true,
    })
    if (hasPython) expect(python(whole)).toEqual([0, expect.stringMatching(/sender is taken as/)])
    const { transactionProof: _, ...untied } = settled(reverted)
    const without = stringifyEvidence({ ...reverted, settled: untied })
    expect((await runCli(['check', written(without), '--router', devnet.router])).out).toMatch(
      /proved, not tied to this transaction/,
    )
    if (hasPython) expect(python(without)[1]).toContain('not tied to this transaction')
  })

  // The swap that was performed is of the same order, and failed nowhere.
  const other = (of: Evidence): Change[] => [
    (one) => inTransaction(one, { hash: settled(of).transaction.hash }),
    (one) => inCall(one, of.call!.data),
    (one) => inTransaction({ ...one, call: { ...one.call!, to: NATIVE } }, { to: NATIVE }),
    (one) => ({ ...one, settled: { ...settled(one), transaction: settled(of).transaction } }),
  ]
  it.each([0, 1, 2, 3])(
    'that failed with other parts of its transaction, %i, is found out',
    async (i) => {
      const altered = stringifyEvidence(other(evidence)[i]!(reverted))
      const { code, err } = await check(altered)
      expect([code > 0, err]).toEqual([true, expect.stringContaining('transaction: proof')])
      if (hasPython) expect(python(altered)[1]).toMatch(/WRONG|no evidence/)
    },
  )

  it.skipIf(!hasPython).each(texts)('with %s is none', (_, change) => {
    expect(python(change(text))).toEqual([2, expect.stringMatching(/^no evidence[^\n]*\n$/)])
  })

  it.each(narrow)('tells that its bound is of few %s', async (_, change) => {
    const altered = stringifyEvidence(change(evidence))
    expect((await check(altered)).out).toMatch(/"uncovered": \[\s*"/)
    if (hasPython) expect(python(altered)[1]).toContain('unknown')
  })

  it('names an executor of the router', async () => {
    const { data } = evidence.call!
    const other = `${data.slice(0, 418)}${'66'.repeat(20)}${data.slice(458)}` as `0x${string}`
    const { out } = await check(stringifyEvidence(inCall(evidence, other)))
    expect(JSON.parse(out).checks).toContainEqual(
      expect.objectContaining({ name: 'executor', isOk: false }),
    )
  })
})

describe('the evidence of a quote', () => {
  it('is of the state that the API quoted from, by its id, and of no other order', async () => {
    const api = await startDevnetApi({ devnet })
    const ask = (...words: readonly string[]) =>
      runCli(['evidence', '--api', api.url, ...words], { BRAID_API_KEY: api.apikey })
    const usdc = devnet.tokens.find(({ symbol }) => symbol === 'USDC')!.address
    const quote = `src=${NATIVE}&dst=${usdc}&amount=${10n ** 19n}`
    const asked = await fetch(`${api.url}/swap/v1/999/quote?${quote}`, {
      headers: { apikey: api.apikey },
    })
    const id = asked.headers.get('x-quote-id')!
    // The newest quote is another one by then.
    await devnet.trade(5)
    await devnet.mine()
    const order = ['--in', 'native', '--out', usdc, '--amount', '10']
    const { code, out, err } = await ask('--quote-id', id, ...order)
    expect([code, err]).toEqual([0, ''])
    const { dstAmount } = (await asked.json()) as { dstAmount: string }
    expect(parseEvidence(out)).toMatchObject({ quoteId: id, amountOut: BigInt(dstAmount) })
    expect(JSON.parse((await check(out)).out)).toMatchObject({
      verdict: 'only quoted',
      isProved: null,
    })
    const other = await ask('--quote-id', id, ...order.with(-1, '11'))
    expect([other.code, other.err]).toEqual([5, expect.stringContaining('MISMATCH')])
    await api.stop()
  })

  it.each([
    ['a market and an order, or a transaction', ['evidence'], 'USAGE'],
    ['a whole hash', ['evidence', '--tx', '0x12'], 'USAGE'],
    ['a file that is there', ['check', '/nowhere'], 'FILE_UNREADABLE'],
  ])('needs %s', async (_, [name, ...words], code) => {
    const node = name === 'evidence' ? ['--rpc', devnet.rpcUrl] : []
    expect((await runCli([name!, ...words, ...node])).err).toContain(code)
  })
})
