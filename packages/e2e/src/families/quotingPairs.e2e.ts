import {
  advanceMarket,
  createClient,
  examineVenue,
  findPools,
  loadSnapshot,
  type Market,
  readHeader,
} from '@braid-swap/chain'
import { solidlyFactoryDoubleAbi } from '@braid-swap/contracts/testing'
import type { CamelotPool, SolidlyPool } from '@braid-swap/core'
import { createRandom, createToken, sortTokens } from '@braid-swap/devnet'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable } from '../chain/world.js'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { checkQuotingSwap, checkTwoSwaps, createQuotingPairs } from './differential/quotingPairs.js'
import { createTally, describeTally, untilPaid } from './differential/tally.js'
import { anyPairMove } from './doubles/pairMoves.js'
import { createPairDoubles } from './doubles/pairs.js'

const SEED = 20_261_121
const PAID = scaled(2_100)
const TOKENS = 8

let bare: BareChain
let kinds: Awaited<ReturnType<typeof createQuotingPairs>>

beforeAll(async () => {
  // A stable pair is left out if a token has more than 18 decimals.
  bare = await startBareChain(createRandom(SEED), TOKENS, [0, 6, 8, 18])
  kinds = await createQuotingPairs(bare)
})

afterAll(() => bare?.chain.stop())

// The doubles are ours, written from the formulas. They test reserves, fees and refusals together; the
// reference vectors test the formulas.
describe('core against doubles of pairs that quote on chain', () => {
  it('detects a difference of a single wei', async () => {
    for (const market of kinds) {
      const tally = createTally()
      const pools = market.pools.map((pool) => {
        const [reserve0, reserve1] = pool.reserves
        return { ...pool, reserves: [reserve0 + 1n, reserve1] as const }
      })
      for (let i = 0; i < 40; i++) await checkQuotingSwap({ ...market, pools }, tally)
      expect(tally.mismatches.length).toBeGreaterThan(0)
    }
  })

  it('quotes like the pairs themselves and reports a difference', async () => {
    const client = createClient(bare.chain.rpcUrl)
    const { wrappedNative } = bare.chain
    const options = { tokens: bare.tokens, wrappedNative }
    const check = 'quotes of the pair itself'
    for (const { venue } of kinds) {
      const { findings } = await examineVenue(client, venue, options)
      expect(findings.filter(({ holds }) => holds === false)).toEqual([])
      expect(findings.find((finding) => finding.check === check)?.holds).toBe(true)
      const { findings: wrong } = await examineVenue(client, { ...venue, feePpm: 77_777 }, options)
      // Camelot's pairs report their own fees, which override the venue's.
      expect(wrong.some((finding) => finding.check === check && finding.holds === false)).toBe(
        venue.family === 'solidly',
      )
    }
  })

  it('computes their outputs through the executor and their reserves', async () => {
    for (const market of kinds) {
      const tally = createTally()
      await untilPaid(tally, PAID, () => checkQuotingSwap(market, tally))
      console.log(describeTally(`${market.kind}, ${market.pools.length} doubles`, tally))
      expect(tally.mismatches).toEqual([])
      expect(tally.counts.get('paid to the wei')).toBeGreaterThan(scaled(2_000))
      expect(tally.counts.get('refused by both')).toBeGreaterThan(scaled(100))
    }
  })
})

const TWICE = scaled(400)

describe('core against doubles, a pair used twice', () => {
  it('computes the second swap from its own state after the first', async () => {
    for (const market of kinds) {
      const tally = createTally()
      for (let i = 0; i < TWICE; i += 25) {
        await Promise.all(Array.from({ length: 25 }, () => checkTwoSwaps(market, tally)))
      }
      console.log(describeTally(market.kind, tally))
      expect(tally.mismatches).toEqual([])
      expect(tally.counts.get('paid twice')).toBeGreaterThan(scaled(100))
    }
  })
})

const BLOCKS = scaled(60)
const MOVES_PER_BLOCK = 9

describe('the state derived from logs', () => {
  it('equals a fresh load at every block, after swaps, deposits and fee changes', async () => {
    const { chain, random } = bare
    const client = createClient(chain.rpcUrl)
    const venues = kinds.map(({ venue }) => venue)
    const load = () => loadSnapshot(client, { venues, wrappedNative: chain.wrappedNative })
    const pairOf = ({ snapshot }: Market, id: string) =>
      snapshot.pools.find((pool) => pool.id === id) as SolidlyPool | CamelotPool
    let market = await load()
    let moves = 0
    for (let block = 0; block < BLOCKS; block++) {
      const before = market
      const touched = new Set<string>()
      for (let move = 0; move < MOVES_PER_BLOCK; move++) {
        const kind = random.pick(kinds)
        const { id } = random.pick(kind.pools)
        // One move per pair and block, because the output of a second one is not known yet.
        if (touched.has(id)) continue
        touched.add(id)
        const calls = anyPairMove(kind, pairOf(before, id))
        await chain.execute(calls)
        if (calls.length > 0) moves += 1
      }
      const header = await readHeader(client, 'latest')
      market = await advanceMarket(client, market, { head: { header, receivedAtMs: 1 }, venues })
      expect(comparable(market)).toEqual(comparable(await load()))
    }
    console.log(`${moves} moves followed by logs, equal to fresh loads`)
    expect(moves).toBeGreaterThan(scaled(400))
  })

  it('includes new pairs, which a lookup by tokens finds too', async () => {
    const { chain, tokens } = bare
    const client = createClient(chain.rpcUrl)
    const venues = kinds.map(({ venue }) => venue)
    const { wrappedNative } = chain
    const load = () => loadSnapshot(client, { venues, wrappedNative })
    const before = await load()
    const token = await createToken(chain, { symbol: 'NEW', name: 'New', decimals: 18 })
    const amounts = [10n ** 20n, 10n ** 20n] as const
    for (const doubles of kinds) {
      const pair = { tokens: sortTokens(token.address, tokens[0]!), amounts }
      await createPairDoubles(chain, doubles, [{ ...pair, stable: true }])
    }
    const header = await readHeader(client, 'latest')
    const market = await advanceMarket(client, before, {
      head: { header, receivedAtMs: 1 },
      venues,
    })
    expect(market.pools).toHaveLength(before.pools.length + kinds.length)
    expect(comparable(market)).toEqual(comparable(await load()))
    const found = await findPools(client, { venues, tokens: [...tokens, token.address] })
    const byTokens = await loadSnapshot(client, { ...found, venues, wrappedNative })
    expect(comparable(byTokens)).toEqual(comparable(market))
  })

  it('sets aside paused pairs with a reason', async () => {
    const { chain } = bare
    const { venue } = kinds.find(({ kind }) => kind === 'solidly')!
    const pause = (isPaused: boolean) =>
      chain.execute([
        {
          ...{ label: 'pause', from: chain.deployer, to: venue.factory, gas: 100_000n },
          data: encodeFunctionData({
            abi: solidlyFactoryDoubleAbi,
            functionName: 'setPaused',
            args: [isPaused],
          }),
        },
      ])
    await pause(true)
    const { wrappedNative } = chain
    const client = createClient(chain.rpcUrl)
    const { snapshot, pools, setAside } = await loadSnapshot(client, {
      venues: [venue],
      wrappedNative,
    })
    expect(new Set(setAside.map(({ code }) => code))).toEqual(new Set(['POOL_PAUSED']))
    expect(setAside).toHaveLength(pools.length)
    expect(snapshot.pools.map(({ family }) => family)).toEqual(['wrap'])
    await pause(false)
  })
})
