import { judgesOf } from '@braid-swap/chain'
import { freshState } from '../answers/freshState.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import type { LiquiditySourcesBody } from '../wire/responses.js'
import { showShare } from '../wire/shares.js'

/**
 * `GET /swap/v1/{chainId}/liquidity-sources`: the venues of the market and their ids, those whose pools are all refused
 * too, and which part of their pools is served.
 */
export function liquiditySourcesRoute(need: Need) {
  return async (ctx: ApiContext): Promise<void> => {
    const { graph } = freshState(ctx, need)
    const venues = new Map<string, { readonly poolTypes: Set<string>; pools: number }>()
    for (const { family, venue } of graph.snapshot.pools) {
      if (family === 'wrap') continue
      const known = venues.get(venue) ?? { poolTypes: new Set(), pools: 0 }
      venues.set(venue, known)
      known.poolTypes.add(family)
      known.pools += 1
    }
    const shares = new Map(need.market.shares?.().map((share) => [share.venue, share]))
    for (const { venue, isRefused } of shares.values()) {
      if (isRefused && !venues.has(venue)) venues.set(venue, { poolTypes: new Set(), pools: 0 })
    }
    ctx.set('cache-control', 'private, max-age=30')
    const body: LiquiditySourcesBody = {
      protocols: [...venues]
        .map(([id, { poolTypes, pools }]) => {
          const share = shares.get(id)
          const venue = need.config.venues.find((one) => one.id === id)
          const judges = venue && [...new Set(judgesOf(venue).map(({ kind }) => kind))]
          return {
            ...{ id, poolTypes: [...poolTypes].sort(), pools },
            ...(share && { share: showShare(share) }),
            ...(judges && { judges }),
          }
        })
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    }
    ctx.body = body
  }
}
