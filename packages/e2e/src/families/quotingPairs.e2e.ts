import { createClient, findPools, loadSnapshot } from '@braid-swap/chain'
import { solidlyFactoryDoubleAbi } from '@braid-swap/contracts/testing'
import { createRandom, createToken, sortTokens } from '@braid-swap/devnet'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable } from '../chain/world.js'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { examined } from './differential/examined.js'
import { itFollows, startFollowing } from './differential/itFollows.js'
import { createQuotingPairs } from './differential/quotingPairs.js'
import { movedPairs } from './doubles/pairMoves.js'
import { createPairDoubles } from './doubles/pairs.js'

const SEED = 20_261_121
const TOKENS = 8

let bare: BareChain
let kinds: Awaited<ReturnType<typeof createQuotingPairs>>

beforeAll(async () => {
  // A stable pair is left out if a token has more than 18 decimals.
  bare = await startBareChain(createRandom(SEED), TOKENS, [0, 6, 8, 18])
  kinds = await createQuotingPairs(bare)
})

afterAll(() => bare?.chain.stop())

// The doubles are ours and make situations; rows of deployed code judge the formulas, in packages/core.
describe('doctor against doubles of pairs that quote on chain', () => {
  it('quotes like the pairs themselves and reports a difference', async () => {
    const check = 'pays what we quote'
    for (const { venue } of kinds) {
      const findings = await examined(bare.chain, venue)
      expect(findings.filter(({ holds }) => holds === false)).toEqual([])
      expect(findings.find((finding) => finding.check === check)?.holds).toBe(true)
      const wrong = await examined(bare.chain, { ...venue, feePpm: 77_777 })
      // Camelot's pairs report their own fees, which override the venue's.
      expect(wrong.some((finding) => finding.check === check && finding.holds === false)).toBe(
        venue.family === 'solidly',
      )
    }
  })
})

describe('the state derived from logs', () => {
  itFollows({
    title: 'equals a fresh load at every block, after swaps, deposits and fee changes',
    bare: () => bare,
    moved: () => movedPairs(kinds),
    ...{ blocks: scaled(60), movesPerBlock: 4, leastCalls: scaled(200) },
  })

  it('includes new pairs, which a lookup by tokens finds too', async () => {
    const { chain, tokens } = bare
    const client = createClient(chain.rpcUrl)
    const venues = kinds.map(({ venue }) => venue)
    const following = await startFollowing(chain, venues)
    const before = following.market()
    const token = await createToken(chain, { symbol: 'NEW', name: 'New', decimals: 18 })
    const amounts = [10n ** 20n, 10n ** 20n] as const
    for (const doubles of kinds) {
      const pair = { tokens: sortTokens(token.address, tokens[0]!), amounts }
      await createPairDoubles(chain, doubles, [{ ...pair, stable: true }])
    }
    const market = await following.next()
    expect(market.pools).toHaveLength(before.pools.length + kinds.length)
    const found = await findPools(client, { venues, tokens: [...tokens, token.address] })
    const byTokens = await loadSnapshot(client, {
      ...{ ...found, venues, wrappedNative: chain.wrappedNative },
    })
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
