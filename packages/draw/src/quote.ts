import type { DrawnQuote } from './plan.js'
import { exactAmountText, priceText } from './text.js'
import { drawTree, plain, type TreeOptions } from './tree.js'

/**
 * A quote for reading: what goes in and what comes out to the wei, the rate, the route as a tree,
 * gas and block.
 */
export function drawQuote(quote: DrawnQuote, options: TreeOptions): string {
  const { labels, paint = plain } = options
  const lines: (readonly [string, string])[] = [
    ['pay', exactAmountText(quote.amountIn, quote.tokenIn, labels)],
    ['receive', paint.strong(exactAmountText(quote.amountOut, quote.tokenOut, labels))],
    ['rate', priceText(quote, labels)],
  ]
  if (quote.gas !== undefined) lines.push(['gas', `${quote.gas} (estimate)`])
  if (quote.block !== undefined) lines.push(['block', `${quote.block}`])
  if (quote.gapBps !== undefined) {
    lines.push(['gap', `at most ${roundUp(quote.gapBps)} bps to the best route`])
  }
  const width = Math.max(...lines.map(([name]) => name.length))
  const table = lines.map(([name, value]) => `${paint.faint(name.padEnd(width))}  ${value}`)
  return [...table, '', drawTree(quote, options)].join('\n')
}

// Rounded up, so that the sentence stays true.
function roundUp(bps: number): string {
  return (Math.ceil(bps * 100) / 100).toFixed(2)
}
