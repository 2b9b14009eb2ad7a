import type { Market } from '../market.js'
import type { Request } from '../request.js'
import { fillFromMarket, fillInChunks } from './chunks.js'
import { exchange } from './exchange.js'
import { bestOf, hopsOfFlows, netOfPaths, type PathFlow } from './pathSplit.js'
import type { Router } from './router.js'
import { bestSinglePath } from './singlePath.js'

const COARSE = 20
const REFINEMENTS = 3

/**
 * Emulates Fynd's water filling: each chunk goes to the path with the highest net output after the
 * earlier chunks, and a pool's gas is charged on first use. With more than 20 chunks, 20 of them
 * choose the paths and all of them the amounts, which hill climbing then refines. Paths not worth
 * their gas are dropped, and the best of single path, coarse split and fine split is used.
 */
export function waterFill(chunks: number): Router {
  const name = `water-fill (${chunks})`
  return {
    name,
    ready: (market) => ({
      name,
      capsLegs: false,
      quote: (request) => {
        const coarse = fillCoarse(market, request)
        const fine = chunks > COARSE ? fillFine(coarse, request, chunks) : []
        const hops = bestOf(request, [
          bestSinglePath(market, request),
          hopsOfFlows(request, coarse),
          hopsOfFlows(request, fine),
        ])
        return hops && { hops }
      },
    }),
  }
}

/** Twenty chunks, each to the best path of the whole market at the current state. */
export function fillCoarse(market: Market, request: Request): readonly PathFlow[] {
  return dropUnpaid(fillFromMarket(market, request, COARSE), request.gasCost)
}

/** The paths of the coarse split, filled again in fine chunks and refined. */
export function fillFine(
  coarse: readonly PathFlow[],
  request: Request,
  chunks: number,
): readonly PathFlow[] {
  const amount = Number(request.order.amountIn)
  const paths = coarse.map(({ path }) => path)
  let flows = fillInChunks(paths, { amount, parts: chunks, gasCost: 0 })
  let step = amount / chunks
  for (let i = 0; i < REFINEMENTS; i++) {
    flows = exchange(flows, { step, passes: 8, gasCost: request.gasCost })
    step /= 4
  }
  return dropUnpaid(flows, request.gasCost)
}

function dropUnpaid(flows: readonly PathFlow[], gasCost: number): readonly PathFlow[] {
  let kept = flows
  for (let isDropped = true; isDropped && kept.length > 1 && gasCost > 0; ) {
    isDropped = false
    for (let i = 0; i < kept.length && !isDropped; i++) {
      const rest = kept.filter((_, at) => at !== i)
      const scale = total(kept) / total(rest)
      const scaled = rest.map((flow) => ({ ...flow, amount: flow.amount * scale }))
      if (netOfPaths(scaled, gasCost) <= netOfPaths(kept, gasCost)) continue
      kept = scaled
      isDropped = true
    }
  }
  return kept
}

function total(flows: readonly PathFlow[]): number {
  return flows.reduce((sum, { amount }) => sum + amount, 0)
}
