import { ApiError } from '../errors.js'
import type { Discovery } from '../market.js'
import type { ApiContext } from '../middleware/state.js'
import type { RouteParts } from '../parts.js'
import { freshState } from './request.js'

/** What `/readyz` answers; its errors too say how far the search for pools came. */
export function readyBody(ctx: ApiContext, parts: RouteParts) {
  const now = parts.market.discovery?.()
  const discovery = now && shown(now)
  try {
    const { graph, ageMs } = freshState(ctx, parts)
    const blockNumber = `${graph.snapshot.block.number}`
    return { status: 'ready', blockNumber, stateAgeMs: ageMs, ...(discovery && { discovery }) }
  } catch (error) {
    if (!(error instanceof ApiError) || !discovery) throw error
    const { setAside, ...figures } = discovery
    const reasons = Object.entries(setAside).map(([reason, count]) => `${reason} ${count}`)
    throw new ApiError(error.code, error.message, {
      details: { ...error.details, ...figures, setAside: reasons.join(', ') },
    })
  }
}

/** What `/health` answers where quotes are answered; throws why they are not. */
export function healthyBody(ctx: ApiContext, parts: RouteParts) {
  freshState(ctx, parts)
  return { healthy: true }
}

function shown({ blocksSearched, blocksLeft, msLeft, ...rest }: Discovery) {
  return {
    ...rest,
    ...(blocksSearched !== undefined && { blocksSearched: `${blocksSearched}` }),
    ...(blocksLeft !== undefined && { blocksLeft: `${blocksLeft}` }),
    ...(msLeft !== undefined && { secondsLeft: Math.ceil(msLeft / 1_000) }),
  }
}
