// An afternoon on which rivals trade on the devnet: every swap is found, its amounts are those that the balances show,
// and the verdict is the right one.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import { type Call, type Devnet, startDevnet } from '@braid-swap/devnet'
import { official, startNodeDouble } from '@braid-swap/worlds/node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { plain } from '../draw/index.js'
import { runProgram } from '../program.js'
import { openAfternoon } from '../testing/afternoon.js'
import { runCli } from '../testing/runCli.js'

const UNSERVED = 'devnet-joev2'
const UNIT = 10n ** 18n
/** Blocks that are followed behind the double. */
const ROUNDS = 25

type Seven = readonly [Address, Address, Address, Address, Address, Address, Address]

let devnet: Devnet
let folder: string
let day: ReturnType<typeof openAfternoon>
let accounts: readonly Address[]
let [whype, usdc, khype, lhype]: readonly Address[] = []
beforeAll(async () => {
  // A chain that was rewound has no past state.
  devnet = await startDevnet()
  folder = await mkdtemp(join(tmpdir(), 'braid-hindsight-'))
  await writeVenues('venues.json', ({ id }) => id !== UNSERVED)
  day = openAfternoon(devnet)
  ;[whype, usdc, khype, lhype] = ['WHYPE', 'USDC', 'kHYPE', 'LHYPE'].map(day.tokenOf)
  accounts = devnet.accounts.slice(3).map(({ address }) => address)
  for (const account of accounts) {
    await day.equip(account, whype!, 100_000n * UNIT)
    await day.equip(account, usdc!, 10n ** 13n)
  }
  await day.equip(accounts[0]!, lhype!, 1_000n * UNIT)
})
afterAll(async () => {
  await devnet?.stop()
  await rm(folder, { recursive: true })
})

const writeVenues = (name: string, isServed: (venue: Devnet['venues'][number]) => boolean) =>
  writeFile(join(folder, name), stringify(devnet.venues.filter(isServed)))

/** Sends transactions into one block, in this order. */
async function block(...calls: readonly Call[]): Promise<readonly Hex[]> {
  const hashes = await devnet.send(calls)
  await devnet.mine()
  for (const hash of hashes) {
    const { status } = await devnet.client.getTransactionReceipt({ hash })
    expect(status, hash).toBe('success')
  }
  return hashes
}

/** What a test knows of a swap. */
type Told = {
  readonly hash: Hex
  readonly owner: Address
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly verdict: string
  /** Those of a swap beside which its owner has another one in the block. */
  readonly amountIn?: bigint
  readonly received?: bigint
  readonly more?: object
}

type Report = {
  readonly swaps: readonly {
    readonly transaction: Hex
    readonly block: string
    readonly index: number
    readonly amountIn: string
    readonly received: string
    readonly before: { readonly amountOut: string }
    readonly atPlace: { readonly amountOut: string }
    readonly verdict: string
  }[]
  readonly from: string
  readonly to: string
  readonly [field: string]: unknown
}

const wordsOf = (rpcUrl: string, blocks: number) => [
  ...['hindsight', '--rpc', rpcUrl, '--venues', join(folder, 'venues.json')],
  ...['--blocks', `${blocks}`],
]

async function hindsight(blocks: number, ...more: readonly string[]): Promise<Report> {
  const words = [...wordsOf(devnet.rpcUrl, blocks), '--json', ...more]
  const { code, out, err } = await runCli(words)
  expect(code, err).toBe(0)
  return JSON.parse(out)
}

const held = (token: Address) => (token === NATIVE ? 'native' : token)

async function expectFound({ swaps }: Report, told: readonly Told[]) {
  const wanted = await Promise.all(
    told.map(async ({ hash, owner, tokenIn, tokenOut, verdict, amountIn, received, more }) => {
      const { gasUsed } = await devnet.client.getTransactionReceipt({ hash })
      const sold = amountIn ?? -(await day.gained(hash, owner, held(tokenIn)))
      const bought = received ?? (await day.gained(hash, owner, held(tokenOut)))
      return {
        ...{ transaction: hash, sender: owner, tokenIn, tokenOut, verdict, ...more },
        ...{ amountIn: `${sold}`, received: `${bought}`, gasUsed: `${gasUsed}` },
      }
    }),
  )
  expect(swaps).toMatchObject(wanted)
  expect(swaps).toHaveLength(told.length)
}

