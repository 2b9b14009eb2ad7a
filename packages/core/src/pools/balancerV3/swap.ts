import type { SwapLayout } from '../family.js'
import type { BalancerV3Pool } from './pool.js'

/** `09 pool 00`; the executor asks the pool for its vault, and pays it inside the vault's `unlock`. */
export const swapLayout: SwapLayout = {
  ...{ opcode: 0x09, bytes: 22, fixedFlag: 0, paysItsCaller: true },
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
export function estimateGas({ tokens, form, sampledAt }: BalancerV3Pool): number {
  const ofRates = sampledAt === undefined ? 0 : RATE_GAS * tokens.length
  return BASE_GAS[form.kind] + TOKEN_GAS * (tokens.length - 2) + ofRates
}
