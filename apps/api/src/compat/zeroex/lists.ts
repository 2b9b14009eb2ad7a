// Serves the lists of 0x, by its published OpenAPI document: the sources of liquidity, and the chains.

import { z } from 'zod'
import { venuesOf } from '../../market/marketPools.js'
import type { ApiContext } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import { freshState, readQuery, requireChain } from '../../routes/request.js'
import type { RawParameters } from '../../wire/readParameters.js'
import type { ShapeEndpoint } from '../shape/shape.js'
import { chainIdParameter, requireVersion } from './request.js'

/** 0x's name of the chain. */
const CHAIN_NAME = 'HyperEVM'

const zid = z.string()
const sourcesSchema = z.strictObject({ sources: z.array(z.string()), zid })
const chain = z.strictObject({ chainId: z.number(), chainName: z.string() })
const chainsSchema = z.strictObject({ chains: z.array(chain), zid })

const sourcesQuery = () => z.object({ chainId: chainIdParameter() })
const chainsQuery = () => z.object({})

/** `GET /sources`: the venues of the market, by the ids that `excludedSources` takes. */
function sourcesRoute(need: Need) {
  const schema = sourcesQuery()
  return async (ctx: ApiContext, query: RawParameters): Promise<void> => {
    requireVersion(ctx)
    const { chainId } = readQuery(ctx, schema, query)
    requireChain(`${chainId}`, need)
    const { graph } = freshState(ctx, need)
    // The id is of this request, so the answer is of no other.
    ctx.set('cache-control', 'no-store')
    ctx.body = { sources: [...venuesOf(graph.snapshot)].sort(), zid: ctx.state.requestId }
  }
}

/** `GET /swap/chains`: the one chain of this API. */
function chainsRoute({ config }: Need) {
  const schema = chainsQuery()
  return async (ctx: ApiContext, query: RawParameters): Promise<void> => {
    requireVersion(ctx)
    readQuery(ctx, schema, query)
    ctx.set('cache-control', 'no-store')
    const served = { chainId: Number(config.chainId), chainName: CHAIN_NAME }
    ctx.body = { chains: [served], zid: ctx.state.requestId }
  }
}

/** `GET /sources`. */
export const sources: ShapeEndpoint = {
  ...{ path: '/sources', operationId: 'zeroExSources', query: sourcesQuery },
  summary: '0x: the venues of the market',
  ...{ body: sourcesSchema, route: sourcesRoute },
}

/** `GET /swap/chains`. */
export const chains: ShapeEndpoint = {
  ...{ path: '/swap/chains', operationId: 'zeroExChains', query: chainsQuery },
  summary: '0x: the chain that is served',
  ...{ body: chainsSchema, route: chainsRoute },
}
