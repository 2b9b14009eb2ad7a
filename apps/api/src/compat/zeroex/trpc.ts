/**
 * 0x's own SDK does not ask the published paths. It calls the same endpoints as procedures of tRPC 10:
 * one path for each, the query as a JSON object in `input`, and the body in an envelope.
 * https://trpc.io/docs/v10/rpc describes the envelopes.
 */
import { z } from 'zod'
import type { ApiContext } from '../../middleware/state.js'
import { readQuery } from '../../routes/request.js'
import { parameter } from '../../wire/parameters.js'
import type { ErrorBody } from '../../wire/responses.js'
import type { Shape, ShapeEndpoint } from '../shape/shape.js'

const ROOT = '/trpc/swap'

const inputSchema = z.record(
  z.string(),
  // A larger number was rounded before it was written, so its amount is not the caller's.
  z.union([z.string(), z.boolean(), z.number().refine(Number.isSafeInteger)]),
)

const schema = z.object({
  input: parameter<Readonly<Record<string, string>>>(
    { description: 'the query of the endpoint as a JSON object; large numbers as strings' },
    (text) => {
      try {
        const values = Object.entries(inputSchema.parse(JSON.parse(text)))
        return { value: Object.fromEntries(values.map(([name, value]) => [name, `${value}`])) }
      } catch {
        const expected = 'JSON object of strings, booleans and integers up to 2^53 - 1'
        return { fault: { code: 'INVALID_BODY', message: `must be a ${expected}`, expected } }
      }
    },
  ),
})

/** An endpoint as a procedure: it asks the same route, so nothing else can differ. */
function procedureOf([name, endpoint]: readonly [string, ShapeEndpoint]): ShapeEndpoint {
  return {
    ...{ path: `${ROOT}/${name}`, operationId: `${endpoint.operationId}Procedure` },
    summary: `${endpoint.summary}, as 0x’s SDK asks for it`,
    query: () => schema,
    route: (need) => {
      const [route, own] = [endpoint.route(need), endpoint.query(need.schemas)]
      return async (ctx: ApiContext, { input }: z.output<typeof schema>) => {
        return { result: { data: await route(ctx, readQuery(ctx, own, input) as never) } }
      }
    },
  }
}

/** tRPC writes the reasons of HTTP as names, and their statuses as the distance of JSON-RPC's numbers to 400. */
function showFault({ statusCode: httpStatus, error, message, path }: ErrorBody) {
  const distance = httpStatus === 400 ? 600 : httpStatus < 500 ? httpStatus - 400 : 603
  const data = { code: error.toUpperCase().replaceAll(' ', '_'), httpStatus }
  const own = { ...data, path: path.slice(ROOT.length + 1) }
  return { error: { message, code: -32_000 - distance, data: own } }
}

/** The shape of these endpoints, by the name of the procedure, in 0x's SDK. */
export function proceduresOf(endpoints: Readonly<Record<string, ShapeEndpoint>>): Shape {
  return {
    endpoints: Object.entries(endpoints).map(procedureOf),
    ...{ keyHeader: '0x-api-key', errorFields: showFault },
  }
}
