import type { PlannedHop } from '@braid-swap/core/advanced'
import type { Market } from '../market.js'
import type { Request } from '../request.js'
import { bestOf } from './pathSplit.js'
import { bestPaths } from './paths.js'
import type { Router } from './router.js'

const MAX_HOPS = 4
const CANDIDATES = 24

/** The best unsplit path of at most four hops, chosen from candidates by exact net output. */
export const singlePath: Router = {
  name: 'single path',
  ready: (market) => ({
    name: 'single path',
    capsLegs: false,
    quote: (request) => {
      const hops = bestSinglePath(market, request)
      return hops && { hops }
    },
  }),
}

/** The hops of the best path, or `undefined` if none can take the whole amount. */
export function bestSinglePath(
  market: Market,
  request: Request,
): readonly PlannedHop[] | undefined {
  const { tokenIn, tokenOut, amountIn } = request.order
  const paths = bestPaths(market.edges, {
    from: tokenIn,
    to: tokenOut,
    amount: Number(amountIn),
    maxHops: MAX_HOPS,
    count: CANDIDATES,
  })
  const candidates = paths.map(({ path }) =>
    path.map(({ pool, direction }) => ({ pool, direction, share: 0 })),
  )
  return bestOf(request, candidates)
}
