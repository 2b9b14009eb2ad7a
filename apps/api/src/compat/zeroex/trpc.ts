/**
 * 0x's own SDK does not ask the published paths. It calls the same endpoints as procedures of tRPC 10:
 * one path for each, the query as a JSON object in `input`, and the body in an envelope.
 * https://trpc.io/docs/v10/rpc describes the envelopes.
 */
import { z } from 'zod'
import type { ApiContext } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import { readQuery } from '../../routes/request.js'
import { parameter } from '../../wire/parameters.js'
import type { RawParameters } from '../../wire/readParameters.js'
import type { ErrorBody } from '../../wire/responses.js'
import type { Shape, ShapeEndpoint } from '../shape/shape.js'

const ROOT = '/trpc/swap'

const inputSchema = z.record(
  z.string(),
  // A larger number was rounded before it was written, so its amount is not the caller's.
  z.union([z.string(), z.boolean(), z.number().refine(Number.isSafeInteger)]),
)

const input = parameter<Readonly<Record<string, string>>>(
  { description: 'the query of the endpoint as a JSON object; large numbers as strings' },
  (text) => {
    const values = inputSchema.safeParse(parsed(text)).data
    if (values) {
      const texts = Object.entries(values).map(([name, value]) => [name, `${value}`])
      return { value: Object.fromEntries(texts) }
    }
    const expected = 'JSON object of strings, booleans and integers up to 2^53 - 1'
    return { fault: { code: 'INVALID_BODY', message: `must be a ${expected}`, expected } }
  },
)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An endpoint as a procedure: it asks the same route, so nothing else can differ. */
function procedureOf(name: string, endpoint: ShapeEndpoint): ShapeEndpoint {
  const schema = z.object({ input })
  return {
    ...{ path: `${ROOT}/${name}`, operationId: `${endpoint.operationId}Procedure` },
    summary: `${endpoint.summary}, as 0x’s SDK asks for it`,
    query: () => schema,
    ...(endpoint.body && {
      body: z.strictObject({ result: z.strictObject({ data: endpoint.body }) }),
    }),
    route: (need: Need) => {
      const own = endpoint.route(need)
      return async (ctx: ApiContext, query: RawParameters): Promise<void> => {
        await own(ctx, readQuery(ctx, schema, query).input)
        ctx.body = { result: { data: ctx.body } }
      }
    },
  }
}

/** tRPC's name and JSON-RPC number of an error by its HTTP status; the rest are its server errors. */
const FAULTS: ReadonlyMap<number, readonly [string, number]> = new Map([
  [400, ['BAD_REQUEST', -32_600]],
  [401, ['UNAUTHORIZED', -32_001]],
  [403, ['FORBIDDEN', -32_003]],
  [404, ['NOT_FOUND', -32_004]],
  [405, ['METHOD_NOT_SUPPORTED', -32_005]],
  [408, ['TIMEOUT', -32_008]],
  [422, ['UNPROCESSABLE_CONTENT', -32_022]],
  [429, ['TOO_MANY_REQUESTS', -32_029]],
])
const SERVER_FAULT = ['INTERNAL_SERVER_ERROR', -32_603] as const

const faultSchema = z.strictObject({
  message: z.string(),
  code: z.number(),
  data: z.strictObject({ code: z.string(), httpStatus: z.number(), path: z.string() }),
})

function showFault({ statusCode: httpStatus, message, path: full }: ErrorBody) {
  const [name, code] = FAULTS.get(httpStatus) ?? SERVER_FAULT
  const path = full.slice(ROOT.length + 1)
  return { error: { message, code, data: { code: name, httpStatus, path } } }
}

/** The shape of these endpoints, by the name of the procedure, in 0x's SDK. */
export function proceduresOf(
  endpoints: ReadonlyMap<string, ShapeEndpoint>,
  key: NonNullable<Shape['key']>,
): Shape {
  return {
    endpoints: [...endpoints].map(([name, endpoint]) => procedureOf(name, endpoint)),
    key,
    errors: { fields: { error: faultSchema }, of: showFault },
  }
}
