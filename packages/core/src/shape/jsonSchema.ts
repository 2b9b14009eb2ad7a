/**
 * A shape as JSON Schema (draft 2020-12), for tools outside TypeScript. It has the form of every field;
 * ranges of decimal strings and what holds between fields are in `description`, because JSON Schema
 * cannot compare them.
 */
import { wantedOf } from './check.js'
import type { Node } from './shape.js'

/** A JSON Schema as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** The JSON Schema of a shape. */
export function jsonSchemaOf(node: Node): JsonSchema {
  switch (node.kind) {
    case 'any':
      return {}
    case 'integer': {
      const pattern = node.min < 0n ? '^-?[0-9]{1,78}$' : '^[0-9]{1,78}$'
      return { type: 'string', pattern, description: wantedOf(node) }
    }
    case 'number':
      return { type: 'integer', minimum: node.min, maximum: node.max }
    case 'boolean':
      return { type: 'boolean' }
    case 'text':
      return { type: 'string', pattern: node.pattern.source, description: node.wanted }
    case 'choice':
      // An integer of the chain is a decimal string here too.
      return { enum: node.of.map((value) => (typeof value === 'bigint' ? `${value}` : value)) }
    case 'list':
      return {
        ...{ type: 'array', items: jsonSchemaOf(node.item) },
        ...{ minItems: node.min, maxItems: node.max },
      }
    case 'tuple':
      return {
        ...{ type: 'array', prefixItems: node.items.map(jsonSchemaOf) },
        ...{ items: false, minItems: node.items.length },
      }
    case 'record':
      return recordSchema(node)
    case 'variants':
      return { oneOf: [...node.of.values()].map(jsonSchemaOf) }
  }
}

function recordSchema({ fields }: Extract<Node, { kind: 'record' }>): JsonSchema {
  const properties = fields.flatMap(({ name, node }) =>
    node ? [[name, jsonSchemaOf(node)] as const] : [],
  )
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: fields.flatMap(({ name, isOptional }) => (isOptional ? [] : [name])),
    additionalProperties: false,
  }
}
