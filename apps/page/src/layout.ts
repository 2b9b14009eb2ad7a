import type { GraphEntry } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import {
  type SankeyGraph,
  type SankeyLink,
  type SankeyNode,
  sankey,
  sankeyJustify,
} from 'd3-sankey'

/** A token of the route, where it stands. */
export type DrawnToken = {
  readonly token: Address
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** How much of the order's value passes it, of one. */
  readonly part: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** A hop of the route, as a ribbon. */
export type DrawnRibbon = {
  readonly hop: GraphEntry
  readonly index: number
  /** An SVG path along its middle. */
  readonly path: string
  readonly width: number
  /** How much of the order's value goes this way, of one. */
  readonly part: number
  readonly middle: { readonly x: number; readonly y: number }
}

/** A route as a picture. */
export type DrawnRoute = {
  readonly tokens: readonly DrawnToken[]
  readonly ribbons: readonly DrawnRibbon[]
}

/** The room there is; upright, the route runs from top to bottom. */
export type Room = { readonly width: number; readonly height: number; readonly isUpright: boolean }

type Node = { readonly token: Address }
type Link = { readonly index: number; readonly part: number }

const TOKEN_THICKNESS = 12
const GAP = 26
/** Hops that carry next to nothing are still hops: the least share of the value that is drawn. */
const LEAST_PART = 0.004
const LEAST_WIDTH = 1.5

/**
 * How much of the order's value takes each hop: what leaves a token is its part of all that leaves
 * it, and a token passes on what it got. Entries stand in execution order, so one walk tells.
 */
export function partsOf(graph: readonly GraphEntry[]): readonly number[] {
  const first = graph[0]
  if (!first) return []
  const leaving = new Map<Address, bigint>()
  for (const { from, amountIn } of graph) leaving.set(from, (leaving.get(from) ?? 0n) + amountIn)
  const held = new Map<Address, number>([[first.from, 1]])
  return graph.map(({ from, to, amountIn }) => {
    const part = (held.get(from) ?? 0) * (Number(amountIn) / Number(leaving.get(from)))
    held.set(to, (held.get(to) ?? 0) + part)
    return part
  })
}

/** Where tokens and hops of a route are drawn in a room. */
export function layOut(graph: readonly GraphEntry[], room: Room): DrawnRoute {
  if (graph.length === 0) return { tokens: [], ribbons: [] }
  const parts = partsOf(graph)
  const names = [...new Set(graph.flatMap(({ from, to }) => [from, to]))]
  const [along, across] = room.isUpright ? [room.height, room.width] : [room.width, room.height]
  const { nodes, links } = sankey<Node, Link>()
    .nodeAlign(sankeyJustify)
    .nodeWidth(TOKEN_THICKNESS)
    .nodePadding(Math.min(GAP, across / (2 * names.length)))
    .extent([
      [0, 0],
      [along, across],
    ])
    .iterations(32)(toSankey(graph, parts, names))
  return {
    tokens: nodes.map((node) => drawToken(node, room)),
    ribbons: links.map((link) => drawRibbon(link, graph, room)).sort((a, b) => a.index - b.index),
  }
}

function toSankey(
  graph: readonly GraphEntry[],
  parts: readonly number[],
  names: readonly Address[],
): SankeyGraph<Node, Link> {
  return {
    nodes: names.map((token) => ({ token })),
    links: graph.map(({ from, to }, index) => {
      const part = parts[index] ?? 0
      return {
        ...{ source: names.indexOf(from), target: names.indexOf(to), index, part },
        value: Math.max(part, LEAST_PART),
      }
    }),
  }
}

function drawToken(node: SankeyNode<Node, Link>, { isUpright }: Room): DrawnToken {
  const { x0 = 0, x1 = 0, y0 = 0, y1 = 0, sourceLinks = [], targetLinks = [] } = node
  const sum = (links: readonly Link[]) => links.reduce((total, { part }) => total + part, 0)
  const ends = { isFirst: targetLinks.length === 0, isLast: sourceLinks.length === 0 }
  const part = Math.max(sum(sourceLinks), sum(targetLinks))
  const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
  const turned = { x: y0, y: x0, width: y1 - y0, height: x1 - x0 }
  return { token: node.token, part, ...ends, ...(isUpright ? turned : box) }
}

function drawRibbon(
  link: SankeyLink<Node, Link>,
  graph: readonly GraphEntry[],
  { isUpright }: Room,
): DrawnRibbon {
  const source = link.source as SankeyNode<Node, Link>
  const target = link.target as SankeyNode<Node, Link>
  const [from, to] = [source.x1 ?? 0, target.x0 ?? 0]
  const [start, end] = [link.y0 ?? 0, link.y1 ?? 0]
  const half = (from + to) / 2
  const point = (along: number, across: number) =>
    (isUpright ? [across, along] : [along, across]).map((n) => n.toFixed(2)).join(',')
  const path = `M${point(from, start)}C${point(half, start)} ${point(half, end)} ${point(to, end)}`
  const [x, y] = isUpright ? [(start + end) / 2, half] : [half, (start + end) / 2]
  return {
    ...{ hop: graph[link.index]!, index: link.index, path, part: link.part },
    width: Math.max(link.width ?? 0, LEAST_WIDTH),
    middle: { x, y },
  }
}
