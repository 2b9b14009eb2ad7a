/**
 * The certified gap of answers. Input: requests. Output: how far the net output of each answer is
 * below the bound that it claims.
 */
import { ROUTER_GAS } from '@braid-swap/core/advanced'
import type { Request } from '../request.js'
import type { ReadyRouter } from '../routers/router.js'
import { percentile } from '../stats.js'
import { type Trial, tryOne } from './trial.js'

// An order is large if its gas is worth less than this part of its output.
const MAX_GAS_PART_OF_LARGE = 1e-4

/** The distance of an answer from its bound. */
export type Gap = {
  readonly legs: number
  readonly isLarge: boolean
  /** 1 − net/bound in basis points. */
  readonly bps: number
  /** (bound − net) in units of one swap's gas. */
  readonly inSwaps: number
  /** True if the net output of the route exceeds the claimed bound. */
  readonly isBroken: boolean
}

/** The gaps of the requests that have a route and a bound. */
export async function gapsOf(
  router: ReadyRouter,
  requests: readonly Request[],
): Promise<readonly Gap[]> {
  const gaps: Gap[] = []
  for (const request of requests) {
    const gap = toGap(await tryOne(router, request))
    if (gap) gaps.push(gap)
  }
  return gaps
}

/** The percentile of the gaps in basis points; NaN for none. */
export function bpsAt(gaps: readonly Pick<Gap, 'bps'>[], part: number): number {
  return percentile(
    gaps.map(({ bps }) => bps),
    part,
  )
}

/** The gap of an answer; `undefined` without a route or a bound. */
export function toGap({ request, answer, worth }: Trial): Gap | undefined {
  if (!worth || !answer?.bound) return undefined
  const { bound } = answer
  // Net at the router's own price of gas, which may differ a little from the request's.
  const net = Number(worth.gross) - worth.gas * bound.gasCost
  const above = Number(bound.amount) - net
  const swapGas = (worth.gas - ROUTER_GAS) / worth.legs
  return {
    legs: worth.legs,
    isLarge: worth.gas * request.gasCost < MAX_GAS_PART_OF_LARGE * Number(worth.gross),
    bps: (above / Math.abs(Number(bound.amount))) * 10_000,
    inSwaps: bound.gasCost > 0 ? above / (swapGas * bound.gasCost) : 0,
    isBroken: above < 0,
  }
}
