import { z } from 'zod'
import { errorTable } from './errors.js'
import { ENGINE_VERSION } from './quoteId.js'
import { type RequestSchemas, requestSchemas } from './wire/requests.js'
import * as wire from './wire/responses.js'

type Endpoint = {
  readonly path: string
  readonly summary: string
  readonly query: keyof RequestSchemas
  readonly body: z.ZodType
}

const endpoints: readonly Endpoint[] = [
  {
    path: '/swap/v1/{chainId}/quote',
    summary: 'The best available rate',
    query: 'quote',
    body: wire.quoteSchema,
  },
  {
    path: '/swap/v1/{chainId}/swap',
    summary: 'An exact quote and the transaction that performs it',
    query: 'swap',
    body: wire.swapSchema,
  },
  {
    path: '/swap/v1/{chainId}/approve/transaction',
    summary: 'The transaction that lets the router spend a token',
    query: 'approveTransaction',
    body: wire.approveTransactionSchema,
  },
  {
    path: '/swap/v1/{chainId}/approve/allowance',
    summary: 'How much of a token the router may spend',
    query: 'approveAllowance',
    body: wire.allowanceSchema,
  },
  {
    path: '/swap/v1/{chainId}/approve/spender',
    summary: 'The contract that approvals must name',
    query: 'none',
    body: wire.spenderSchema,
  },
  {
    path: '/swap/v1/{chainId}/dex-compare',
    summary: 'The aggregated quote beside those of single pools',
    query: 'dexCompare',
    body: wire.dexCompareSchema,
  },
  {
    path: '/swap/v1/{chainId}/liquidity-sources',
    summary: 'The venues of the market',
    query: 'none',
    body: wire.liquiditySourcesSchema,
  },
  {
    path: '/swap/v1/{chainId}/snapshot',
    summary: 'The market that quotes are computed from, to compute them again offline',
    query: 'snapshot',
    body: wire.snapshotSchema,
  },
  {
    path: '/{chainId}/tokens',
    summary: 'Texts, verification and prices of the tokens of the market',
    query: 'tokens',
    body: wire.tokensSchema,
  },
  {
    path: '/{chainId}/tokens/{address}',
    summary: 'Texts, verification and prices of a token',
    query: 'none',
    body: wire.tokenSchema,
  },
]

/** The API as OpenAPI 3.1, from the schemas that read the requests and the table of errors. */
export function openApi(chainId: number) {
  const schemas = requestSchemas({ strictChecksum: false })
  const paths = endpoints.map(({ path, summary, query, body }) => [
    path,
    {
      get: {
        summary,
        parameters: [
          ...parametersOf(z.object({ chainId: z.literal(chainId) }), 'path'),
          ...(path.includes('{address}') ? parametersOf(schemas.token, 'path') : []),
          ...parametersOf(schemas[query], 'query'),
        ],
        responses: { '200': jsonOf('The answer', z.toJSONSchema(body)), ...errorResponses() },
      },
    },
  ])
  return {
    openapi: '3.1.0',
    info: { title: 'Braid', version: ENGINE_VERSION },
    security: [{ apikey: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { apikey: { type: 'apiKey', in: 'header', name: 'apikey' } },
      schemas: { Error: z.toJSONSchema(wire.errorSchema) },
    },
  }
}

function parametersOf(schema: z.ZodObject, where: 'path' | 'query') {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([name, property]) => ({
    ...{ name, in: where, required: required.includes(name), schema: property },
  }))
}

/** One response per status, naming the codes it may carry. */
function errorResponses() {
  const codes = new Map<number, string[]>()
  for (const [code, { status }] of Object.entries(errorTable)) {
    codes.set(status, [...(codes.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...codes].map(([status, names]) => [
      `${status}`,
      jsonOf(names.join(', '), { $ref: '#/components/schemas/Error' }),
    ]),
  )
}

function jsonOf(description: string, schema: unknown) {
  return { description, content: { 'application/json': { schema } } }
}
