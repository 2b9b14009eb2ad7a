/**
 * Drop-in shapes, one a service. An operator enables them with `BRAID_COMPAT`: clients of the service then work with
 * this API after a change of their base URL and key.
 */
import { z } from 'zod'
import type { CompatName } from '../config/compatNames.js'
import type { ApiMiddleware } from '../middleware/state.js'
import { type ErrorBody, errorSchema } from '../wire/responses.js'
import { akka } from './akka.js'
import { liquidSwap } from './liquidswap/index.js'
import type { Shape, ShapeEndpoint } from './shape/shape.js'
import { zeroEx, zeroExProcedures } from './zeroex/index.js'

const shapes: Readonly<Record<CompatName, readonly Shape[]>> = {
  akka: [akka],
  liquidswap: [liquidSwap],
  '0x': [zeroEx, zeroExProcedures],
}

type Names = readonly CompatName[]

/** The shapes of these names. */
export const shapesOf = (names: Names) => names.flatMap((name) => shapes[name])

/** The endpoints of these shapes. */
export function compatEndpoints(names: Names): readonly ShapeEndpoint[] {
  return shapesOf(names).flatMap(({ endpoints = [] }) => endpoints)
}

/** The schema of errors at a path: those of a shape have fields of its own. */
export function compatErrorSchema(names: Names, path: string): z.ZodObject {
  return shapeAt(names, path) ? errorSchema.extend({ error: z.unknown() }).loose() : errorSchema
}

/** At the endpoints of shapes, takes the key as their service does, and gives errors its fields. */
export function adaptRequests(names: Names): ApiMiddleware {
  return async (ctx, next) => {
    const shape = shapeAt(names, ctx.path ?? '')
    if (!shape) return next()
    const { keyHeader, errorFields } = shape
    if (keyHeader) {
      ctx.vary(keyHeader)
      ctx.req.headers['apikey'] ||= ctx.get(keyHeader)
    }
    await next()
    if (!errorFields || ctx.status < 400) return
    const body = ctx.body as ErrorBody
    ctx.body = { ...body, ...errorFields(body) }
  }
}

function shapeAt(names: Names, path: string): Shape | undefined {
  return shapesOf(names).find(({ endpoints = [] }) => endpoints.some((one) => one.path === path))
}
