export { performSwap, type SwapOrder, type SwapStep, type Wallet } from './performSwap.js'
export { useQuote } from './useQuote.js'
export { type SwapState, useSwap } from './useSwap.js'
export type { QuoteState, WatchOptions } from './watchQuote.js'
