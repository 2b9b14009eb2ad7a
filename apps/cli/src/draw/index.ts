// Quotes and routes as text, for the command and for the demo.

export {
  type DrawnHop,
  type DrawnQuote,
  type GraphEntry,
  type QuoteFigures,
  type TokenLabel,
  type TokenLabels,
  toDrawnFindings,
  toDrawnHops,
  toDrawnQuote,
} from './plan.js'
export { drawQuote } from './quote.js'
export {
  amountText,
  exactAmountText,
  nameOf,
  percentText,
  priceText,
  toSixDigits,
} from './text.js'
export { drawTree, type Paint, plain, type TreeOptions } from './tree.js'
