import { hyperEvm } from '@braid-swap/chain'
import { z } from 'zod'
import { compatEndpoints, compatErrorSchema, shapesOf } from '../compat/index.js'
import type { CompatName } from '../config/compatNames.js'
import { type ErrorCode, errorTable } from '../errors.js'
import { ENGINE_VERSION } from '../wire/quoteId.js'
import { requestSchemas } from '../wire/requests.js'
import * as wire from '../wire/responses.js'
import { endpoints, tags } from './endpoints.js'

/**
 * The API as OpenAPI 3.1, from the request schemas and the table of errors. `compat` adds the fields
 * of these shapes to responses; `keyless` makes the key optional.
 */
export function openApi(
  chainId: number,
  {
    compat = [],
    keyless = false,
    name = hyperEvm.name,
  }: {
    readonly compat?: readonly CompatName[]
    readonly keyless?: boolean
    /** Of the chain. */
    readonly name?: string
  } = {},
) {
  const schemas = requestSchemas({ strictChecksum: false })
  const keyed = endpoints.map(({ path, tag, summary, query, body, type }) => [
    path,
    {
      get: {
        ...{ operationId: operationIdOf(path), tags: [tag], summary },
        parameters: [
          ...chainParameter(chainId),
          ...(path.includes('{address}') ? parametersOf(schemas.token, 'path') : []),
          ...parametersOf(schemas[query], 'query'),
        ],
        responses: {
          '200': {
            ...jsonOf('Success', jsonSchemaOf(withAdded(body, path, compat)), type),
            headers: HEADERS,
          },
          ...(/\/quotes?$/.test(path) && { '304': { description: 'Not modified' } }),
          ...errorResponses(),
        },
      },
    },
  ])
  const shaped = compatEndpoints(compat).map(({ path, operationId, summary, query }) => [
    path,
    {
      get: {
        ...{ operationId, tags: ['Compatible'], summary },
        parameters: parametersOf(query(schemas), 'query'),
        responses: {
          '200': jsonOf('As the other service describes it', { type: 'object' }),
          ...errorResponses(undefined, jsonSchemaOf(compatErrorSchema(compat, path))),
        },
      },
    },
  ])
  const open = Object.entries(openPaths).map(([path, { summary, body, codes, answersAt503 }]) => [
    path,
    {
      get: {
        ...{ operationId: operationIdOf(path), tags: ['Service'], summary, security: [] },
        responses: {
          '200': jsonOf('Success', jsonSchemaOf(body)),
          ...(answersAt503 && {
            '503': jsonOf('The same body, with the reason', jsonSchemaOf(body)),
          }),
          ...errorResponses(['METHOD_NOT_ALLOWED', 'URI_TOO_LONG', ...codes]),
        },
      },
    },
  ])
  return {
    openapi: '3.1.0',
    info: {
      ...{ title: 'Braid', version: ENGINE_VERSION, license: { name: 'MIT', identifier: 'MIT' } },
      description: `Swap aggregation for ${name}. Amounts are decimal strings in the smallest unit of the token.`,
    },
    servers: [{ url: '/' }],
    security: [{ apikey: [] }, ...(keyless ? [{}] : [])],
    tags: Object.entries(tags)
      .filter(([name]) => name !== 'Compatible' || shaped.length > 0)
      .map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries([...keyed, ...shaped, ...open]),
    components: {
      securitySchemes: { apikey: { type: 'apiKey', in: 'header', name: 'apikey' } },
      schemas: { Error: jsonSchemaOf(wire.errorSchema) },
    },
  }
}

/** The success body of an endpoint, with the fields that the shapes add. */
function withAdded(body: z.ZodObject, path: string, compat: readonly CompatName[]): z.ZodObject {
  const added = shapesOf(compat).find(({ addition }) => addition?.path === path)?.addition
  return added ? body.extend(added.fields) : body
}

const openPaths: Readonly<
  Record<
    string,
    { summary: string; body: z.ZodType; codes: readonly ErrorCode[]; answersAt503?: boolean }
  >
> = {
  '/healthz': { summary: 'Liveness: the process is up', body: wire.healthSchema, codes: [] },
  '/readyz': {
    ...{ summary: 'Readiness, with the reason if not ready', body: wire.readySchema, codes: [] },
    answersAt503: true,
  },
  '/health': {
    ...{ summary: 'Readiness as a boolean', body: wire.healthySchema },
    codes: ['NOT_READY', 'STATE_STALE', 'NO_POOLS', 'ROUTER_UNCONFIRMED'],
  },
  '/version': {
    summary: 'Version, chain id and router address',
    body: wire.versionSchema,
    codes: [],
  },
  '/errors.json': { summary: 'Every error code', body: wire.errorTableSchema, codes: [] },
}

const header = (description: string) => ({ description, schema: { type: 'string' } })

const HEADERS = {
  'x-request-id': header('Identifies the request in the operator’s log'),
  'x-block-number': header('Number of the block that the answer is computed from'),
  'x-block-hash': header('Hash of that block'),
  'x-state-age-ms': header('Milliseconds since that block was received'),
  'x-quote-id': header('Identity of the quote: the same for the same request at the same state'),
  'x-ignored-params': header('Unknown parameter names, comma-separated'),
  'ratelimit-policy': header('Capacity of the key’s token bucket, and the seconds to refill it'),
  ratelimit: header('Remaining requests, and the seconds until the bucket is full'),
}

/** A name without slashes and braces, such as `approveTransaction`. */
function operationIdOf(path: string): string {
  const words = path.split(/[^a-zA-Z]+/).filter((word) => !/^(|swap|v|chainId|json)$/.test(word))
  const named = words.length === 0 ? ['swap'] : words
  return named
    .map((word, i) => (i === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('')
}

function chainParameter(chainId: number) {
  return parametersOf(z.object({ chainId: z.literal(chainId).meta({ type: 'integer' }) }), 'path')
}

function parametersOf(schema: z.ZodObject, where: 'path' | 'query') {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as z.core.JSONSchema.JSONSchema
    return {
      ...{ name, in: where, required: required.includes(name), schema: rest },
      ...(description !== undefined && { description }),
    }
  })
}

/** One response per status, naming the codes it may carry. */
function errorResponses(
  only?: readonly ErrorCode[],
  schema: unknown = { $ref: '#/components/schemas/Error' },
) {
  const codes = new Map<number, string[]>()
  for (const [code, { status }] of Object.entries(errorTable)) {
    if (only && !only.includes(code as ErrorCode)) continue
    codes.set(status, [...(codes.get(status) ?? []), code])
  }
  // TOKEN_NOT_FOUND is 404 if the token is in the path.
  if (!only) codes.get(404)?.push('TOKEN_NOT_FOUND')
  return Object.fromEntries(
    [...codes].map(([status, names]) => [`${status}`, jsonOf(names.join(', '), schema)]),
  )
}

function jsonOf(description: string, schema: unknown, type = 'application/json') {
  return { description, content: { [type]: { schema } } }
}

/** The JSON Schema of a type, without `$schema`, because the document sets the dialect. */
function jsonSchemaOf(type: z.ZodType) {
  const { $schema: _, ...schema } = z.toJSONSchema(type)
  return schema
}
