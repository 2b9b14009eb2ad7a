// Cheap reads that tell whether a pool's state is still the chain's: one or two calls where a load
// needs hundreds. They find a price, reserves or a liquidity that no log told.

import type { Address, Hex } from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import { callData, wordAt } from '../reads/abiWords.js'
import type { Call } from '../reads/call.js'

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
const BALANCES = toFunctionSelector('function balances(uint256)')

/** The reserves of a pair. */
export function reservesGlance(pool: {
  readonly id: Address
  readonly reserves: readonly bigint[]
}): Glance {
  return expecting([[{ to: pool.id, data: GET_RESERVES }, pool.reserves]])
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
