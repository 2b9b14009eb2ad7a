import { type Market, weiOfDollars } from '../market.js'
import type { Request } from '../request.js'
import { fillFromMarket } from './chunks.js'
import { exchange } from './exchange.js'
import { bestOf, hopsOfFlows, type PathFlow } from './pathSplit.js'
import type { Router } from './router.js'
import { bestSinglePath } from './singlePath.js'

const MAX_CHUNKS = 20
const MIN_CHUNK_DOLLARS = 500
const CLIMB_STEP = 0.01
const CLIMB_PASSES = 2

/**
 * Emulates KyberSwap's finder: the order is cut into chunks of 5 % (at least $500), and each goes
 * to the path of at most three hops with the highest net output after the earlier chunks. Two
 * passes then move 1 % between paths. Shared pools are merged, and the single path is used if
 * better.
 */
export const kyber: Router = {
  name: 'Kyber (5 % + 1 %)',
  ready: (market) => ({
    name: 'Kyber (5 % + 1 %)',
    capsLegs: false,
    quote: (request) => {
      const hops = bestOf(request, [
        bestSinglePath(market, request),
        hopsOfFlows(request, splitByChunks(market, request)),
      ])
      return hops && { hops }
    },
  }),
}

/** The split of the chunks after hill climbing, amounts in wei of the token in. */
export function splitByChunks(market: Market, request: Request): readonly PathFlow[] {
  const amount = Number(request.order.amountIn)
  const floor = Number(weiOfDollars(market, request.order.tokenIn, MIN_CHUNK_DOLLARS))
  const parts = Math.max(1, Math.min(MAX_CHUNKS, Math.floor(amount / floor)))
  return exchange(fillFromMarket(market, request, parts), {
    step: amount * CLIMB_STEP,
    passes: CLIMB_PASSES,
    gasCost: request.gasCost,
  })
}
