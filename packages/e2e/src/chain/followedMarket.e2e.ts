import {
  advanceMarket,
  createClient,
  loadSnapshot,
  type Market,
  readHeader,
} from '@braid-swap/chain'
import type { Address, Pool } from '@braid-swap/core'
import { createRandom, type Devnet, startDevnet } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { anyInteger } from '../families/differential/integers.js'
import {
  anyMarketMove,
  fundMovers,
  type Move,
  type MovedMarket,
} from '../families/differential/marketMoves.js'
import { comparable } from './world.js'

const SEED = 20_261_121
// BRAID_MOVES: number of moves to follow by logs; in a full run 2,000 by default. BRAID_FUZZ_SEED: their seed.
const MOVES = Number(process.env['BRAID_MOVES'] ?? scaled(2_000))
const seed = Number(process.env['BRAID_FUZZ_SEED'] ?? SEED)
/** A few moves of a market may lack a kind, so the run goes on until every venue has made them all. */
const MOST_MOVES = 8_000
const MOVES_PER_BLOCK = 40
/** Every pool is read after every block, so use few of each venue, and none with a word per tick. */
const POOLS_PER_VENUE = 3
const MIN_FEE_PPM = 500

let devnet: Devnet
let market: MovedMarket
let chosen: Market['state']['pools']

beforeAll(async () => {
  devnet = await startDevnet({ seed: 7 })
  const { client, deployments } = devnet
  await client.setBlockGasLimit({ gasLimit: 4_000_000_000n })
  await devnet.mine()
  chosen = deployments.flatMap(({ venue }) => {
    const own = devnet.pools.filter(
      (pool) =>
        pool.venue === venue.id && (pool.family !== 'uniswapV3' || pool.feePpm >= MIN_FEE_PPM),
    )
    return own.slice(0, POOLS_PER_VENUE).map(({ address: id, family, tokens, feePpm }) => ({
      ...{ id, family, venue: venue.id, tokens },
      ...(family === 'uniswapV2' && { feePpm }),
      ...(venue.extraGas && { extraGas: venue.extraGas }),
    }))
  })
  const caller = deployments.find(({ kind }) => kind === 'pancakeV3')!.router
  market = { devnet, random: createRandom(seed), caller, positions: new Map() }
  const tokens = new Set(chosen.flatMap((pool) => pool.tokens))
  await fundMovers(market, [...tokens])
}, 180_000)

afterAll(() => devnet?.stop())

const client = () => createClient(devnet.rpcUrl)
const load = () => loadSnapshot(client(), { pools: chosen, wrappedNative: devnet.wrappedNative })

type Moved = Move & { readonly pool: Pool }

/** Sends random moves of a market's pools and mines them; returns the moves that succeeded. */
async function moveAll(followed: Market, wanted: number): Promise<readonly Moved[]> {
  const pools = followed.state.snapshot.pools.filter(({ id }) =>
    chosen.some((ref) => ref.id === id),
  )
  const sent: { readonly move: Move; readonly pool: Pool; readonly hashes: readonly Address[] }[] =
    []
  for (let i = 0; i < wanted; i++) {
    const pool = market.random.pick(pools)
    const deployment = devnet.deployments.find(({ venue }) => venue.id === pool.venue)!
    const move = await anyMarketMove(market, deployment, pool)
    const hashes = await devnet.send(move.calls)
    if (hashes.length > 0) sent.push({ move, pool, hashes })
  }
  // Mostly the next second, and sometimes a day later, after which averages have expired.
  const wait = market.random.next() < 0.8 ? 1 : 2 ** anyInteger(market.random, 1, 17)
  const timestamp = followed.state.snapshot.block.timestamp + BigInt(wait)
  await devnet.client.setNextBlockTimestamp({ timestamp })
  await devnet.mine()
  const done = await Promise.all(
    sent.map(async ({ hashes }) => {
      const receipts = hashes.map((hash) => devnet.client.getTransactionReceipt({ hash }))
      return (await Promise.all(receipts)).every(({ status }) => status === 'success')
    }),
  )
  return sent.flatMap(({ move, pool }, i) => (done[i] ? [{ ...move, pool }] : []))
}

/** The market at the newest block, and the pools whose state was read to get there. */
async function follow(
  market: Market,
): Promise<{ readonly market: Market; readonly asked: Market['state']['pools'] }> {
  const plain = client()
  const calls: string[] = []
  const listening = {
    ...plain,
    request: (asked: { readonly method: string; readonly params?: unknown }) => {
      if (asked.method !== 'eth_getLogs') calls.push(JSON.stringify(asked.params ?? []))
      return plain.request(asked as never)
    },
  } as typeof plain
  const head = { header: await readHeader(plain, 'latest'), receivedAtMs: 0 }
  const next = await advanceMarket(listening, market, { head, venues: [] })
  const asked = chosen.filter(({ id }) => calls.some((call) => call.includes(id.slice(2))))
  return { market: next, asked }
}

/** Returns whether a venue has made enough moves of each kind to prove anything. */
function covers(kinds: ReadonlyMap<string, number> = new Map()): boolean {
  const least = scaled(6)
  return (kinds.get('mint') ?? 0) >= least && (kinds.get('burn') ?? 0) >= least && kinds.size > 3
}

it('a market followed by logs equals a fresh load at every block', async () => {
  const counts = new Map<string, Map<string, number>>()
  let followed = await load()
  expect(followed.state.setAside).toEqual([])
  let [moves, byLogs, blocks] = [0, 0, 0]
  const isCovered = () => devnet.deployments.every(({ venue }) => covers(counts.get(venue.id)))
  for (; byLogs < MOVES || (!isCovered() && moves < MOST_MOVES); blocks++) {
    const moved = await moveAll(followed, MOVES_PER_BLOCK)
    const { market: next, asked } = await follow(followed)
    expect(comparable(next)).toEqual(comparable(await load()))
    followed = next
    for (const { kind, pool } of moved) {
      const own = counts.get(pool.venue) ?? new Map<string, number>()
      counts.set(pool.venue, own.set(kind, (own.get(kind) ?? 0) + 1))
      moves += 1
      if (!asked.some(({ id }) => id === pool.id)) byLogs += 1
    }
  }
  console.log(
    `${moves} moves in ${blocks} blocks of ${chosen.length} pools, seed ${seed}: ${byLogs} by logs alone, the others in pools that were read again`,
  )
  for (const [venue, kinds] of counts) {
    console.log(`  ${venue}: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')}`)
  }
  expect(followed.state.setAside).toEqual([])
  for (const { venue } of devnet.deployments) {
    const kinds = counts.get(venue.id)
    expect({ venue: venue.id, kinds, isCovered: covers(kinds) }).toMatchObject({ isCovered: true })
  }
})
