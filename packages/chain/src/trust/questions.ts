// Which swaps of a venue are asked in a round: pools, directions and amounts in turn, or those of pools for whose change
// there is a sign.

import type { Address, Direction, Hex, Pool, Snapshot } from '@braid-swap/core'
import { estimateGas, getAmountOut } from '@braid-swap/core/families'
import type { Question } from './measure.js'
import { isOpen, isServed, type Trial } from './trials.js'

/** A swap that is asked of a venue. */
export type TrialQuestion = Question & {
  readonly trial: Trial
  /** True if a token of the pool may lie: it can prove a venue that is not served, and accuse none. */
  readonly isWeak: boolean
}

/** What chooses the questions. */
export type Choice = {
  readonly trusted?: ReadonlySet<Address> | undefined
  /** Pools for whose change there is a sign. */
  readonly named: ReadonlySet<Hex>
  /** The most gas of a swap that is asked: beyond it a refusal would say nothing. */
  readonly mostGas: number
  /** What pools hold against a move of their price; those with the most answer for their venue. */
  readonly depths?: ReadonlyMap<Hex, number> | undefined
}

/** Pools of one venue that are asked in one round because of a sign, there and back. */
const MOST_NAMED = 4
/** Deep pools that are asked beside one that was accused, so that the venue is cleared or falls. */
const WITNESSES = 2

/** The questions to some venues in a round. */
export function questionsOf(
  snapshot: Snapshot,
  trials: readonly Trial[],
  { trusted, named, mostGas, depths }: Choice,
): readonly TrialQuestion[] {
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
      const amount = amountOf(pool, direction, { lap, mostGas })
      return amount ? [{ trial, pool, direction, isWeak, ...amount }] : []
    }
    const next = swaps[trial.turn % swaps.length]!
    const inTurn = (pool: Pool) => {
      const all = swaps.filter((swap) => swap.pool === pool)
      const swap = next.pool === pool ? next : all[trial.turn % Math.max(1, all.length)]
      return swap ? thereAndBack(swap).flatMap((one) => ask(one, 0)) : []
    }
    const { accused = [] } = trial
    const open = new Set<Hex>(accused.filter(isOpen).map(({ pool }) => pool))
    const ofNamed = pools.filter(({ id }) => open.has(id) || named.has(id)).slice(0, MOST_NAMED)
    const asked = ofNamed.flatMap(inTurn)
    if (asked.length > 0) {
      return open.size === 0
        ? asked
        : [...asked, ...witnesses(sound, trial, depths).flatMap(inTurn)]
    }
    // One that is out is asked beside the turn's, so that it comes back.
    const out = pools.find(({ id }) => id === accused[trial.turn % accused.length]?.pool)
    // A pool without an amount to ask for, dry or of dust, must not keep its venue from being asked.
    for (let turn = trial.turn; turn < trial.turn + swaps.length; turn++) {
      const swap = swaps[turn % swaps.length]!
      const first = ask(swap, Math.floor(turn / swaps.length))
      if (first.length > 0) return out && out !== swap.pool ? [...first, ...inTurn(out)] : first
    }
    return []
  })
}

/** The deepest pools that were not accused. */
function witnesses(
  pools: readonly Pool[],
  { accused = [] }: Trial,
  depths: Choice['depths'],
): readonly Pool[] {
  const depthOf = ({ id }: Pool) => depths?.get(id) ?? 0
  return pools
    .filter(({ id }) => !accused.some(({ pool }) => pool === id))
    .toSorted((a, b) => depthOf(b) - depthOf(a))
    .slice(0, WITNESSES)
}

type Swap = Pick<Question, 'pool' | 'direction'>

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

/** The largest round amount at which the price has moved little and that a call can pay; a smaller one at later laps. */
function amountOf(
  pool: Pool,
  direction: Direction,
  { lap, mostGas }: { readonly lap: number; readonly mostGas: number },
) {
  const asked: { readonly amountIn: bigint; readonly quoted: bigint }[] = []
  let best = 0n
  for (let digits = 0; digits < DIGITS; digits++) {
    const amountIn = 10n ** BigInt(digits)
    const quoted = getAmountOut(pool, direction, amountIn)
    const rate = (quoted * 10n ** 30n) / amountIn
    if (rate * 5n < best * 4n) break
    if (rate > best) best = rate
    if (quoted > 0n && estimateGas(pool, direction, amountIn) <= mostGas) {
      asked.push({ amountIn, quoted })
    }
  }
  const exact = asked.filter(({ quoted }) => quoted >= LEAST_OUT)
  const usable = exact.length > 0 ? exact : asked.slice(-1)
  return usable.at(-1 - (lap % Math.min(3, usable.length)))
}
