/**
 * One market of the families that the devnet does not have, and of Algebra's sliding fee, followed over
 * random moves of all of them. `followedMarket.e2e.ts` follows the devnet's own pools in the same way, and
 * each of these families is followed by itself in `families/`. Not in `npm test`, because every pool is
 * read after every block.
 */
import type { Market } from '@braid-swap/chain'
import type { Address, Pool } from '@braid-swap/core'
import { families } from '@braid-swap/core/families'
import { type Call, createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BareChain, startBareChain } from '../families/differential/bareChain.js'
import { anyInteger } from '../families/differential/integers.js'
import { type MovedFamily, startFollowing } from '../families/differential/itFollows.js'
import { createMovedFamilies } from '../families/movedFamilies.js'

const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)
// BRAID_MOVES: number of moves to follow.
const MOVES = Number(process.env['BRAID_MOVES'] ?? 2_000)
const MIN_OF_EACH = Math.floor(MOVES / 40)
const MOVES_PER_BLOCK = 40
/** Followed by `followedMarket.e2e.ts`. */
const OF_DEVNET = ['algebraV1', 'uniswapV2', 'uniswapV3']

let bare: BareChain
let moved: readonly MovedFamily[]

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 3, [18])
  moved = await createMovedFamilies(bare)
}, 300_000)

afterAll(() => bare?.chain.stop())

/** The successful moves of a block, by family; at most one of each pool. */
async function moveAll({ snapshot }: Market, counts: Map<string, number>): Promise<void> {
  const { chain, random } = bare
  const sent: { readonly family: string; readonly hashes: readonly Address[] }[] = []
  const touched = new Set<Pool>()
  for (let n = 0; n < MOVES_PER_BLOCK; n++) {
    const { family, move, isOwn } = random.pick(moved)
    const pool = random.pick(snapshot.pools.filter(isOwn))
    if (touched.has(pool)) continue
    touched.add(pool)
    const calls: readonly Call[] = await move(pool, snapshot.block.timestamp)
    const hashes = await chain.send(calls)
    if (hashes.length > 0) sent.push({ family, hashes })
  }
  const wait = random.next() < 0.8 ? 1 : 2 ** anyInteger(random, 1, 17)
  const timestamp = snapshot.block.timestamp + BigInt(wait)
  await chain.client.setNextBlockTimestamp({ timestamp })
  await chain.mine()
  for (const { family, hashes } of sent) {
    const receipts = await Promise.all(
      hashes.map((hash) => chain.client.getTransactionReceipt({ hash })),
    )
    if (receipts.every(({ status }) => status === 'success')) {
      counts.set(family, (counts.get(family) ?? 0) + 1)
    }
  }
}

it('a market of every other family, followed over moves of each, equals a fresh load', async () => {
  // Balancer's vault is the venue of two families.
  const venues = [...new Set(moved.flatMap((one) => one.venues))]
  const { market, next } = await startFollowing(bare.chain, venues)
  const counts = new Map<string, number>()
  const sum = () => [...counts.values()].reduce((total, count) => total + count, 0)
  const isCovered = () => moved.every(({ family }) => (counts.get(family) ?? 0) >= MIN_OF_EACH)
  expect(market().setAside).toEqual([])
  let blocks = 0
  for (; sum() < MOVES || (!isCovered() && sum() < 2 * MOVES); blocks++) {
    await moveAll(market(), counts)
    await next()
  }
  const { length } = market().snapshot.pools
  const list = [...counts].map(([family, count]) => `${count} ${family}`).join(', ')
  console.log(`${sum()} moves in ${blocks} blocks of ${length} pools, seed ${SEED}: ${list}`)
  for (const { family } of moved) {
    expect(counts.get(family) ?? 0, family).toBeGreaterThanOrEqual(MIN_OF_EACH)
  }
})

it('follows every family of core here or on the devnet', () => {
  const all = Object.keys(families).filter((family) => family !== 'wrap')
  const followed = moved.map(({ family }) => family)
  expect([...new Set([...followed, ...OF_DEVNET])].sort()).toEqual(all.sort())
})
