import type { GraphEntry } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { type SankeyLink, type SankeyNode, sankey } from 'd3-sankey'
import { isWrap } from './wrap.js'

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
  readonly middle: Point
  /** Points along its middle line, close enough to tell what it covers. */
  readonly points: readonly Point[]
}

/** A place in the picture. */
export type Point = { readonly x: number; readonly y: number }

/** A route as a picture. */
export type DrawnRoute = {
  readonly tokens: readonly DrawnToken[]
  readonly ribbons: readonly DrawnRibbon[]
}

/** The room there is; upright, the route runs from top to bottom. */
export type Room = { readonly width: number; readonly height: number; readonly isUpright: boolean }

/** What a ribbon passes: a token, or the middle of a hop, which keeps the strands apart. */
type Stop = { readonly token: Address } | { readonly hop: number }
type Half = { readonly part: number }
type PlacedStop = SankeyNode<Stop, Half> & { readonly layer?: number }

const THICKNESS = 12
const GAP = { upright: 9, lying: 15 }
/** Hops that carry next to nothing are still hops: the least share of the value that is drawn. */
const LEAST_PART = 0.004
const LEAST_WIDTH = 1.5
/** Wrapping is no swap, so its ribbon is short. */
const WRAP_LENGTH = 0.4

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
  const across = room.isUpright ? room.width : room.height
  const { nodes } = sankey<Stop, Half>()
    .nodeAlign(alignStop)
    .nodeWidth(THICKNESS)
    .nodePadding(room.isUpright ? GAP.upright : GAP.lying)
    .extent([
      [0, 0],
      [1, across],
    ])
    .iterations(24)({
    nodes: [...names.map((token) => ({ token })), ...graph.map((_, hop) => ({ hop }))],
    links: graph.flatMap(({ from, to }, index) => {
      const part = parts[index] ?? 0
      const half = { part, value: Math.max(part, LEAST_PART) }
      const middle = names.length + index
      return [
        { ...half, source: names.indexOf(from), target: middle },
        { ...half, source: middle, target: names.indexOf(to) },
      ]
    }),
  })
  const along = placesAlong(nodes, graph, room)
  return {
    tokens: nodes.flatMap((stop) => ('token' in stop ? [drawToken(stop, along, room)] : [])),
    ribbons: nodes.flatMap((stop) =>
      'hop' in stop ? [drawRibbon(stop, along, { graph, room })] : [],
    ),
  }
}

/** The last token stands last, the middle of a hop half way between its tokens. */
function alignStop(stop: PlacedStop, layers: number): number {
  if ('token' in stop) return stop.sourceLinks?.length ? (stop.depth ?? 0) : layers - 1
  const { source, target } = endsOf(stop)
  return Math.floor((alignStop(source, layers) + alignStop(target, layers)) / 2)
}

/** Where each layer begins, from 0 on; where there is nothing but wrapping, layers are close. */
function placesAlong(stops: readonly PlacedStop[], graph: readonly GraphEntry[], room: Room) {
  const last = Math.max(...stops.map(({ layer = 0 }) => layer))
  const hops = stops.flatMap((stop) => {
    if ('token' in stop) return []
    const { source, target } = endsOf(stop)
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
  const { source, target, into, outOf } = endsOf(stop)
  const { y0 = 0, y1 = 0 } = stop
  const knots = [
    [along(source) + THICKNESS, into.y0 ?? 0],
    [along(stop) + THICKNESS / 2, (y0 + y1) / 2],
    [along(target), outOf.y1 ?? 0],
  ] as const
  const write = (a: number, b: number) =>
    (room.isUpright ? [b, a] : [a, b]).map((n) => n.toFixed(2)).join(',')
  const bend = ([a, b]: readonly [number, number], [c, d]: readonly [number, number]) =>
    `C${write((a + c) / 2, b)} ${write((a + c) / 2, d)} ${write(c, d)}`
  const at = ([a, b]: readonly [number, number]) =>
    room.isUpright ? { x: b, y: a } : { x: a, y: b }
  return {
    ...{ hop: graph[stop.hop]!, index: stop.hop, part: into.part, middle: at(knots[1]) },
    path: `M${write(...knots[0])}${bend(knots[0], knots[1])}${bend(knots[1], knots[2])}`,
    points: [...sampleBend(knots[0], knots[1]), ...sampleBend(knots[1], knots[2])].map(at),
    width: Math.max(y1 - y0, LEAST_WIDTH),
  }
}

const SAMPLES = 24

/** Points of the cubic that `bend` writes: its control points lie half way along. */
function sampleBend([a, b]: readonly [number, number], [c, d]: readonly [number, number]) {
  return Array.from({ length: SAMPLES + 1 }, (_, i) => {
    const t = i / SAMPLES
    const [start, ends] = [(1 - t) ** 2, t ** 2]
    const near = start * (1 + 2 * t)
    const along = start * (1 - t) * a + 3 * t * (1 - t) * ((a + c) / 2) + ends * t * c
    return [along, near * b + (1 - near) * d] as const
  })
}

/** The tokens that the middle of a hop is between; d3 has put them there. */
function endsOf(stop: PlacedStop) {
  const [into] = stop.targetLinks as [SankeyLink<Stop, Half>]
  const [outOf] = stop.sourceLinks as [SankeyLink<Stop, Half>]
  return { into, outOf, source: into.source as PlacedStop, target: outOf.target as PlacedStop }
}
