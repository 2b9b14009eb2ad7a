import type { SwapLayout } from '../family.js'
import type { CurveStableSwapPool } from './pool.js'

/** `07 pool coins`, where `coins` is the index of the coin in, then that of the coin out, 4 bits each. */
export const swapLayout: SwapLayout = {
  ...{ opcode: 0x07, bytes: 22, flag: 'coins', paysItsCaller: true },
}

const NG_GAS = 190_000
const PLAIN_GAS = 150_000
const COIN_GAS = 12_000
const RATE_GAS = 30_000

/**
 * Gas limit of one hop, with the approval and its revocation. Our double needs 184,000 as NG and
 * 156,000 before it in the run of orders (packages/e2e), and 15,000 for a further coin (packages/contracts/snapshots). A pool of
 * Curve also stores averages of prices and of D. A coin with a rate of its own costs a call to the
 * contract that reports the rate.
 */
export function estimateGas({ tokens, isNg, sampledAt }: CurveStableSwapPool): number {
  const ofRates = sampledAt === undefined ? 0 : RATE_GAS * tokens.length
  return (isNg ? NG_GAS : PLAIN_GAS) + COIN_GAS * (tokens.length - 2) + ofRates
}
