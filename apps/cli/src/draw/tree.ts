import { shortAddress } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import type { DrawnHop, DrawnQuote, TokenLabels } from './plan.js'
import { amountText, percentText, priceText } from './text.js'

/** Styles parts of the text, for example with terminal colours. */
export type Paint = {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
}

/** No colours. */
export const plain: Paint = { strong: (text) => text, faint: (text) => text }

/** The labels and the style of a drawn route. */
export type TreeOptions = {
  readonly labels: TokenLabels
  readonly paint?: Paint
  /** `'prices'` adds the price of each hop and shows the addresses of pools in full. */
  readonly details?: 'prices' | undefined
}

/**
 * A route as a tree with one line per hop, in columns: its share of the token in, amounts (`≥`
 * marks a lower bound), venue, fee and pool. If several hops output one token, the hops that spend
 * it are below the last of them.
 *
 * @example console.log(drawTree(toDrawnQuote(quote), { labels }))
 */
export function drawTree(quote: DrawnQuote, options: TreeOptions): string {
  const { labels, paint = plain } = options
  const rows: Row[] = []
  const hopsFrom = groupBy(quote.hops, (hop) => hop.tokenIn)
  const stillToCome = new Map(
    [...groupBy(quote.hops, (hop) => hop.tokenOut)].map(([token, hops]) => [token, hops.length]),
  )
  const visit = (token: Address, indent: string) => {
    const hops = hopsFrom.get(token) ?? []
    const total = hops.reduce((sum, hop) => sum + hop.amountIn, 0n)
    for (const [i, hop] of hops.entries()) {
      const isLast = i === hops.length - 1
      const left = (stillToCome.get(hop.tokenOut) ?? 1) - 1
      stillToCome.set(hop.tokenOut, left)
      rows.push({
        branch: `${indent}${isLast ? '└─' : '├─'}`,
        share: percentText(hop.amountIn, total),
        cells: cellsOf(hop, options),
        note: left > 0 && hopsFrom.has(hop.tokenOut) ? 'continues below' : '',
      })
      if (left === 0) visit(hop.tokenOut, `${indent}${isLast ? '   ' : '│  '}`)
    }
  }
  visit(quote.tokenIn, '')
  const head = paint.strong(amountText(quote.amountIn, quote.tokenIn, labels))
  return [head, ...layOut(rows, paint)].join('\n')
}

type Row = {
  readonly branch: string
  readonly share: string
  readonly cells: readonly string[]
  readonly note: string
}

function cellsOf(hop: DrawnHop, { labels, details }: TreeOptions): readonly string[] {
  const amounts = [
    amountText(hop.amountIn, hop.tokenIn, labels),
    `→ ${hop.sampled ? '≥ ' : ''}${amountText(hop.amountOut, hop.tokenOut, labels)}`,
  ]
  const fee = hop.feePpm === undefined ? '' : `${hop.feePpm / 10_000} %`
  const pool = [hop.venue, hop.family, fee]
  return details === 'prices'
    ? [...amounts, priceText(hop, labels), ...pool, hop.pool]
    : [...amounts, ...pool, shortAddress(hop.pool)]
}

function layOut(rows: readonly Row[], paint: Paint): readonly string[] {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(width))
  const branchWidth = widest(rows.map((row) => row.branch))
  const shareWidth = widest(rows.map((row) => row.share))
  const cellWidths = (rows[0]?.cells ?? []).map((_, i) => widest(rows.map((row) => row.cells[i]!)))
  return rows.map(({ branch, share, cells, note }) => {
    const [amountIn = '', amountOut = '', ...rest] = cells.map(
      (cell, i) => cell + spaces(cellWidths[i]! - width(cell)),
    )
    const head = `${branch}${spaces(branchWidth - width(branch) + shareWidth - width(share))} ${share}`
    const tail = paint.faint([...rest, note].join('  ').trimEnd())
    return `${head}  ${amountIn}  ${paint.strong(amountOut)}  ${tail}`
  })
}

function spaces(count: number): string {
  return ' '.repeat(Math.max(0, count))
}

function width(text: string): number {
  return [...text].length
}

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return groups
}
