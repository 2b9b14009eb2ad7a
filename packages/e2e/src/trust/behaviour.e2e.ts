// A token that behaved once is followed: its pools leave when it changes, and return when it behaves again.
import { createClient, findFlaws, readHeader } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mood, type Served, startTrustWorld, type TrustWorld } from './trustWorld.js'

const HYPE = 10n ** 18n
/** Rounds in which every token is tested, and those between two audits of all reserves. */
const ROUNDS_OF_TESTS = 20
const ROUNDS_OF_RESERVES = 8
/** Blocks in a row in which a token that failed must pass. */
const PASSES = 16
const SUPPLY = 20_000n * HYPE

const abi = parseAbi([
  'function announce()',
  'function burn(address, uint256)',
  'function mint(address, uint256)',
  'function sync()',
])

let world: TrustWorld
let api: Served
let token: Address
let pairs: readonly Address[]

/** A token through which 1 WHYPE buys 2 % more money than at the honest pair; each pair has half its supply. */
beforeAll(async () => {
  world = await startTrustWorld()
  const { chain, money } = world
  const added = await world.addMoody([
    { other: chain.wrappedNative, amounts: [SUPPLY / 2n, 10_000n * HYPE] },
    { other: money, amounts: [SUPPLY / 2n, 418_000n * HYPE] },
  ])
  token = added.token
  pairs = added.pairs
  api = await world.serve([token])
  // Every token is tested in the first rounds.
  await api.mine()
})
afterAll(async () => {
  await api?.stop()
  await world?.stop()
})

const call = (to: Address, functionName: 'announce' | 'sync') =>
  world.call(to, encodeFunctionData({ abi, functionName }))

const areServed = () => pairs.map((pair) => api.serves(pair))

/** Mines until both pairs are served or neither, at most so many blocks. */
async function mineUntil(isServed: boolean, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) {
    if (areServed().every((one) => one === isServed)) return
    await api.mine()
  }
  expect(areServed()).toEqual([isServed, isServed])
}

/** An everyday order passes on the chain by another route, with no refusal on the way. */
async function expectOtherRoute(): Promise<void> {
  const { status, body } = await api.swap()
  expect([status, body.message]).toEqual([200, undefined])
  for (const pair of pairs) expect(body.tx.data).not.toContain(pair.slice(2))
  expect(await api.passes(body)).toBe(true)
}

async function expectReturn(): Promise<void> {
  await world.setMood(token, 'good')
  // One round to test it first, and one to read its pools.
  await mineUntil(true, ROUNDS_OF_TESTS + PASSES + 1)
  const { body } = await api.swap()
  for (const pair of pairs) expect(body.tx.data).toContain(pair.slice(2))
  expect(await api.passes(body)).toBe(true)
}

type Change = {
  readonly mood: Mood
  readonly subject?: () => Address
  readonly limit?: bigint
}
const changes: Readonly<Record<string, Change>> = {
  'late pause': { mood: 'paused' },
  'late tax': { mood: 'taxed' },
  'blacklist of a pool': { mood: 'refuses', subject: () => pairs[1]! },
  'refusal of the executor alone': { mood: 'refuses', subject: () => world.executor },
  'tax above 2 % of the supply': { mood: 'taxed', limit: SUPPLY / 50n },
  'limit on the largest transfer': { mood: 'limits', limit: SUPPLY / 50n },
}

describe.each(Object.entries(changes))('a %s', (_, { mood, subject, limit = 0n }) => {
  const change = () => world.setMood(token, mood, { ...(subject && { subject: subject() }), limit })

  it('is found by the next test, and the pools return with the behaviour', async () => {
    await change()
    await mineUntil(false, ROUNDS_OF_TESTS)
    await expectOtherRoute()
    await expectReturn()
  })

  it('that a log tells is found in the same block', async () => {
    await change()
    await call(token, 'announce')
    await api.mine()
    expect(areServed()).toEqual([false, false])
    await expectOtherRoute()
    await expectReturn()
  })
})

it('a late burn out of a pair is found beside its reserves, and the pair returns when it is synchronised', async () => {
  const [pair] = pairs
  const args = [pair!, HYPE] as const
  await world.call(token, encodeFunctionData({ abi, functionName: 'burn', args }))
  for (let i = 0; i < ROUNDS_OF_RESERVES && api.serves(pair!); i++) await api.mine()
  expect(areServed()).toEqual([false, true])
  await expectOtherRoute()
  await call(pair!, 'sync')
  await mineUntil(true, 2)
  const { body } = await api.swap()
  expect(body.tx.data).toContain(pair!.slice(2))
  expect(await api.passes(body)).toBe(true)
})

it('a tax in a pool of fewer than 101 units is found too', async () => {
  const { chain } = world
  const few = await world.addMoody([
    { other: chain.wrappedNative, amounts: [100n, 10_000n * HYPE] },
  ])
  await world.setMood(few.token, 'taxed', { limit: 20n })
  // Its first block may be one in which no token is tested.
  for (let i = 0; i < ROUNDS_OF_TESTS && (i < 2 || api.serves(few.pairs[0]!)); i++) await api.mine()
  expect(api.serves(few.pairs[0]!)).toBe(false)
})

it('a token whose transfers use all gas takes no good token with it, tested in one batch', async () => {
  const { chain, money, honest } = world
  const burner = await world.addMoody([{ other: money, amounts: [HYPE, HYPE] }])
  await world.setMood(burner.token, 'burns')
  const client = createClient(chain.rpcUrl)
  const header = await readHeader(client, 'latest')
  const holders = new Map([
    [burner.token, burner.pairs[0]!],
    [money, honest],
    [token, pairs[0]!],
  ])
  const place = { pools: [], header, holders, counterparty: world.executor }
  const flaws = await findFlaws(client, [burner.token, money, token], place)
  for (const good of [money, token]) expect(flaws.map(({ address }) => address)).not.toContain(good)
  for (let i = 0; i < ROUNDS_OF_TESTS; i++) await api.mine()
  expect(api.serves(honest)).toBe(true)
})
