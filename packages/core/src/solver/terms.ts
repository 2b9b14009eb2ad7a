/**
 * Resolves an order and the caller's options into a {@link Request}: the market, the order, and the
 * terms with their defaults, gas in the token out. Every stage reads the request, none the options.
 */
import type { Bound } from '../certificate/bound.js'
import type { Graph } from '../graph.js'
import type { Order } from '../order.js'
import { type Reference, referenceOf, setAsideOf } from '../reference/referencePrices.js'
import { ROUTER_GAS } from '../replay.js'
import type { Options } from './options.js'
import { DEFAULT_MAX_LEGS, DEFAULT_PATH_HOPS, GAS_SHARE_OF_BLOCK, SMALL_MARKET } from './tuning.js'

/** The terms on which an order is solved and bounded. */
export type Terms = {
  readonly objective: 'net' | 'gross'
  /** Units of the token out per gas; 0 if gas is free, cannot be valued or does not count. */
  readonly gasCost: number
  /** Most hops of the route, on any path of a split, and of a single path. */
  readonly maxLegs: number
  readonly maxHops: number
  readonly pathHops: number
  /** Most gas of the whole transaction, and of all hops together. */
  readonly maxGas: number
  readonly room: number
}

/** The pools that a bound does not cover, and the tokens that its routes may pass. */
type Scope = Pick<Bound, 'setAside' | 'excluded' | 'onlyIntermediates'>

/** An order in its market, with all that the caller may choose. */
export type Request = {
  readonly graph: Graph
  readonly reference: Reference
  readonly order: Order
  readonly terms: Terms
  readonly scope: Scope
} & Required<Pick<Options, 'excludedPools' | 'certificate' | 'start' | 'shouldStop'>> &
  Pick<Options, 'onlyIntermediates'>

/** The request of an order. Gas is valued in the token out at the reference prices. */
export function requestOf(graph: Graph, order: Order, options: Options = {}): Request {
  const { excludedPools = new Set(), onlyIntermediates } = options
  const reference = referenceOf(graph)
  return {
    graph,
    reference,
    order,
    terms: termsOf(graph, reference, order, options),
    scope: {
      setAside: setAsideOf(graph, reference),
      excluded: [...excludedPools],
      ...(onlyIntermediates && { onlyIntermediates: [...onlyIntermediates] }),
    },
    excludedPools,
    ...(onlyIntermediates && { onlyIntermediates }),
    certificate: options.certificate ?? (graph.from.length <= SMALL_MARKET ? 'paths' : 'fast'),
    start: options.start ?? {},
    shouldStop: options.shouldStop ?? (() => false),
  }
}

/** Most hops of a route within the terms if each takes at least `leastGas`; a route has one at least. */
export function mostLegs(
  { maxLegs, room }: Pick<Terms, 'maxLegs' | 'room'>,
  leastGas: number,
): number {
  return Math.min(maxLegs, Math.max(1, Math.floor(room / leastGas)))
}

function termsOf(
  { snapshot, tokenNumber }: Graph,
  { price, isValued }: Reference,
  { tokenOut }: Order,
  options: Options,
): Terms {
  const objective = options.objective ?? 'net'
  const sink = tokenNumber.get(tokenOut)
  const isPriced = sink !== undefined && isValued[sink] === 1
  const gasPrice = Number(options.gasPrice ?? snapshot.block.gasPrice)
  const maxLegs = options.maxLegs ?? DEFAULT_MAX_LEGS
  const maxGas = options.maxGas ?? Number(snapshot.block.gasLimit) * GAS_SHARE_OF_BLOCK
  return {
    objective,
    gasCost: objective === 'net' && isPriced ? gasPrice / price[sink]! : 0,
    maxLegs,
    maxHops: options.maxHops ?? Number.POSITIVE_INFINITY,
    pathHops: Math.min(options.maxHops ?? DEFAULT_PATH_HOPS, maxLegs),
    maxGas,
    room: maxGas - ROUTER_GAS,
  }
}
