/**
 * Drop-in shapes. An operator enables them with `BRAID_COMPAT`. Clients written for another service
 * then work with this API after a change of their base URL and key. One module or folder per service.
 */
import type { z } from 'zod'
import type { CompatName } from '../config/compatNames.js'
import type { ApiMiddleware } from '../middleware/state.js'
import { type ErrorBody, errorSchema } from '../wire/responses.js'
import { akka } from './akka.js'
import { liquidSwap } from './liquidswap/index.js'
import { type Addition, addFields, type Shape, type ShapeEndpoint } from './shape/shape.js'
import { zeroEx, zeroExProcedures } from './zeroex/index.js'

const shapes: Readonly<Record<CompatName, readonly Shape[]>> = {
  akka: [akka],
  liquidswap: [liquidSwap],
  '0x': [zeroEx, zeroExProcedures],
}

type Names = readonly CompatName[]

const shapesOf = (names: Names) => names.flatMap((name) => shapes[name])

/** The fields that the shapes of these names add to our endpoints. */
export function compatAdditions(names: Names): readonly Addition[] {
  return shapesOf(names).flatMap(({ additions = [] }) => additions)
}

/** The endpoints of these shapes. */
export function compatEndpoints(names: Names): readonly ShapeEndpoint[] {
  return shapesOf(names).flatMap(({ endpoints = [] }) => endpoints)
}

/** The headers of the clients of these shapes: that of the key, and others. */
export function compatHeaders(names: Names): readonly string[] {
  const all = shapesOf(names).flatMap(({ key, headers = [] }) =>
    [key?.header ?? [], headers].flat(),
  )
  return [...new Set(all)]
}

/** The schema of errors at a path, given or as a template of the OpenAPI document. */
export function compatErrorSchema(names: Names, path: string): z.ZodObject {
  const fields = shapeAt(names, path)?.errors?.fields
  return fields ? errorSchema.extend(fields) : errorSchema
}

/**
 * Lets requests at the endpoints of shapes send their key as their service takes it, and gives errors
 * there the fields of that service.
 */
export function adaptRequests(names: Names): ApiMiddleware {
  return async (ctx, next) => {
    const shape = shapeAt(names, ctx.path ?? '')
    if (!shape) return next()
    const { key, errors } = shape
    if (key) {
      ctx.vary(key.header)
      const value = ctx.get(key.header)
      if (value !== '' && ctx.get('apikey') === '') ctx.req.headers['apikey'] = key.read(value)
    }
    await next()
    if (!errors || ctx.status < 400) return
    const body = ctx.body as ErrorBody
    ctx.body = { ...body, ...errors.of(body) }
  }
}

function shapeAt(names: Names, path: string): Shape | undefined {
  return shapesOf(names).find(({ endpoints = [] }) =>
    endpoints.some((each) => patternOf(each.path).test(path)),
  )
}

const patterns = new Map<string, RegExp>()

function patternOf(template: string): RegExp {
  const known = patterns.get(template)
  if (known) return known
  const text = template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')
  const pattern = new RegExp(`^${text}$`)
  patterns.set(template, pattern)
  return pattern
}

export { addFields }
