// The sale that will still be there when it is filled: the best one, unless a safer one pays hardly less.

import type { Hex } from '@braid-swap/core'
import { isUnfilled } from '@braid-swap/core/advanced'
import type { FreshState } from '../answers/freshState.js'
import { ApiError } from '../errors.js'
import { statesOfMinute } from '../quoting/earlierStates.js'
import { PPM_PER_BPS } from '../quoting/fee.js'
import { isSafer, LEAST_FALL_BPS, MOST_FALL_BPS, unsteadyPools } from '../quoting/steadiness.js'
import { findSale, type SaleNeed, type SwapParams } from './findSale.js'

/** Searches for a route whose pools are all steady. */
const MOST_SEARCHES = 4

/** The sale, and the pools that it does without because they come and go. Throws as {@link findSale}. */
export async function findSteadySale(params: SwapParams, state: FreshState, need: SaleNeed) {
  const best = await findSale(params, state, need)
  const { graph } = state
  const earlier = statesOfMinute(need.recentStates, graph.snapshot)
  const slippageBps = best.slippage / PPM_PER_BPS
  const fallBps = Math.min(MOST_FALL_BPS, Math.max(LEAST_FALL_BPS, slippageBps))
  const unsteady = new Set<Hex>()
  let other: typeof best = best
  for (let searches = 0; searches < MOST_SEARCHES; searches++) {
    const found = unsteadyPools(graph, other.answer.route, earlier, fallBps)
    if (found.size === 0) break
    for (const id of found) unsteady.add(id)
    const excludePools = new Set([...(params.excludePools ?? []), ...unsteady])
    const without = { ...params, excludePools, includeNearest: false }
    const next = await findSale(without, state, need).catch(noneIfUnfilled)
    if (!next) break
    other = next
  }
  const [a, b] = [best, other].map(({ order, answer: { route } }) => ({ order, route }))
  const isOther = other !== best && isSafer(graph, { best: a!, other: b! }, earlier, fallBps)
  return isOther ? { ...other, unsteady } : { ...best, unsteady: new Set<Hex>() }
}

function noneIfUnfilled(error: unknown): undefined {
  const isDear = error instanceof ApiError && error.code === 'PRICE_IMPACT_TOO_HIGH'
  if (!isDear && !isUnfilled(error)) throw error
}
