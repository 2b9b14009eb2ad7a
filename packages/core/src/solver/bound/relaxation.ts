/**
 * The Lagrangian relaxation over everything that an order's routes can pass. Input: graph, order and
 * terms. Output: a {@link Relaxation}, whose {@link relaxedBound} at any prices is a bound on every
 * route. It knows more than the bound of the dual: the gas of crossed ticks, the gas that a block
 * leaves for the hops, and the most that a token can receive.
 */
import { type Graph, piecesOf } from '../../graph.js'
import type { Hex } from '../../hex.js'
import { outOf, pieceAt } from '../../math/pieces.js'
import type { Order } from '../../order.js'
import { ROUTER_GAS } from '../../replay.js'
import { type Network, selectNetwork } from '../network/subgraph.js'
import type { Reference } from '../reference/referencePrices.js'
import type { Terms } from '../terms.js'
import {
  bestColumn,
  type ColumnEdge,
  type Columns,
  fillColumns,
  gasOfPiece,
  makeColumns,
} from './columns.js'
import { boundLegs } from './legs.js'
import { type Direct, PRICE_DIGITS, type Sum, severalOrDirect } from './upperBound.js'

/** What routes can pass, in local numbers. */
export type Relaxation = Network & {
  readonly amount: number
  readonly terms: Terms
  /** Most hops of a route, and most gas for all of its hops. */
  readonly legs: number
  readonly room: number
  readonly logSpot: Float64Array
  readonly spot: Float64Array
  readonly gas: Float64Array
  readonly stepGas: Float64Array
  readonly extraIn: Float64Array
  /** The most that a route can bring of each token, in wei. */
  readonly mostIn: Float64Array
  /** Scratch for one edge at a time. */
  readonly columns: Columns
}

/** Prices and the multiplier of the block's gas. */
export type Point = {
  /** ln ν by local token. */
  readonly u: Float64Array
  /** Units of the token out per gas, at least the price of gas. */
  readonly gasMultiplier: number
}

// Margin of the inputs' caps, above the rounding of their products and larger than the checker's.
const CAP_MARGIN = 1 + 2e-9
// A price that is closer to the spot price than this may trade: rounding can reverse their order.
export const CLOSE = 1e-9

/** The relaxation of an order; `undefined` if its tokens are not connected. */
export function relaxOrder(
  graph: Graph,
  reference: Reference,
  order: Order,
  terms: Terms,
  excludedPools: ReadonlySet<Hex>,
): Relaxation | undefined {
  const network = selectNetwork({ graph, reference, order, excludedPools })
  if (!network) return undefined
  const { edges } = network
  const column = (of: Float64Array) => Float64Array.from(edges, (e) => of[e]!)
  const gas = column(graph.gas)
  const leastGas = gas.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
  const room = terms.maxGas - ROUTER_GAS
  const relaxed = {
    ...network,
    ...{ amount: Number(order.amountIn), terms, room },
    legs: Math.min(terms.maxLegs, Math.max(1, Math.floor(room / leastGas))),
    logSpot: column(graph.logSpot),
    spot: column(graph.spot),
    gas,
    stepGas: column(graph.stepGas),
    extraIn: column(graph.extraIn),
    columns: makeColumns(),
  }
  return { ...relaxed, mostIn: mostInputs(relaxed) }
}

/**
 * The most that an acyclic route can bring of each token. What a token receives came from the source
 * along walks of at most `legs` hops, and no pool pays more than its spot price. Each hop may pay
 * for `extraIn` wei more than it took.
 */
function mostInputs(relaxation: Omit<Relaxation, 'mostIn'>): Float64Array {
  const { edges, from, to, spot, extraIn, tokens, source, amount, legs } = relaxation
  const hops = Math.min(legs, tokens.length - 1)
  const start = new Float64Array(tokens.length)
  start[source] = amount
  const extra = new Float64Array(tokens.length)
  for (let i = 0; i < edges.length; i++) extra[from[i]!] = Math.max(extra[from[i]!]!, extraIn[i]!)
  const [own, more] = [start, extra].map((first) => {
    let before = first
    for (let n = 0; n < hops; n++) {
      const after = before.slice()
      let isSettled = true
      for (let i = 0; i < edges.length; i++) {
        const brought = before[from[i]!]! * spot[i]!
        if (!(brought > after[to[i]!]!)) continue
        after[to[i]!] = brought
        isSettled = false
      }
      before = after
      if (isSettled) break
    }
    return before
  })
  const uses = Math.min(legs, edges.length)
  return own!.map((most, k) => (most + uses * more![k]!) * CAP_MARGIN)
}

/**
 * The bound on all routes, at any prices and any multiplier of gas. With μ the worth of
 * the last leg that fits, it is the Lagrangian bound of docs/solver.md.
 */
export function relaxedBound(relaxation: Relaxation, { u, gasMultiplier }: Point): Sum {
  const { edges, from, to, logSpot, extraIn, gas, source, columns, terms, legs } = relaxation
  const ν = u.map(Math.exp)
  const worth = gas.map((one) => -gasMultiplier * one)
  let turnover = 0
  for (let i = 0; i < edges.length; i++) {
    const [a, b] = [from[i]!, to[i]!]
    if (logSpot[i]! > u[a]! - u[b]! - CLOSE || extraIn[i]! > 0) {
      fillColumns(columns, edgeOf(relaxation, i), [ν[a]!, ν[b]!], relaxation.mostIn[a]!)
      const best = bestColumn(columns, gasMultiplier)
      worth[i] = columns.surplus[best]! - gasMultiplier * columns.gas[best]!
      const reach = columns.count - 1
      turnover += columns.valueIn[reach]! + PRICE_DIGITS * columns.conductance[reach]!
    }
  }
  const { sum, unpaid, legPrice } = boundLegs(relaxation, worth, legs)
  const unused =
    gasMultiplier === terms.gasCost ? 0 : (gasMultiplier - terms.gasCost) * relaxation.room
  const gross = relaxation.amount * ν[source]! + unused + sum
  const fixed = terms.gasCost * ROUTER_GAS
  const several = {
    amount: gross - unpaid - fixed,
    size: gross + unpaid + fixed,
    turnover,
    legPrice,
  }
  return severalOrDirect(several, bestDirect(relaxation), fixed)
}

/** An edge of the relaxation with its curve. */
export function edgeOf({ graph, edges, gas, stepGas, extraIn }: Relaxation, i: number): ColumnEdge {
  const pieces = piecesOf(graph, edges[i]!)
  return { pieces, extraIn: extraIn[i]!, gas: gas[i]!, stepGas: stepGas[i]! }
}

/**
 * The highest output of one hop between the ends that fits the block, net of gas. The rounding of a
 * dust pool may stop a hop some ticks before its curve, so every piece up to the amount counts.
 */
function bestDirect(relaxation: Relaxation): Direct | undefined {
  const { edges, from, to, amount, source, sink, terms, room } = relaxation
  let best: Direct | undefined
  for (let i = 0; i < edges.length; i++) {
    if (from[i] !== source || to[i] !== sink) continue
    const edge = edgeOf(relaxation, i)
    const { pieces, stepGas } = edge
    const input = amount + edge.extraIn
    const last = pieceAt(pieces, input)
    for (let j = stepGas > 0 ? 0 : last; j <= last; j++) {
      const gas = gasOfPiece(edge, j)
      if (gas > room) break
      const out = j < last ? pieces.startOut[j + 1]! : outOf(pieces, input)
      const paid = terms.gasCost * gas
      if (!best || out - paid > best.worth) best = { worth: out - paid, size: out + paid }
    }
  }
  return best
}