/** The call of a swap by Braid's own router. */
async function ownCall(from: Address): Promise<Call> {
  const order = ['--in', 'native', '--out', usdc!, '--amount', '3', '--slippage', '1']
  const source = ['--rpc', devnet.rpcUrl, '--venues', join(folder, 'venues.json')]
  const words = ['swap', ...source, '--router', devnet.router, ...order, '--from', from, '--json']
  const { tx } = JSON.parse((await runCli(words)).out)
  return { label: 'Braid', from, to: tx.to, data: tx.data, value: BigInt(tx.value), gas: 600_000n }
}

it('finds every swap of an afternoon, with its amounts and its verdict', async () => {
  const [bot, splitter, shop, victim, attacker, other, third] = accounts as Seven
  const start = await devnet.client.getBlockNumber()
  const sale = { tokenIn: whype!, tokenOut: usdc! }
  const v2 = day.poolOf('devnet-v2a', ['WHYPE', 'USDC'], 3000)
  const stable = day.poolOf('devnet-v3a', ['LHYPE', 'kHYPE'], 500)
  const [slow] = await block(day.single(bot, v2, whype!, 20n * UNIT))
  const [exact] = await block(day.single(bot, stable, lhype!, UNIT))
  const part = (feePpm: number, units: bigint, tokenOut = usdc!) => ({
    ...{ tokenOut, feePpm, amountIn: units * UNIT },
  })
  const parts = [part(500, 3_000n), part(3000, 1_000n)]
  const [two] = await block(day.split({ from: splitter, tokenIn: whype!, parts }))
  const [fee] = await block(
    day.withFee({ from: shop, tokenIn: whype!, parts: [part(500, 100n)] }, 10n),
  )
  const [front, eaten, back] = await block(
    day.single(attacker, v2, whype!, 500n * UNIT),
    day.single(victim, v2, whype!, 300n * UNIT),
    day.single(attacker, v2, usdc!, 20_000_000_000n),
  )
  const joe = day.poolOf(UNSERVED, ['WHYPE', 'USDC'], 3000)
  const [unserved] = await block(
    day.single(other, joe, whype!, 10n * UNIT),
    day.transfer(bot, usdc!, 1n),
    await ownCall(victim),
  )
  const native = { from: third, tokenIn: whype!, parts: [part(3000, 5n)] }
  const [sold] = await block(day.sellNative(native))
  const back2 = [{ tokenOut: whype!, feePpm: 3000, amountIn: 500_000_000n }]
  const [bought] = await block(day.buyNative({ from: third, tokenIn: usdc!, parts: back2 }))
  // What a router adds of its own, no pool pays.
  const [, early, given] = await block(
    day.transfer(other, usdc!, 200_000_000n, day.routerOf('devnet-v3a')),
    day.single(bot, v2, whype!, 20n * UNIT),
    day.withFee({ from: shop, tokenIn: whype!, parts: [part(500, 100n)] }, 10n),
  )
  const both = [part(3000, 5n), part(100, 1n, khype!)]
  await block(day.split({ from: splitter, tokenIn: whype!, parts: both }))

  const blocks = Number((await devnet.client.getBlockNumber()) - start)
  const report = await hindsight(blocks, '--keep', join(folder, 'lost'))
  const gained = await day.gained(front!, attacker, usdc!)
  const left = await day.gained(back!, attacker, whype!)
  await expectFound(report, [
    { hash: slow!, owner: bot, ...sale, verdict: 'won' },
    {
      ...{ hash: exact!, owner: bot, tokenIn: lhype!, tokenOut: khype!, verdict: 'equal' },
      more: { before: { gapBps: 0 }, atPlace: { gapBps: 0 }, pools: [stable.address] },
    },
    { hash: two!, owner: splitter, ...sale, verdict: 'won' },
    { hash: fee!, owner: shop, ...sale, verdict: 'won' },
    {
      ...{ hash: front!, owner: attacker, ...sale, verdict: 'won' },
      ...{ amountIn: 500n * UNIT, received: gained + 20_000_000_000n },
    },
    {
      ...{ hash: eaten!, owner: victim, ...sale, verdict: 'sandwiched' },
      more: { sandwichedBy: attacker },
    },
    {
      ...{ hash: back!, owner: attacker, tokenIn: usdc!, tokenOut: whype!, verdict: 'equal' },
      ...{ amountIn: 20_000_000_000n, received: left + 500n * UNIT },
    },
    {
      ...{ hash: unserved!, owner: other, ...sale, verdict: 'missed' },
      more: { missed: [{ pool: joe.address }], router: day.routerOf(UNSERVED) },
    },
    { hash: sold!, owner: third, tokenIn: NATIVE, tokenOut: usdc!, verdict: 'won' },
    { hash: bought!, owner: third, tokenIn: usdc!, tokenOut: NATIVE, verdict: 'won' },
    { hash: early!, owner: bot, ...sale, verdict: 'won' },
    { hash: given!, owner: shop, ...sale, verdict: 'lost' },
  ])
  expect(report).toMatchObject({
    ...{ from: `${start + 1n}`, to: `${start + BigInt(blocks)}`, unread: 1, seenPercent: 91.67 },
    counts: { won: 7, lost: 1, equal: 2, missed: 1, sandwiched: 1, unsolved: 0 },
    missedPools: [{ pool: joe.address, swaps: 1 }],
  })
  const answersTo = (hash: Hex) => {
    const { before, atPlace } = report.swaps.find(({ transaction }) => transaction === hash)!
    return [before, atPlace].map(({ amountOut }) => BigInt(amountOut)) as [bigint, bigint]
  }
  const [early2, late] = answersTo(back!)
  expect(late).toBeGreaterThan(early2)
  expect(new Set(answersTo(front!)).size).toBe(1)
  await expectReplayed(report.swaps.find(({ transaction }) => transaction === given)!)

  const page = join(folder, 'page.html')
  const { out } = await runCli([...wordsOf(devnet.rpcUrl, blocks), '--html', page])
  expect(await readFile(page, 'utf8')).toMatch(/<td class=left>missed<.td><.tr>/)
  expect(out).toContain(
    `${report.from} to ${report.to}: 12 swaps of others, 7 won, 1 lost, 2 equal`,
  )
  expect(out).toContain('91.67 % of them used only pools that Braid serves')
  expect(out).toMatch(new RegExp(`^${joe.address} +unknown +1$`, 'm'))
  expect(out).toMatch(/ 10 WHYPE +→ \S+ USDC .* missed$/m)
})

