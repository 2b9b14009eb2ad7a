/**
 * One market of the families that the devnet does not have, and of Algebra's sliding fee, followed over random moves of
 * all of them; doctor finds nothing wrong with any. `followedMarket.e2e.ts` follows the devnet's own pools in the same
 * way. The doubles are ours and make situations; rows of deployed code judge the formulas, in packages/core.
 */
import type { Market } from '@braid-swap/chain'
import type { Address, Pool } from '@braid-swap/core'
import { families } from '@braid-swap/core/families'
import { type Call, createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { examined } from './differential/examined.js'
import { type MovedFamily, startFollowing } from './differential/following.js'
import { anyInteger } from './differential/integers.js'
import { createMovedFamilies } from './movedFamilies.js'

const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)
// BRAID_MOVES: number of moves to follow.
const MOVES = Number(process.env['BRAID_MOVES'] ?? scaled(2_000))
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
async function moveAll(
  { state: { snapshot } }: Market,
  counts: Map<string, number>,
): Promise<void> {
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

it('a followed market of every family equals a fresh load after each block of moves', async () => {
  // Balancer's vault is the venue of two families.
  const venues = [...new Set(moved.flatMap((one) => one.venues))]
  const { market, next } = await startFollowing(bare.chain, venues)
  const counts = new Map<string, number>()
  const sum = () => [...counts.values()].reduce((total, count) => total + count, 0)
  const isCovered = () => moved.every(({ family }) => (counts.get(family) ?? 0) >= MIN_OF_EACH)
  expect(market().state.setAside).toEqual([])
  const ramps = new Set<string>()
  let blocks = 0
  for (; sum() < MOVES || (!isCovered() && sum() < 2 * MOVES); blocks++) {
    await moveAll(market(), counts)
    const { pools } = (await next()).state.snapshot
    for (const pool of pools) {
      if ('ramp' in pool || ('form' in pool && 'ramp' in pool.form)) ramps.add(pool.family)
    }
  }
  expect([...ramps]).toEqual(expect.arrayContaining(['curveCrypto', 'curveStableSwap']))
  const { length } = market().state.snapshot.pools
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

it('is examined by doctor without a wrong finding', async () => {
  for (const { family, venues } of moved) {
    const findings = await examined(bare.chain, venues[0]!)
    expect(
      findings.filter(({ holds }) => holds === false),
      family,
    ).toEqual([])
    // Nothing is known against a venue whose pools cannot be asked.
    const read = findings.find(({ check }) => check === 'pools read')
    expect(read?.holds, family).toBe(true)
  }
})
