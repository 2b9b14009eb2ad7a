// Cheap reads that tell whether a pool's state is still the chain's: one or two calls where a load
// needs hundreds. They find a price, reserves or a liquidity that no log told.

import type { Address, Hex } from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import { callData, wordAt } from '../reads/abiWords.js'
import type { Call } from '../reads/call.js'
import { LoadError } from './loadError.js'

/** Calls whose answers a state determines. */
export type Glance = {
  readonly calls: readonly Call[]
  /** Returns true if these are the answers that the state implies. */
  readonly agrees: (answers: readonly Hex[]) => boolean
}

/** The first words of each answer that a state implies. */
function expecting(asked: readonly (readonly [call: Call, words: readonly bigint[]])[]): Glance {
  return {
    calls: asked.map(([call]) => ({ ...call, mayFail: true })),
    agrees: (answers) =>
      asked.every(([, words], i) => {
        const answer = answers[i]!
        const isLong = answer.length >= 2 + 64 * words.length
        return isLong && words.every((word, k) => wordAt(answer, k) === word)
      }),
  }
}

const GET_RESERVES = toFunctionSelector('function getReserves()')
const LIQUIDITY = toFunctionSelector('function liquidity()')
const BALANCE_OF = toFunctionSelector('function balanceOf(address)')
const BALANCES = toFunctionSelector('function balances(uint256)')

/** The reserves of a pair, and that it still holds them. */
export function reservesGlance(pool: PaidPair): Glance {
  const { calls, agrees } = expecting([[{ to: pool.id, data: GET_RESERVES }, pool.reserves]])
  return {
    calls: [...calls, ...balanceCalls(pool)],
    agrees: ([state, ...balances]) => agrees([state!]) && lackOf(pool, balances) === undefined,
  }
}

/** A pair, which measures what it is paid by its balances less its reserves. */
export type PaidPair = {
  readonly id: Address
  readonly tokens: readonly Address[]
  readonly reserves: readonly bigint[]
}

/** The calls for a pair's balances of its tokens. */
export function balanceCalls({ id, tokens }: Pick<PaidPair, 'id' | 'tokens'>): readonly Call[] {
  const data = callData(BALANCE_OF, BigInt(id))
  return tokens.map((token) => ({ to: token, data, mayFail: true }))
}

/**
 * The token of which a pair holds less than its reserve, by the answers to {@link balanceCalls}: somebody burnt or
 * took it, and the pair refuses swaps until it is synchronised.
 */
export function lackOf(
  { tokens, reserves }: Pick<PaidPair, 'tokens' | 'reserves'>,
  balances: readonly Hex[],
): Address | undefined {
  const isShort = (answer: Hex, i: number) =>
    answer.length >= 66 && wordAt(answer, 0) < reserves[i]!
  return tokens.find((_, i) => isShort(balances[i]!, i))
}

/** Throws a LoadError 'POOL_UNBACKED' if a pair lacks a part of its reserves. */
export function requireBacked<P extends PaidPair>(pool: P, balances: readonly Hex[]): P {
  const token = lackOf(pool, balances)
  if (token === undefined) return pool
  const message = `pool ${pool.id} holds less of ${token} than its reserve`
  throw new LoadError('POOL_UNBACKED', message, { pool: pool.id, token })
}

/** The price and the liquidity of a pool with ticks; `state` is the getter that begins with the price. */
export function priceGlance(
  state: Hex,
  pool: { readonly id: Address; readonly sqrtPriceX96: bigint; readonly liquidity: bigint },
): Glance {
  const ask = (data: Hex): Call => ({ to: pool.id, data })
  return expecting([
    [ask(state), [pool.sqrtPriceX96]],
    [ask(LIQUIDITY), [pool.liquidity]],
  ])
}

/** The balances of a Curve pool. */
export function balancesGlance(pool: {
  readonly id: Address
  readonly balances: readonly bigint[]
}): Glance {
  return expecting(
    pool.balances.map((balance, k) => [{ to: pool.id, data: callData(BALANCES, k) }, [balance]]),
  )
}
