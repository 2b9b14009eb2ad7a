import { createClient, findPools, loadSnapshot } from '@braid-swap/chain'
import { ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { examined } from './differential/examined.js'
import { itFollows } from './differential/itFollows.js'
import { createStexes, movedStexes, type Stexes } from './differential/stexes.js'
import { stexCall } from './doubles/stexes.js'

// The doubles are ours and make situations; rows of deployed code judge the formulas, in packages/core.
const SEED = 20_261_121

let bare: BareChain
let stexes: Stexes

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 4, [6, 8, 18])
  stexes = await createStexes(bare)
}, 120_000)

afterAll(() => bare?.chain.stop())

describe('the loader of stex pools', () => {
  itFollows({
    title: 'follows swaps, rates, queues, fees and pauses as a fresh load reads them',
    bare: () => bare,
    moved: () => [movedStexes(stexes)],
    ...{ blocks: scaled(30), movesPerBlock: 14, leastCalls: scaled(200) },
    seen: ({ snapshot: { pools } }) => ({
      paused: pools.filter((pool) => pool.family === 'stex' && pool.isPaused).length,
    }),
    least: { paused: scaled(10) },
  })

  it('finds and examines the pool of an exchange for any tokens', async () => {
    const { chain } = bare
    const client = createClient(chain.rpcUrl)
    const [double] = stexes.doubles
    const findings = await examined(chain, double!.venue)
    const open = findings.filter(({ holds }) => holds !== true)
    expect(open.map(({ found }) => found)).toEqual(['these pools cannot be probed'])
    const venues = stexes.doubles.map(({ venue }) => venue)
    const found = await findPools(client, { venues, tokens: [] })
    expect(found.pools.map(({ id }) => id)).toEqual(stexes.doubles.map(({ pool }) => pool))
  })

  it('sets aside a pool with a verifier, an oracle or an unknown fee module', async () => {
    const { chain, tokens } = bare
    const from = chain.deployer
    const [gated, watched, foreign, unmanaged] = stexes.doubles
    const [none, some] = [ZERO_ADDRESS, tokens[0]!]
    await chain.execute([
      stexCall(from, gated!.pool, 'setModules', [gated!.feeModule, some, none]),
      stexCall(from, watched!.pool, 'setModules', [watched!.feeModule, none, some]),
      stexCall(from, foreign!.pool, 'setModules', [gated!.feeModule, none, none]),
      stexCall(from, unmanaged!.venue.factory, 'setWithdrawalModule', [some]),
    ])
    const venues = [
      ...[gated, watched, foreign, unmanaged].map((double) => double!.venue),
      { id: 'no-stex', family: 'stex', factory: some } as const,
    ]
    const { wrappedNative } = chain
    const { setAside } = await loadSnapshot(createClient(chain.rpcUrl), { venues, wrappedNative })
    expect(new Map(setAside.map(({ id, code }) => [id, code]))).toEqual(
      new Map([
        [gated!.pool, 'POOL_FORM_UNKNOWN'],
        [watched!.pool, 'POOL_FORM_UNKNOWN'],
        [foreign!.pool, 'POOL_FORM_UNKNOWN'],
        [unmanaged!.pool, 'POOL_MODULE_UNKNOWN'],
        [some, 'VENUE_UNREADABLE'],
      ]),
    )
  })
})
