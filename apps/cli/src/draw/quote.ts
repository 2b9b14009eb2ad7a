import { percentWords } from '@braid-swap/core/advanced'
import type { DrawnQuote } from './plan.js'
import { exactAmountText, priceText, toSixDigits } from './text.js'
import { drawTree, plain, type TreeOptions } from './tree.js'

/** A quote as text: input and output to the wei, rate, gas, block, gap, and the route as a tree. */
export function drawQuote(quote: DrawnQuote, options: TreeOptions): string {
  const { labels, paint = plain } = options
  const lines: (readonly [string, string])[] = [
    ['pay', exactAmountText(quote.amountIn, quote.tokenIn, labels)],
    ['receive', paint.strong(exactAmountText(quote.amountOut, quote.tokenOut, labels))],
    ['rate', priceText(quote, labels)],
  ]
  if (quote.minAmountOut !== undefined) {
    lines.push(['floor', exactAmountText(quote.minAmountOut, quote.tokenOut, labels)])
  }
  if (quote.priceImpactBps !== undefined) {
    lines.push(['impact', percentWords(quote.priceImpactBps)])
  }
  if (quote.usdIn !== undefined && quote.usdOut !== undefined) {
    lines.push(['worth', `about ${toSixDigits(quote.usdIn)} → ${toSixDigits(quote.usdOut)} USD`])
  }
  if (quote.gas !== undefined) lines.push(['gas', `${quote.gas} (estimate)`])
  if (quote.block !== undefined) lines.push(['block', `${quote.block}`])
  if (quote.gapBps === null) lines.push(['gap', 'unknown: the route is above its own bound'])
  else if (quote.gapBps !== undefined) {
    lines.push(['gap', `at most ${roundUp(quote.gapBps)} bps below the best route`])
  }
  // Below the figures, and above the route, which may be long.
  const found = (quote.findings ?? []).map(({ level, reason }) => {
    return `${level === undefined || level === 'warn' ? 'note' : 'warning'}: ${reason}`
  })
  const width = Math.max(...lines.map(([name]) => name.length))
  const table = lines.map(([name, value]) => `${paint.faint(name.padEnd(width))}  ${value}`)
  return [...table, ...found, '', drawTree(quote, options)].join('\n')
}

// Rounded up, so that "at most" stays true.
function roundUp(bps: number): string {
  return (Math.ceil(bps * 100) / 100).toFixed(2)
}
