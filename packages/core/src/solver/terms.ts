/**
 * Resolves an order and the caller's {@link Options} into a {@link SolveInput}: the market, the order, and the
 * terms with their defaults, gas in the token out. Every stage reads the request, none the options.
 */
import type { Bound } from '../certificate/bound.js'
import type { Graph } from '../graph.js'
import type { Address, Hex } from '../hex.js'
import type { Order } from '../order.js'
import { type Reference, referenceOf, setAsideOf } from '../reference/referencePrices.js'
import { ROUTER_GAS } from '../replay.js'
import { DEFAULT_MAX_LEGS, DEFAULT_PATH_HOPS, GAS_SHARE_OF_BLOCK, SMALL_MARKET } from './tuning.js'

/** Initial prices: ln of the worth of one raw unit in raw units of the token out, by address. */
export type StartPrices = Readonly<Record<Address, number>>

/** The inputs of a quote besides market and order. */
export type Options = {
  /** `net` (default) maximises the output less its gas, `gross` maximises the output. */
  readonly objective?: 'net' | 'gross'
  /** Wei of the native token per gas; by default that of the snapshot. */
  readonly gasPrice?: bigint
  /** Most estimated gas of the whole transaction; by default 0.8 of the block's limit. */
  readonly maxGas?: number
  /** Most hops on any path; by default unlimited in a split, and in a path that seeds it eight, or as many as the widest path has. */
  readonly maxHops?: number
  /** Most hops of the whole route; 24 by default. */
  readonly maxLegs?: number
  /**
   * The effort for a bound that does not prove the answer: `fast` makes none, `paths` bounds simple
   * paths, which tightens small orders. By default `paths` in a small market and `fast` in others.
   */
  readonly certificate?: 'fast' | 'paths'
  /** Pools, by id, that must not be used. */
  readonly excludedPools?: ReadonlySet<Hex>
  /** The only tokens that a route may pass between its ends, wrapped if native; all by default. */
  readonly onlyIntermediates?: ReadonlySet<Address>
  /** Initial prices, from an earlier solution. They change the time, not the validity of the answer. */
  readonly start?: StartPrices
  /** Called between stages; true ends the search with the best route so far. Core reads no clock. */
  readonly shouldStop?: () => boolean
}

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

/** An order in its market, with all that the caller may choose. */
export type SolveInput = {
  readonly graph: Graph
  readonly reference: Reference
  readonly order: Order
  readonly terms: Terms
  /** The pools that a bound does not cover, and the tokens that its routes may pass. */
  readonly scope: Pick<Bound, 'setAside' | 'excluded' | 'onlyIntermediates'>
} & Required<Pick<Options, 'excludedPools' | 'certificate' | 'start' | 'shouldStop'>> &
  Pick<Options, 'onlyIntermediates'>

/** The request of an order. Gas is valued in the token out at the reference prices. */
export function solveInputOf(graph: Graph, order: Order, options: Options = {}): SolveInput {
  const { excludedPools = new Set(), onlyIntermediates } = options
  const reference = referenceOf(graph)
  return {
    graph,
    reference,
    order,
    terms: termsOf(graph, order, options),
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

/** The terms of an order: the same for any amount. */
export function termsOf(
  graph: Graph,
  { tokenIn, tokenOut }: Pick<Order, 'tokenIn' | 'tokenOut'>,
  options: Options,
): Terms {
  const { snapshot, tokenNumber } = graph
  const reference = referenceOf(graph)
  const { price, isValued } = reference
  const objective = options.objective ?? 'net'
  const sink = tokenNumber.get(tokenOut)
  const isPriced = sink !== undefined && isValued[sink] === 1
  const gasPrice = Number(options.gasPrice ?? snapshot.block.gasPrice)
  const maxLegs = options.maxLegs ?? DEFAULT_MAX_LEGS
  const widest = widestHops(reference, tokenNumber.get(tokenIn), sink)
  const pathHops = Math.max(DEFAULT_PATH_HOPS, widest)
  const maxGas = options.maxGas ?? Number(snapshot.block.gasLimit) * GAS_SHARE_OF_BLOCK
  return {
    objective,
    gasCost: objective === 'net' && isPriced ? gasPrice / price[sink]! : 0,
    maxLegs,
    maxHops: options.maxHops ?? Number.POSITIVE_INFINITY,
    pathHops: Math.min(options.maxHops ?? pathHops, maxLegs),
    maxGas,
    room: maxGas - ROUTER_GAS,
  }
}

/** The hops of the widest path between two tokens, which small pools do not shorten; 0 if there is none. */
function widestHops({ treeParent }: Reference, source = -1, sink = -1): number {
  const towardsRoot = (token: number): readonly number[] => {
    const passed: number[] = []
    for (let k = token; k >= 0; k = treeParent[k]!) passed.push(k)
    return passed
  }
  const [one, other] = [towardsRoot(source), towardsRoot(sink)]
  const meeting = one.findIndex((k) => other.includes(k))
  return meeting < 0 ? 0 : meeting + other.indexOf(one[meeting]!)
}
