import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { BalancerV3Pool } from './pool.js'

/** `09 pool 00`; the executor asks the pool for its vault, and pays it inside the vault's `unlock`. */
export const swapLayout: SwapLayout = { opcode: 0x09, bytes: 22, paysItsCaller: true }

/** The bytes of the swap, in the format of `swapLayout`. */
export function encodeSwap(pool: BalancerV3Pool, _direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(0, 1))
}

const BASE_GAS = { weighted: 165_000, stable: 185_000, eclp: 275_000 }
const TOKEN_GAS = 17_000
const RATE_GAS = 15_000

/**
 * Gas limit of one hop. Measured on the devnet: a swap of two tokens in the vault uses 142,000 with
 * weights and 157,000 with the stable formula, compiled with optimisation, and 177,000 and 206,000
 * without; each further token 12,000 to 19,000. An E-CLP uses
 * 25,000 more than the stable formula, as others measured; it keeps some more, because our double of it
 * needs that. The executor's own calls are added.
 */
export function estimateGas(
  { tokens, form, sampledAt }: BalancerV3Pool,
  _direction: Direction,
  _amountIn: bigint,
): number {
  const ofRates = sampledAt === undefined ? 0 : RATE_GAS * tokens.length
  return BASE_GAS[form.kind] + TOKEN_GAS * (tokens.length - 2) + ofRates
}
