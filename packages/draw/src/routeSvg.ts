/**
 * A route as a picture. Input: a quote. Output: a Sankey diagram as an SVG document, laid out by d3-sankey:
 * tokens are bars, and each hop is a ribbon as wide as the share of the order that takes it.
 */
import type { Address } from '@braid-swap/core'
import { type SankeyNode, sankey } from 'd3-sankey'
import type { DrawnHop, DrawnQuote, TokenLabels } from './plan.js'
import { svgDocument, svgText } from './svg.js'
import { amountText, nameOf, percentText } from './text.js'

/** A token, or the middle of a hop, which keeps hops between the same tokens apart. */
type Stop = { readonly token: Address } | { readonly hop: number }
type Placed = SankeyNode<Stop, object>

const WIDTH = 1_000
const ROW = 46
const EDGE = 30
const BAR = 12
const COLOURS = [
  '#1f6feb',
  '#1a9e77',
  '#c2571a',
  '#7b5bd6',
  '#c0397b',
  '#5e7f1f',
  '#a67b00',
] as const
/** The smallest drawn share, so that small hops stay visible. */
const MIN_DRAWN_PART = 0.004

/** Draws the route of a quote as an SVG document. */
export function routeSvg(quote: DrawnQuote, labels: TokenLabels): string {
  const { hops } = quote
  const pay = amountText(quote.amountIn, quote.tokenIn, labels)
  const title = `${pay} → ${amountText(quote.amountOut, quote.tokenOut, labels)}`
  const height = 2 * EDGE + ROW * (hops.length + 1)
  const frame = { width: WIDTH, height, title }
  if (hops.length === 0) return svgDocument(frame, [svgText(title, { x: EDGE, y: 20 })])
  const parts = partsOf(hops)
  const nodes = place(hops, parts, height)
  const venues = [...new Set(hops.map(({ venue }) => venue))]
  const ribbons = nodes.flatMap((node) => {
    if (!('hop' in node)) return []
    const colour = COLOURS[venues.indexOf(hops[node.hop]!.venue) % COLOURS.length]!
    return [ribbon(node, colour, Math.max(1.5, (parts[node.hop] ?? 0) * ROW * 2))]
  })
  return svgDocument(frame, [
    svgText(title, { x: EDGE, y: 20, isStrong: true }),
    ...ribbons,
    ...nodes.flatMap((node) =>
      'hop' in node ? hopText(node, hops, labels) : tokenBar(node, nameOf(node.token, labels)),
    ),
  ])
}

/** The share of the order that takes each hop; hops are in execution order, so one pass is enough. */
function partsOf(hops: readonly DrawnHop[]): readonly number[] {
  const totals = totalsOf(hops)
  const held = new Map<Address, number>([[hops[0]!.tokenIn, 1]])
  return hops.map(({ tokenIn, tokenOut, amountIn }) => {
    const part = (held.get(tokenIn) ?? 0) * (Number(amountIn) / Number(totals.get(tokenIn)))
    held.set(tokenOut, (held.get(tokenOut) ?? 0) + part)
    return part
  })
}

function totalsOf(hops: readonly DrawnHop[]): ReadonlyMap<Address, bigint> {
  const totals = new Map<Address, bigint>()
  for (const { tokenIn, amountIn } of hops) {
    totals.set(tokenIn, (totals.get(tokenIn) ?? 0n) + amountIn)
  }
  return totals
}

function place(
  hops: readonly DrawnHop[],
  parts: readonly number[],
  height: number,
): readonly Placed[] {
  const tokens = [...new Set(hops.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]))]
  const links = hops.flatMap(({ tokenIn, tokenOut }, i) => {
    const value = Math.max(parts[i] ?? 0, MIN_DRAWN_PART)
    const middle = tokens.length + i
    return [
      { source: tokens.indexOf(tokenIn), target: middle, value },
      { source: middle, target: tokens.indexOf(tokenOut), value },
    ]
  })
  const layOut = sankey<Stop, object>()
    .nodeWidth(BAR)
    .nodePadding(ROW / 2)
    .extent([
      [EDGE + 60, EDGE + 10],
      [WIDTH - EDGE - 60, height - EDGE],
    ])
  const stops: Stop[] = [...tokens.map((token) => ({ token })), ...hops.map((_, hop) => ({ hop }))]
  return layOut({ nodes: stops, links }).nodes
}

function ribbon(node: Placed, colour: string, width: number): string {
  const { source } = node.targetLinks![0]! as { source: Placed }
  const { target } = node.sourceLinks![0]! as { target: Placed }
  const middle = `${round((node.x0! + node.x1!) / 2)},${round(middleOf(node))}`
  const curve = (x0: number, y0: number, x1: number, y1: number) => {
    const half = round((x0 + x1) / 2)
    return `C${half},${round(y0)} ${half},${round(y1)} ${round(x1)},${round(y1)}`
  }
  const x = (node.x0! + node.x1!) / 2
  const first = curve(source.x1!, middleOf(source), x, middleOf(node))
  const second = curve(x, middleOf(node), target.x0!, middleOf(target))
  const path = `M${round(source.x1!)},${round(middleOf(source))}${first}`
  return `<path d="${path}M${middle}${second}" fill="none" stroke="${colour}" stroke-opacity="0.45" stroke-width="${round(width)}"/>`
}

function hopText(
  node: Placed & { readonly hop: number },
  hops: readonly DrawnHop[],
  labels: TokenLabels,
): readonly string[] {
  const hop = hops[node.hop]!
  const at = { x: round((node.x0! + node.x1!) / 2), anchor: 'middle' as const }
  const fee = hop.feePpm === undefined ? '' : ` ${hop.feePpm / 10_000} %`
  const share = percentText(hop.amountIn, totalsOf(hops).get(hop.tokenIn)!)
  const paid = `${hop.sampled ? '≥ ' : ''}${amountText(hop.amountOut, hop.tokenOut, labels)}`
  const y = middleOf(node)
  return [
    svgText(`${share} ${hop.venue}${fee}`, { ...at, y: round(y - 3) }),
    svgText(paid, { ...at, y: round(y + 11) }),
  ]
}

function tokenBar(node: Placed, name: string): readonly string[] {
  const [x, y] = [round(node.x0!), round(node.y0!)]
  const height = round(Math.max(4, node.y1! - node.y0!))
  return [
    `<rect x="${x}" y="${y}" width="${BAR}" height="${height}" rx="2" fill="#1c2330"/>`,
    svgText(name, { x: round(x + BAR / 2), y: round(y - 6), anchor: 'middle', isStrong: true }),
  ]
}

function middleOf({ y0 = 0, y1 = 0 }: Placed): number {
  return (y0 + y1) / 2
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
