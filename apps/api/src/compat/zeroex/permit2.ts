/**
 * 0x's quotes that are paid through Permit2 leave the signature to its clients, who append it to the
 * calldata. Ours would then have no canonical encoding, which `verifySwap` requires, and its gas could
 * not be asked of a node before the signature exists. So they are refused, with what to ask instead.
 */
import { z } from 'zod'
import { ApiError } from '../../errors.js'
import type { ShapeEndpoint } from '../shape/shape.js'

/** `GET /swap/permit2/price` or `/quote`. Throws NOT_FOUND. */
export function refusedPermit2(name: 'price' | 'quote', operationId: string): ShapeEndpoint {
  const instead = `/swap/allowance-holder/${name}`
  return {
    ...{ path: `/swap/permit2/${name}`, operationId, query: () => z.object({}) },
    summary: `0x: not served; ask ${instead}`,
    route: () => async () => {
      throw new ApiError('NOT_FOUND', `payment through Permit2 is not served: ask ${instead}`)
    },
  }
}
