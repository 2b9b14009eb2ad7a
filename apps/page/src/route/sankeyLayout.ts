import type { GraphEntry } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { type SankeyLink, type SankeyNode, sankey } from 'd3-sankey'
import { isWrap } from './wrap.js'

/** A token of the route and its position. */
export type DrawnToken = {
  readonly token: Address
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The share of the order's value that passes through it, as a fraction of 1. */
  readonly part: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** A hop of the route, drawn as a ribbon. */
export type DrawnRibbon = {
  readonly hop: GraphEntry
  readonly index: number
  /** The SVG path of its centre line. */
  readonly path: string
  readonly width: number
  /** The share of the order's value that takes this hop, as a fraction of 1. */
  readonly part: number
  readonly middle: Point
  /** Samples of its centre line, dense enough to find what it covers. */
  readonly points: readonly Point[]
}

/** A point of the picture, in pixels. */
export type Point = { readonly x: number; readonly y: number }

/** A route as a picture. */
export type DrawnRoute = {
  readonly tokens: readonly DrawnToken[]
  readonly ribbons: readonly DrawnRibbon[]
}

/** The available size in pixels; an upright route runs from top to bottom. */
export type Room = { readonly width: number; readonly height: number; readonly isUpright: boolean }

/**
 * A node of the diagram: a token, or a hop in a layer between its tokens, which keeps its ribbon apart from parallel
 * ones and from the tokens that it passes.
 */
type Stop = { readonly token: Address } | { readonly hop: number; readonly isLast: boolean }
type Half = { readonly part: number }
type PlacedStop = SankeyNode<Stop, Half> & { readonly layer?: number }

const THICKNESS = 12
const GAP = { upright: 9, lying: 15 }
/** The smallest drawn share of the value, so that tiny hops stay visible. */
const MIN_PART = 0.004
const MIN_WIDTH = 1.5
/** The relative length of a wrap's ribbon: short, because a wrap is not a swap. */
const WRAP_LENGTH = 0.4

/**
 * The share of the order's value that takes each hop. A token's share is divided among the hops out
 * of it in proportion to their inputs. One pass is enough because entries are in execution order.
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

/** Computes the positions of a route's tokens and hops as a Sankey diagram (d3-sankey). */
export function layOut(graph: readonly GraphEntry[], room: Room): DrawnRoute {
  if (graph.length === 0) return { tokens: [], ribbons: [] }
  const parts = partsOf(graph)
  const names = [...new Set(graph.flatMap(({ from, to }) => [from, to]))]
  const across = room.isUpright ? room.width : room.height
  const layers = layersOf(graph)
  const stops: Stop[] = names.map((token) => ({ token }))
  const links = graph.flatMap(({ from, to }, hop) => {
    const part = parts[hop] ?? 0
    const half = { part, value: Math.max(part, MIN_PART) }
    const way = [names.indexOf(from)]
    const left = layers.get(to)! - layers.get(from)! - 1
    for (let i = 1; i <= left; i++) way.push(stops.push({ hop, isLast: i === left }) - 1)
    way.push(names.indexOf(to))
    return way.slice(1).map((target, i) => ({ ...half, source: way[i]!, target }))
  })
  const { nodes } = sankey<Stop, Half>()
    .nodeWidth(THICKNESS)
    .nodePadding(room.isUpright ? GAP.upright : GAP.lying)
    .extent([
      [0, 0],
      [1, across],
    ])
    .iterations(24)({
    nodes: stops,
    links,
  })
  const along = placesAlong(nodes, graph, room)
  return {
    tokens: nodes.flatMap((stop) => ('token' in stop ? [drawToken(stop, along, room)] : [])),
    ribbons: nodes.flatMap((stop) =>
      'hop' in stop && stop.isLast ? [drawRibbon(stop, along, { graph, room })] : [],
    ),
  }
}

/** The layer of each token: two behind the last token that flows into it, and the last token behind all others. */
function layersOf(graph: readonly GraphEntry[]): ReadonlyMap<Address, number> {
  const layers = new Map<Address, number>()
  for (const { from, to } of graph) {
    layers.set(to, Math.max(layers.get(to) ?? 0, (layers.get(from) ?? 0) + 2))
    if (!layers.has(from)) layers.set(from, 0)
  }
  return layers
}

/** The start of each layer, from 0 on. Layers with only wraps between them are close together. */
function placesAlong(stops: readonly PlacedStop[], graph: readonly GraphEntry[], room: Room) {
  const last = Math.max(...stops.map(({ layer = 0 }) => layer))
  const hops = stops.flatMap((stop) => {
    if (!('hop' in stop) || !stop.isLast) return []
    const { source, target } = wayOf(stop)
    const isShort = isWrap(graph[stop.hop]?.poolType ?? '')
    return [{ from: source.layer ?? 0, to: target.layer ?? 0, isShort }]
  })
  const lengths = Array.from({ length: last }, (_, layer) => {
    const crossing = hops.filter(({ from, to }) => from <= layer && layer < to)
    return graph.length > 1 && crossing.every(({ isShort }) => isShort) ? WRAP_LENGTH : 1
  })
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const scale = ((room.isUpright ? room.height : room.width) - THICKNESS) / total
  const places = [0]
  for (const length of lengths) places.push(places.at(-1)! + length * scale)
  return (stop: PlacedStop) => places[stop.layer ?? 0] ?? 0
}

function drawToken(
  stop: PlacedStop & { readonly token: Address },
  along: (stop: PlacedStop) => number,
  { isUpright }: Room,
): DrawnToken {
  const { token, y0 = 0, y1 = 0, sourceLinks = [], targetLinks = [] } = stop
  const sum = (halves: readonly Half[]) => halves.reduce((total, { part }) => total + part, 0)
  const ends = { isFirst: targetLinks.length === 0, isLast: sourceLinks.length === 0 }
  const part = Math.max(sum(sourceLinks), sum(targetLinks))
  const place = along(stop)
  return {
    ...{ token, part, ...ends },
    ...(isUpright
      ? { x: y0, y: place, width: y1 - y0, height: THICKNESS }
      : { x: place, y: y0, width: THICKNESS, height: y1 - y0 }),
  }
}

function drawRibbon(
  stop: PlacedStop & { readonly hop: number },
  along: (stop: PlacedStop) => number,
  { graph, room }: { readonly graph: readonly GraphEntry[]; readonly room: Room },
): DrawnRibbon {
  const { source, target, passed, into, outOf } = wayOf(stop)
  const { y0 = 0, y1 = 0 } = stop
  const knots: readonly Knot[] = [
    [along(source) + THICKNESS, into.y0 ?? 0],
    ...passed.map((at): Knot => [along(at) + THICKNESS / 2, ((at.y0 ?? 0) + (at.y1 ?? 0)) / 2]),
    [along(target), outOf.y1 ?? 0],
  ]
  const bends = knots.slice(1).map((knot, i) => [knots[i]!, knot] as const)
  const write = (a: number, b: number) =>
    (room.isUpright ? [b, a] : [a, b]).map((n) => n.toFixed(2)).join(',')
  const bend = ([[a, b], [c, d]]: readonly [Knot, Knot]) =>
    `C${write((a + c) / 2, b)} ${write((a + c) / 2, d)} ${write(c, d)}`
  const at = ([a, b]: Knot) => (room.isUpright ? { x: b, y: a } : { x: a, y: b })
  return {
    ...{
      hop: graph[stop.hop]!,
      index: stop.hop,
      part: into.part,
      middle: at(knots[knots.length >> 1]!),
    },
    path: `M${write(...knots[0]!)}${bends.map(bend).join('')}`,
    points: bends.flatMap(sampleBend).map(at),
    width: Math.max(y1 - y0, MIN_WIDTH),
  }
}

/** A point of a ribbon's centre line: its place along the picture, and across it. */
type Knot = readonly [along: number, across: number]

const SAMPLES = 24

/** Samples the cubic Bézier curve that `bend` writes; its control points are half way along. */
function sampleBend([[a, b], [c, d]]: readonly [Knot, Knot]) {
  return Array.from({ length: SAMPLES + 1 }, (_, i) => {
    const t = i / SAMPLES
    const [start, ends] = [(1 - t) ** 2, t ** 2]
    const near = start * (1 + 2 * t)
    const along = start * (1 - t) * a + 3 * t * (1 - t) * ((a + c) / 2) + ends * t * c
    return [along, near * b + (1 - near) * d] as const
  })
}

/** The two tokens of a hop, and its stops between them, from the last stop and the links that d3 has set. */
function wayOf(last: PlacedStop) {
  const [outOf] = last.sourceLinks as [SankeyLink<Stop, Half>]
  const passed: PlacedStop[] = []
  let into = outOf
  let source = last
  while ('hop' in source) {
    passed.unshift(source)
    ;[into] = source.targetLinks as [SankeyLink<Stop, Half>]
    source = into.source as PlacedStop
  }
  return { into, outOf, source, target: outOf.target as PlacedStop, passed }
}
