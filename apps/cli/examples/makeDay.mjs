/**
 * `node apps/cli/examples/makeDay.mjs [FOLDER]`: makes a day of a market as 24 snapshots, one an hour, for
 * docs/examples/afternoon, where they are written without a folder. The market is the recorded one of
 * packages/vectors, real pools of a local chain. Between two hours, traders swap made-up amounts at random
 * through the best routes. All follows from a seed, so every run makes the same day. Needs a build.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildGraph, parseSnapshot, quote, stringifySnapshot } from '@braid-swap/core'
import { applySwap } from '@braid-swap/core/families'

const root = resolve(import.meta.dirname, '../../..')
const HOURS = 24
const SWAPS_AN_HOUR = 8
const MAX_SWAP_USD = 80_000
/** 2026-01-15, 00:00 UTC, in Unix seconds. */
const MIDNIGHT = 1_768_435_200n
/** The traders' tokens, with their worth in USD and their decimals. */
const TRADED = [
  { symbol: 'WHYPE', usd: 40, decimals: 18 },
  { symbol: 'USDC', usd: 1, decimals: 6 },
  { symbol: 'USD₮0', usd: 1, decimals: 6 },
  { symbol: 'UBTC', usd: 100_000, decimals: 8 },
  { symbol: 'UETH', usd: 4_000, decimals: 18 },
]

/** Writes the day's snapshots, `00.json.gz` to `23.json.gz`, and `tokens.json` into a folder. */
export function makeDay(folder) {
  const tokenFile = join(root, 'packages/vectors/tokens.json')
  const addresses = new Map(
    JSON.parse(readFileSync(tokenFile, 'utf8')).map(({ symbol, address }) => [symbol, address]),
  )
  const recorded = readFileSync(join(root, 'packages/vectors/snapshots/999-79.json'), 'utf8')
  const random = randomFrom(24)
  mkdirSync(folder, { recursive: true })
  copyFileSync(tokenFile, join(folder, 'tokens.json'))
  let graph = buildGraph(parseSnapshot(recorded))
  for (let hour = 0; hour < HOURS; hour++) {
    for (let swap = 0; swap < SWAPS_AN_HOUR; swap++) {
      const order = randomOrder(addresses, random)
      graph = buildGraph(afterRoute(graph.snapshot, quote(graph, order).route), graph)
    }
    const text = stringifySnapshot({
      ...graph.snapshot,
      block: blockAt(graph.snapshot.block, hour),
    })
    writeFileSync(join(folder, `${String(hour).padStart(2, '0')}.json.gz`), gzipSync(text))
  }
}

function blockAt(block, hour) {
  const number = 1_000n + BigInt(hour) * 3_600n
  const hash = `0x${number.toString(16).padStart(64, '0')}`
  return { ...block, number, hash, timestamp: MIDNIGHT + BigInt(hour) * 3_600n }
}

function randomOrder(addresses, random) {
  const sold = Math.floor(random() * TRADED.length)
  const bought = (sold + 1 + Math.floor(random() * (TRADED.length - 1))) % TRADED.length
  const { symbol, usd, decimals } = TRADED[sold]
  const amountIn =
    (BigInt(Math.ceil(((random() * MAX_SWAP_USD) / usd) * 1e6)) * 10n ** BigInt(decimals)) /
    1_000_000n
  return {
    tokenIn: addresses.get(symbol),
    tokenOut: addresses.get(TRADED[bought].symbol),
    amountIn,
  }
}

/** The market after a route: each pool as its last swap left it. */
function afterRoute(snapshot, route) {
  const moved = new Map()
  for (const { pool, direction, amountIn } of route) {
    moved.set(pool.id, applySwap(moved.get(pool.id) ?? pool, direction, amountIn))
  }
  return { ...snapshot, pools: snapshot.pools.map((pool) => moved.get(pool.id) ?? pool) }
}

/** Numbers from 0 to 1 by a linear congruential generator (Numerical Recipes' constants). */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

if (process.argv[1] === import.meta.filename) {
  makeDay(process.argv[2] ?? join(root, 'docs/examples/afternoon/day'))
}
