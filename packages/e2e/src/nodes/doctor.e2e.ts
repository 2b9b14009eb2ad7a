// Does `braid doctor` say the same through every kind of node, and find what is planted?
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Finding, Venue } from '@braid-swap/chain'
import type { Address, Hex } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import {
  type Chain,
  type Devnet,
  deployUniswapV2,
  deployUniswapV3,
  fullRange,
  sortTokens,
  startChain,
  startDevnet,
  toSqrtPriceX96,
} from '@braid-swap/devnet'
import { createToken, createV2Pool, createV3Pool } from '@braid-swap/devnet/testing'
import {
  type NodeDouble,
  nanoreth,
  noQuirks,
  type Quirks,
  startNodeDouble,
  unlimited,
} from '@braid-swap/worlds/node'
import { runProgram } from 'braid'
import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

let devnet: Devnet
let double: NodeDouble
let folder: string
/** A chain whose tokens are none of HyperEVM's. */
let other: Chain
let foreign: readonly Venue[]
let otherDouble: NodeDouble
beforeAll(async () => {
  other = await startChain({ genesisTimestamp: unixSeconds() - 600n })
  foreign = await createForeignVenues()
  await other.client.removeBlockTimestampInterval()
  otherDouble = await startNodeDouble(other.rpcUrl)
  devnet = await startDevnet({ mining: 'interval', blockTimeMs: 1000 })
  const isNow = async () => {
    const { timestamp } = await devnet.client.getBlock()
    expect(Number(timestamp)).toBeGreaterThan(Date.now() / 1000 - 30)
  }
  await vi.waitFor(isNow, 60_000)
  double = await startNodeDouble(devnet.rpcUrl)
  folder = mkdtempSync(join(tmpdir(), 'braid-doctor-nodes-'))
})
afterAll(async () => {
  await Promise.all([double?.stop(), otherDouble?.stop()])
  await Promise.all([devnet?.stop(), other?.stop()])
  if (folder) rmSync(folder, { recursive: true })
})

const unixSeconds = () => BigInt(Math.floor(Date.now() / 1000))

async function createForeignVenues(): Promise<readonly Venue[]> {
  const made = await Promise.all(
    ['FORA', 'FORB'].map((symbol) => createToken(other, { symbol, name: symbol, decimals: 18 })),
  )
  const tokens = sortTokens(made[0]!.address, made[1]!.address)
  const v2 = await deployUniswapV2(other, 'foreign-v2')
  const v3 = await deployUniswapV3(other, 'foreign-v3')
  await createV2Pool(other, v2, { tokens, amounts: [10n ** 21n, 10n ** 21n] })
  await createV3Pool(other, v3, {
    ...{ tokens, feePpm: 3000, sqrtPriceX96: toSqrtPriceX96(1) },
    positions: [{ ...fullRange(60), liquidity: 10n ** 21n }],
  })
  return [v2.venue, v3.venue]
}

const SILENT = { strong: (text: string) => text, faint: (text: string) => text }

async function doctor(quirks: Partial<Quirks>, venues: readonly Venue[]) {
  double.set({ ...noQuirks, ...quirks })
  double.reset()
  return examine(double.url, venues)
}

async function doctorOfForeign(quirks: Partial<Quirks>, venues: readonly Venue[]) {
  otherDouble.set({ ...noQuirks, ...quirks })
  await other.client.setNextBlockTimestamp({ timestamp: unixSeconds() })
  await other.mine()
  return examine(otherDouble.url, venues)
}

async function examine(url: string, venues: readonly Venue[]) {
  const file = join(folder, 'venues.json')
  writeFileSync(file, stringify(venues))
  const [out, err] = [[] as string[], [] as string[]]
  const code = await runProgram(['doctor', '--rpc', url, '--venues', file, '--json'], {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    ...{ env: {}, paint: SILENT },
  })
  const { findings } = JSON.parse(out[0] ?? '{"findings":[]}') as {
    readonly findings: readonly Finding[]
  }
  return { code, err: err.join('\n'), findings }
}

