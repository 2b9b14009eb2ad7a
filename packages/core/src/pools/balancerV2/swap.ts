import type { SwapLayout } from '../family.js'
import type { BalancerV2Pool } from './pool.js'

/** `0c pool 00`; the executor asks the pool for its vault and its id there, and approves the vault. */
export const swapLayout: SwapLayout = { opcode: 0x0c, bytes: 22, fixedFlag: 0 }

const WEIGHTED_GAS = 122_000
const STABLE_GAS = 150_000
const WEIGHTED_TOKEN_GAS = 1_000
const STABLE_TOKEN_GAS = 13_000
const RATE_GAS = 14_000

/**
 * Gas limit of one hop. Measured on the devnet with Balancer's own bytecode: a swap of two tokens in
 * the vault uses 75,000 with weights and 114,000 with the stable formula; each further token 500 and
 * 11,000, and each rate that is renewed 12,000. The executor's own calls and approvals use 47,000 more.
 */
export function estimateGas({ tokens, form, sampledAt }: BalancerV2Pool): number {
  const more = tokens.length - 2
  if (form.kind === 'weighted') return WEIGHTED_GAS + WEIGHTED_TOKEN_GAS * more
  const ofRates = sampledAt === undefined ? 0 : RATE_GAS * tokens.length
  return STABLE_GAS + STABLE_TOKEN_GAS * more + ofRates
}
