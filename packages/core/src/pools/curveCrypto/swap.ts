import type { SwapLayout } from '../family.js'
import type { CurveCryptoPool } from './pool.js'

/** `0b pool coins`, where `coins` is the index of the coin in, then that of the coin out, 4 bits each. */
export const swapLayout: SwapLayout = {
  ...{ opcode: 0x0b, bytes: 22, flag: 'coins', paysItsCaller: true },
}

const GAS = { 2: 250_000, 3: 280_000 } as const

/**
 * Gas limit of one hop, with the approval and its revocation. Our double of two coins needs 188,000, and of
 * three 234,000, in the run of orders (packages/e2e). A pool of Curve also keeps averages of prices, with which
 * a swap uses 240,000, and 100,000 more if it moves the price scales.
 */
export function estimateGas({ tokens }: CurveCryptoPool): number {
  return tokens.length === 2 ? GAS[2] : GAS[3]
}
