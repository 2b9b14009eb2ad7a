// Tests the pools of Balancer's vaults alike: one contract keeps the balances of all of them, and
// swaps any two tokens of a pool. Random swaps in a row, compared to the wei, and random moves.

import type { Venue } from '@braid-swap/chain'
import type { Address, Hex, Pool } from '@braid-swap/core'
import {
  applySwap,
  type BalancerV2Pool,
  type BalancerV3Pool,
  getAmountOut,
} from '@braid-swap/core/families'
import type { Call, Chain, Random } from '@braid-swap/devnet'
import { anyAmount, anyDirection } from './amounts.js'
import type { BareChain } from './bareChain.js'
import { anyBelow, anyBits, anyInteger } from './integers.js'
import { type SimulatedCall, simulate } from './simulate.js'
import { compare, count, type Swap, type Tally } from './tally.js'

/** An exact input between two tokens of a pool. */
export type Given = Pick<Swap, 'direction' | 'amountIn'>

/** Pools that a vault keeps, and how it is called. */
export type VaultPools<P extends Pool> = BareChain & {
  readonly venue: Venue
  readonly vault: Address
  readonly pools: readonly P[]
  readonly swapCall: (pool: P, given: Given) => SimulatedCall
  /** The call of the vault that returns a pool's balances. */
  readonly balancesData: (pool: P) => Hex
  /** The balances in its answer, in the order of the pool's tokens. */
  readonly readBalances: (pool: P, data: Hex) => readonly bigint[]
  /** The balances of a state, in wei. */
  readonly balancesOf: (pool: P) => readonly bigint[]
  /** Names a paid swap in the counts. */
  readonly kindOf: (swap: Swap & { readonly pool: P }) => string
  /** Returns true if the vault paid by other means than its balances, which core does not quote. */
  readonly isPaidElsewhere?: (swap: Swap & { readonly pool: P }, paid: bigint) => boolean
  /** One random move of a pool. */
  readonly move: (pool: P) => readonly Call[]
}

// The trader has 2²⁵³ wei.
const MOST = 1n << 251n
const SWAPS = 3

/**
 * Swaps three times in a row in one pool, by any pairs of its tokens. Core must compute each output to
 * the wei, refuse what the vault refuses, and end with the balances that the vault reports.
 */
export async function checkVaultSwaps<P extends Pool>(
  market: VaultPools<P>,
  tally: Tally,
): Promise<void> {
  const { chain, trader, random, vault } = market
  const pool = random.pick(market.pools)
  const swaps: (Swap & { readonly pool: P })[] = []
  let state = pool
  for (let turn = 0; turn < SWAPS; turn++) {
    const direction = anyDirection(random, state)
    const drawn = anyAmount(random, state, direction)
    const amountIn = drawn < MOST ? drawn : MOST
    swaps.push({ pool: state, direction, amountIn })
    state = applySwap(state, direction, amountIn)
  }
  const results = await simulate(
    chain.client,
    [
      ...swaps.map((swap) => market.swapCall(swap.pool, swap)),
      { from: trader, to: vault, data: market.balancesData(pool) },
    ],
    pool.quotedAt,
  )
  for (const [i, swap] of swaps.entries()) {
    const { succeeded, data } = results[i]!
    const paid = succeeded ? BigInt(data) : 0n
    const core = getAmountOut(swap.pool, swap.direction, swap.amountIn)
    if (core === 0n && market.isPaidElsewhere?.(swap, paid)) {
      count(tally, 'paid elsewhere')
      return
    }
    compare(tally, swap, { what: 'amount out', core, chain: paid })
    count(tally, paid > 0n ? 'paid to the wei' : 'refused by both')
    if (paid > 0n) count(tally, `paid by ${market.kindOf(swap)}`)
    // A swap for nothing is refused by the executor, and changes the balances all the same.
    if (succeeded && paid === 0n) return
  }
  // The first swap may also take fees that are due, which our state has taken already.
  if (state === pool) return
  const left = market.readBalances(pool, results[SWAPS]!.data)
  compare(tally, swaps.at(-1)!, { what: 'balances', core: market.balancesOf(state), chain: left })
}