/** A lost order that was kept is quoted again, offline, at what Braid would have paid. */
async function expectReplayed(swap: Report['swaps'][number]) {
  const { amountIn, atPlace } = swap
  const number = `${swap.block}-${swap.index}`
  const lost = join(folder, 'lost')
  expect(await readdir(lost)).toEqual([`${number}.json.gz`, `${number}.ndjson`, 'tokens.json'])
  const [market, orders] = [join(lost, `${number}.json.gz`), join(lost, `${number}.ndjson`)]
  const words = ['simulate', '--snapshot', market, '--orders', orders, '--alone', '--gross']
  // As hindsight, which no list of tokens limits.
  words.push('--intermediates', 'all')
  const { out } = await runCli([...words, '--json'])
  expect(JSON.parse(out)).toMatchObject({ results: [{ amountIn, amountOut: atPlace.amountOut }] })
}

it('keeps to the limit of a public node that keeps no past state', async () => {
  const [bot, splitter] = accounts as Seven
  const double = await startNodeDouble(devnet.rpcUrl, { ...official, latencyMs: [1, 5] })
  try {
    const said: string[] = []
    const out: string[] = []
    const running = runProgram(
      [...wordsOf(double.url, ROUNDS), '--requests-per-minute', '100', '--json'],
      {
        ...{ out: (text) => void out.push(text), err: (text) => void said.push(text) },
        ...{ env: {}, paint: plain },
      },
    )
    await vi.waitFor(() => expect(said.join('\n')).toMatch(/pools at block/), 60_000)
    const loading = double.counts().requests
    const v2 = day.poolOf('devnet-v2a', ['WHYPE', 'USDC'], 3000)
    const parts = [{ tokenOut: usdc!, feePpm: 500, amountIn: UNIT }]
    const hashes: Hex[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const sale = day.split({ from: splitter, tokenIn: whype!, parts })
      hashes.push(...(await block(day.single(bot, v2, whype!, UNIT), sale)))
    }
    expect(await running, said.join('\n')).toBe(0)
    const { swaps }: Report = JSON.parse(out.join('\n'))
    expect(swaps.map(({ transaction }) => transaction)).toEqual(hashes)
    expect(new Set(swaps.map(({ verdict }) => verdict))).toEqual(new Set(['won']))
    const { requests, limited } = double.counts()
    expect(limited).toBe(0)
    // More than a minute allows, so that it has waited; a header and the receipts of each block, and polls.
    expect(requests).toBeGreaterThan(100)
    expect(requests - loading).toBeLessThanOrEqual(2 * ROUNDS + 5)
  } finally {
    await double.stop()
  }
})
