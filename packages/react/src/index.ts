export { performSwap, type SwapOrder, type SwapStep, type Wallet } from './performSwap.js'
export { type QuoteOptions, useQuote } from './useQuote.js'
export { type SwapState, useSwap } from './useSwap.js'
export { type QuoteState, type WatchOptions, watchQuote } from './watchQuote.js'
