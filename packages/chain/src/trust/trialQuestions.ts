// Which swaps of a venue are asked in a round: pools, directions and amounts in turn, or those of pools for whose change
// there is a sign.

import { type Address, type Direction, getAmountOut, type Hex, type Pool } from '@braid-swap/core'
import type { Market } from '../market/market.js'
import type { AskedSwap } from './askDirectly.js'
import { isServed, type Trial } from './venueTrials.js'

/** A swap that is asked of a venue. */
export type Question = AskedSwap & {
  readonly trial: Trial
  /** True if a token of the pool may lie: it can prove a venue that is not served, and accuse none. */
  readonly isWeak: boolean
}

/** Pools of one venue that are asked in one round because of a sign, there and back. */
const MOST_NAMED = 4

/** The questions to some venues in a round. */
export function questionsOf(
  { snapshot }: Market,
  trials: readonly Trial[],
  {
    trusted,
    named,
  }: {
    readonly trusted?: ReadonlySet<Address> | undefined
    readonly named: ReadonlySet<Hex>
  },
): readonly Question[] {
  const byVenue = new Map<string, Pool[]>(trials.map(({ venue }) => [venue, []]))
  for (const pool of snapshot.pools) byVenue.get(pool.venue)?.push(pool)
  const isTrusted = (token: Address) => trusted?.has(token) ?? true
  return trials.flatMap((trial) => {
    const pools = byVenue.get(trial.venue)!
    const sound = pools.filter(({ tokens }) => tokens.every(isTrusted))
    const isWeak = sound.length === 0
    const swaps = swapsOf(isWeak ? pools : sound).filter(
      ({ pool, direction }) => !isWeak || isTrusted(pool.tokens[direction.out]!),
    )
    if (swaps.length === 0 || (isWeak && isServed(trial))) return []
    const ask = ({ pool, direction }: Swap, lap: number) => {
      const amount = amountOf(pool, direction, lap)
      return amount ? [{ trial, pool, direction, isWeak, ...amount }] : []
    }
    const next = swaps[trial.turn % swaps.length]!
    const own = pools.filter(({ id }) => id === trial.doubted || named.has(id))
    const ofNamed = own.slice(0, MOST_NAMED).flatMap((pool) => {
      const all = swaps.filter((swap) => swap.pool === pool)
      const swap = next.pool === pool ? next : all[trial.turn % Math.max(1, all.length)]
      return swap ? thereAndBack(swap).flatMap((one) => ask(one, 0)) : []
    })
    if (ofNamed.length > 0) return ofNamed
    // A pool without an amount to ask for, dry or of dust, must not keep its venue from being asked.
    for (let turn = trial.turn; turn < trial.turn + swaps.length; turn++) {
      const asked = ask(swaps[turn % swaps.length]!, Math.floor(turn / swaps.length))
      if (asked.length > 0) return asked
    }
    return []
  })
}

type Swap = Pick<AskedSwap, 'pool' | 'direction'>

/** The swaps in the order in which they are asked: each pool once, in changing directions, before any pool twice. */
function swapsOf(pools: readonly Pool[]): readonly Swap[] {
  const ways = pools.map(({ tokens }) => {
    const sides = [...tokens.keys()]
    return sides.flatMap((i) => sides.flatMap((out) => (out === i ? [] : [{ in: i, out }])))
  })
  const laps = Math.max(0, ...ways.map(({ length }) => length))
  return Array.from({ length: laps }, (_, lap) =>
    pools.flatMap((pool, k) => {
      const all = ways[k]!
      return lap < all.length ? [{ pool, direction: all[(lap + k) % all.length]! }] : []
    }),
  ).flat()
}

function thereAndBack({ pool, direction }: Swap): readonly Swap[] {
  return [
    { pool, direction },
    { pool, direction: { in: direction.out, out: direction.in } },
  ]
}

/** Powers of ten that are tried as amounts. */
const DIGITS = 30
/** The least output: below it a fee of a hundredth of a per cent does not show. */
const LEAST_OUT = 100_000n

/** The largest round amount at which the price has moved little; a smaller one at later laps. */
function amountOf(pool: Pool, direction: Direction, lap: number) {
  const asked: { readonly amountIn: bigint; readonly quoted: bigint }[] = []
  let best = 0n
  for (let digits = 0; digits < DIGITS; digits++) {
    const amountIn = 10n ** BigInt(digits)
    const quoted = getAmountOut(pool, direction, amountIn)
    const rate = (quoted * 10n ** 30n) / amountIn
    if (rate * 5n < best * 4n) break
    if (rate > best) best = rate
    if (quoted > 0n) asked.push({ amountIn, quoted })
  }
  const exact = asked.filter(({ quoted }) => quoted >= LEAST_OUT)
  const usable = exact.length > 0 ? exact : asked.slice(-1)
  return usable.at(-1 - (lap % Math.min(3, usable.length)))
}