/** A swap of at most a quarter of what the pool has of the token in; none if core refuses it. */
export function anySwapMove<P extends Pool>(
  market: Pick<VaultPools<P>, 'random' | 'balancesOf' | 'swapCall'>,
  pool: P,
): readonly Call[] {
  const { random } = market
  const direction = anyDirection(random, pool)
  const most = market.balancesOf(pool)[direction.in]!
  const amountIn = most / BigInt(anyInteger(random, 4, 10_000)) + 1n
  if (getAmountOut(pool, direction, amountIn) === 0n) return []
  const call = market.swapCall(pool, { direction, amountIn })
  return [{ label: 'swap in a vault', ...call, gas: 20_000_000n }]
}

/** The moves of a weighted or stable pool beside swaps. */
export type PoolMoves<P> = {
  readonly fee: (pool: P) => readonly Call[]
  readonly rates: (pool: P) => readonly Call[]
  readonly ramp: (pool: P) => readonly Call[]
  /** Liquidity of these amounts. */
  readonly join: (pool: P, amounts: readonly bigint[]) => readonly Call[]
}

/** One random move of a pool: a swap, liquidity, a new fee, amplification or rate. */
export function anyPoolMove<P extends BalancerV2Pool | BalancerV3Pool>(
  market: Pick<VaultPools<P>, 'random' | 'balancesOf' | 'swapCall'>,
  moves: PoolMoves<P>,
  pool: P,
): readonly Call[] {
  const { random } = market
  const kind = random.next()
  if (kind < 0.1) return moves.fee(pool)
  if (kind < 0.2) return moves.rates(pool)
  if (kind < 0.25 && 'amp' in pool.form && !pool.form.ramp) return moves.ramp(pool)
  if (kind < 0.38) {
    const amounts = market.balancesOf(pool).map((raw) => raw / BigInt(anyInteger(random, 8, 50)))
    return moves.join(pool, amounts)
  }
  return anySwapMove(market, pool)
}

const E18 = 10n ** 18n

/** Weights of at least a hundredth, whose sum is 1; a quarter of the time equal or nearly so. */
export function anyWeights(random: Random, length: number): readonly bigint[] {
  const isEqual = random.next() < 0.25
  const parts = Array.from({ length }, () => (isEqual ? 1 : anyInteger(random, 8, 100)))
  const whole = BigInt(parts.reduce((sum, part) => sum + part, 0))
  const weights = parts.map((part) => (BigInt(part) * E18) / whole)
  const rest = E18 - weights.reduce((sum, weight) => sum + weight, 0n)
  return weights.with(0, weights[0]! + rest)
}

/** Neighbouring tokens, and amounts of sizes within `spread` bits of each other's value. */
export async function anyDeposits(
  { chain, tokens, random }: BareChain,
  { most, bits: [low, high], spread }: DepositLimits,
) {
  const length = anyInteger(random, 2, Math.min(tokens.length, most))
  const first = anyInteger(random, 0, tokens.length - length)
  const size = anyInteger(random, low, high)
  const own = tokens.slice(first, first + length)
  const decimals = await Promise.all(own.map((token) => decimalsOf(chain, token)))
  const amounts = decimals.map((d) => anyBits(random, size, size + spread) / 10n ** (18n - d) + 1n)
  return { tokens: own, amounts }
}

/** At most so many tokens, and the range of bits of an amount with 18 decimals. */
export type DepositLimits = {
  readonly most: number
  readonly bits: readonly [low: number, high: number]
  readonly spread: number
}

async function decimalsOf({ client }: Chain, token: Address): Promise<bigint> {
  const { data } = await client.call({ to: token, data: '0x313ce567' })
  return BigInt(data!)
}

/** A rate from a half to two and a half. */
export function anyRate(random: Random): bigint {
  return E18 / 2n + anyBelow(random, 2n * E18)
}
