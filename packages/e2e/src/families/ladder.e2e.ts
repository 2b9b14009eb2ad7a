import { createClient, loadSnapshot, type Market, type Venue } from '@braid-swap/chain'
import type { LadderPool } from '@braid-swap/core/families'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { deployLadderMarket, moveLadderPrices, sampleLadders } from './doubles/ladderMarket.js'
import { refuseBatchesCall } from './doubles/ladders.js'

// The double is ours. It proves that the pool pays at least the sampled output, but not that a venue's
// pool behaves like it.
const SEED = 20_261_121
const SWAPS = scaled(2_000)

let bare: BareChain
let venues: readonly Venue[]

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 4, [6, 8, 18])
  venues = await deployLadderMarket(bare)
}, 120_000)

afterAll(() => bare?.chain.stop())

const load = () =>
  loadSnapshot(createClient(bare.chain.rpcUrl), {
    ...{ venues, wrappedNative: bare.chain.wrappedNative },
  })

const laddersOf = ({
  state,
}: {
  readonly state: Pick<Market['state'], 'snapshot'>
}): readonly LadderPool[] => state.snapshot.pools.filter((pool) => pool.family === 'ladder')

it('quotes the pool’s own output at the samples, and no more and hardly less between them', async () => {
  const shortfalls: number[] = []
  const count = { rungs: 0, between: 0 }
  while (count.between < SWAPS) {
    const pools = laddersOf(await load())
    for (const { promised, paid, isRung } of await sampleLadders(bare, pools)) {
      if (isRung) expect(promised).toBe(paid)
      else expect(promised <= paid).toBe(true)
      if (!isRung && paid > 10n ** 9n) shortfalls.push(1 - Number(promised) / Number(paid))
      count[isRung ? 'rungs' : 'between'] += 1
    }
    await moveLadderPrices(bare, pools)
  }
  shortfalls.sort((a, b) => a - b)
  const most = shortfalls.at(-1)!
  const median = shortfalls[shortfalls.length >> 1]!
  console.log(
    `${count.rungs} rungs to the wei, ${count.between} between; short by ${median}, ${most} at most`,
  )
  expect(shortfalls.length).toBeGreaterThan(scaled(500))
  // Half a basis point at the median; much more where the pool runs dry between two samples.
  expect(median).toBeLessThan(5e-5)
})

// The last test, because the pool refuses batches from then on.
it('serves only the pairs that the venue names, with its haircut, and pools without a batch', async () => {
  const [ladders] = venues
  const {
    state: { snapshot },
  } = await load()
  const [one, ...others] = laddersOf({ state: { snapshot } }).map(({ tokens }) => tokens)
  const client = createClient(bare.chain.rpcUrl)
  const { wrappedNative } = bare.chain
  const only = { ...ladders!, pairs: [[one![1], one![0]]] as const, haircutPpm: 100 }
  const [pool, ...rest] = laddersOf(await loadSnapshot(client, { venues: [only], wrappedNative }))
  expect(others.length).toBeGreaterThan(0)
  expect(rest).toEqual([])
  const whole = laddersOf({ state: { snapshot } }).find(({ id }) => id === pool!.id)!
  const cut = whole.ladders[0].map(([x, y]) => [x, (y * 999_900n) / 1_000_000n])
  const [a, b] = pool!.ladders
  const ordered = pool!.tokens[0] === whole.tokens[0] ? a : b
  expect(ordered).toEqual(cut)
  const { chain } = bare
  await chain.execute([refuseBatchesCall(chain.deployer, pool!.id)])
  const [single] = laddersOf(await loadSnapshot(client, { venues: [only], wrappedNative }))
  const rungs = pool!.ladders[0]
  expect(single!.ladders[0].length).toBeGreaterThan(10)
  for (const rung of single!.ladders[0]) expect(rungs).toContainEqual(rung)
})