/** What must not depend on the node: its clock, its gas limits and amounts that need much gas may. */
const verdicts = (findings: readonly Finding[]) =>
  findings.flatMap(({ subject, check, holds }) =>
    subject === 'chain' ? [] : [[subject, check, holds]],
  )

/** The verdicts do not depend on the latency. */
const QUICK = { latencyMs: [1, 5] } as const

const nodes: readonly (readonly [string, Partial<Quirks>])[] = [
  ['`official`', { ...unlimited, ...QUICK }],
  ['`nanoreth`', { ...nanoreth, ...QUICK }],
  ['overrides ignored', { overrides: 'ignored' }],
  ['calls above 5M gas refused', { callGas: 5_000_000, moreGas: 'refused' }],
]

it('says the same of the devnet’s venues through every kind of node', async () => {
  const plain = await doctor({}, devnet.venues)
  expect(plain.code, plain.err).toBe(0)
  const pays = plain.findings.filter(({ check }) => check === 'pays what we quote')
  expect(pays.map(({ holds }) => holds)).toEqual(devnet.venues.map(() => true))
  for (const [name, quirks] of nodes) {
    const found = await doctor(quirks, devnet.venues)
    expect(verdicts(found.findings), name).toEqual(verdicts(plain.findings))
    expect(found.code, name).toBe(0)
  }
})

it('finds the pools of tokens that it does not know, and holds them against the chain', async () => {
  for (const [name, quirks] of [['no quirk', {}] as const, ...nodes]) {
    const { code, findings, err } = await doctorOfForeign(quirks, foreign)
    expect([code, err], name).toEqual([0, expect.stringContaining('pools of 2 of 2 venues')])
    expect(findings.find(({ check }) => check === 'pools')?.found, name).toBe('1')
  }
})

const venueOf = (id: string) => devnet.venues.find((venue) => venue.id === id)!

/** A venue that names pairs, with a factory that has a pool of none. */
const misnamed = (): Venue => ({
  ...{ id: 'misnamed', family: 'ladder', factory: venueOf('devnet-v2a').factory },
  pairs: [[`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`]],
})

it('finds a wrong fee, a wrong callback and a foreign list of tokens through each', async () => {
  const [pool] = devnet.pools.filter(({ venue }) => venue === 'devnet-pv3')
  const restore = await Promise.all(
    devnet.pools
      .filter(({ venue }) => venue === pool!.venue)
      .map(({ address }) => renameCallback(address)),
  )
  for (const [name, quirks] of [['no quirk', {}] as const, ...nodes]) {
    const wrongOf = ({ findings }: Pick<Awaited<ReturnType<typeof doctor>>, 'findings'>) =>
      findings.filter(({ holds }) => holds === false).map(({ subject, check }) => [subject, check])
    const planted = [{ ...venueOf('devnet-v2a'), feePpm: 2500 }, venueOf('devnet-pv3'), misnamed()]
    const found = await doctor(quirks, planted)
    const [pair, ranged] = foreign
    const theirs = await doctorOfForeign(quirks, [{ ...pair!, feePpm: 2500 }, ranged!])
    expect([name, found.code, [...wrongOf(found), ...wrongOf(theirs)]]).toEqual([
      name,
      5,
      [
        ['devnet-v2a', 'pays what we quote'],
        ['devnet-pv3', 'callback'],
        ['devnet-pv3', 'pays what we quote'],
        ['misnamed', 'factory answers as a'],
        ['misnamed', 'pools'],
        ['foreign-v2', 'pays what we quote'],
      ],
    ])
  }
  for (const back of restore) await back()
})

/** Makes a pool call a callback of another name; returns what undoes it. */
async function renameCallback(address: Address): Promise<() => Promise<void>> {
  const { client } = devnet
  const code = (await client.getCode({ address }))!
  const selector = toFunctionSelector('function pancakeV3SwapCallback(int256,int256,bytes)').slice(
    2,
  )
  expect(code).toContain(selector)
  await client.setCode({ address, bytecode: code.replaceAll(selector, 'deadbeef') as Hex })
  return () => client.setCode({ address, bytecode: code })
}
