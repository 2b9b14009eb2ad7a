import { executorFor } from '@braid-swap/contracts'
import { type Address, NATIVE, type Route } from '@braid-swap/core'
import { ApiError } from '../errors.js'
import type { Need } from '../need.js'

/**
 * The executor that a call for this route names: the newest that knows all its families. Throws
 * ROUTER_UNCONFIRMED if none of the deployed ones does.
 */
export function executorOf(
  { routerCode, config }: Pick<Need, 'routerCode' | 'config'>,
  route: Route,
): Address {
  // The router itself wraps and unwraps.
  const swaps = route.filter(({ pool }) => !pool.tokens.includes(NATIVE))
  const families = swaps.map(({ pool }) => pool.family)
  const executor = executorFor(routerCode.executors(), families)
  if (executor) return executor.address
  const message = 'no deployed executor can perform this route, so no transaction is returned'
  throw new ApiError('ROUTER_UNCONFIRMED', message, {
    details: { router: config.router, families: [...new Set(families)].join(' ') },
  })
}
