// The order books of HyperCore with which sampled pools on HyperEVM are compared.

import type { PriceGuard } from '../trust/priceGuard.js'
import { USDC, USDT0, WHYPE } from './hyperevm.js'

/** The spot books HYPE/USDC (107) and USDT0/USDC (166), and the default distance: one percent. */
export const hyperEvmGuard: PriceGuard = {
  books: [
    { token: WHYPE, asset: 10_107 },
    { token: USDT0, asset: 10_166 },
  ],
  units: [USDC],
  maxOffBps: 100,
}
