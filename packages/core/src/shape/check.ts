/**
 * Compares a value with its shape and returns the first fault. A value without a fault costs no
 * allocation, because every pool of every snapshot passes here.
 */
import { ownValue } from '../ownValue.js'
import type { Fault, FieldNode, Node } from './shape.js'

/** The first fault of a value; `undefined` if it has the shape. Never throws, whatever the value is. */
export function faultOf(shape: Node, value: unknown): Fault | undefined {
  return check(shape, value)
}

function check(node: Node, value: unknown): Fault | undefined {
  switch (node.kind) {
    case 'any':
      return undefined
    case 'integer': {
      const isIn = typeof value === 'bigint' && value >= node.min && value <= node.max
      return isIn ? undefined : wrong(node, value)
    }
    case 'number': {
      const isIn = Number.isInteger(value) && Number(value) >= node.min && Number(value) <= node.max
      return isIn ? undefined : wrong(node, value)
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrong(node, value)
    case 'text':
      return typeof value === 'string' && node.pattern.test(value) ? undefined : wrong(node, value)
    case 'choice':
      return node.of.includes(value as string) ? undefined : wrong(node, value)
    case 'list':
      return checkList(node, value)
    case 'tuple':
      return checkTuple(node, value)
    case 'record':
      return checkRecord(node, value)
    case 'variants': {
      const tag = isRecord(value) ? ownValue(value, node.tag) : undefined
      const variant = typeof tag === 'string' ? node.of.get(tag) : undefined
      if (variant) return check(variant, value)
      return isRecord(value) ? { ...wrong(node, tag), field: node.tag } : wrong(node, value)
    }
  }
}

function checkList(node: Extract<Node, { kind: 'list' }>, value: unknown): Fault | undefined {
  if (!Array.isArray(value) || value.length < node.min || value.length > node.max) {
    return wrong(node, value)
  }
  for (let i = 0; i < value.length; i++) {
    const fault = check(node.item, value[i])
    if (fault) return below(`[${i}]`, fault)
  }
  return undefined
}

function checkTuple(node: Extract<Node, { kind: 'tuple' }>, value: unknown): Fault | undefined {
  if (!Array.isArray(value) || value.length !== node.items.length) return wrong(node, value)
  for (let i = 0; i < value.length; i++) {
    const fault = check(node.items[i]!, value[i])
    if (fault) return below(`[${i}]`, fault)
  }
  return undefined
}

function checkRecord(node: Extract<Node, { kind: 'record' }>, value: unknown): Fault | undefined {
  if (!isRecord(value)) return wrong(node, value)
  let present = 0
  for (const field of node.fields) {
    if (!Object.hasOwn(value, field.name)) {
      if (field.isOptional) continue
      return { field: field.name, got: 'nothing', wanted: wantedOf(field.node!) }
    }
    present += 1
    const fault = checkField(field, ownValue(value, field.name))
    if (fault) return below(field.name, fault)
  }
  if (Object.keys(value).length !== present) return unknownField(node, value)
  // The fields are as described, so the value has the type that the rule was written for.
  return node.rule?.(value as never)
}

function checkField({ node }: FieldNode, value: unknown): Fault | undefined {
  if (node) return check(node, value)
  return { field: '', got: textOf(value), wanted: 'no such field here' }
}

function unknownField(
  { fields }: Extract<Node, { kind: 'record' }>,
  value: Readonly<Record<string, unknown>>,
): Fault {
  const known = new Set(fields.map(({ name }) => name))
  const name = Object.keys(value).find((key) => !known.has(key))!
  const listed = fields.flatMap((field) => (field.node ? [field.name] : []))
  return { field: short(name), got: 'an unknown field', wanted: listed.join(', ') }
}

/** A fault of a part, named by its path in the whole. */
export function below(name: string, fault: Fault): Fault {
  const { field } = fault
  const joined = field === '' || field.startsWith('[') ? `${name}${field}` : `${name}.${field}`
  return { ...fault, field: joined }
}

function wrong(node: Node, value: unknown): Fault {
  return { field: '', got: textOf(value), wanted: wantedOf(node) }
}

/** Describes the values that a shape accepts, in words. */
export function wantedOf(node: Node): string {
  switch (node.kind) {
    case 'any':
      return 'a value'
    case 'integer':
      return `an integer as a decimal string, from ${boundText(node.min)} to ${boundText(node.max)}`
    case 'number':
      return `a whole number from ${node.min} to ${node.max}`
    case 'boolean':
      return 'true or false'
    case 'text':
      return node.wanted
    case 'choice':
      return node.of.length === 1 ? `${node.of[0]}` : `one of ${node.of.join(', ')}`
    case 'list':
      return node.max === node.min
        ? `a list of ${node.min}`
        : `a list of ${node.min} to ${node.max}`
    case 'tuple':
      return `a list of ${node.items.length}`
    case 'record':
      return 'an object'
    case 'variants':
      return `one of ${[...node.of.keys()].join(', ')}`
  }
}

/** 2^128-1 is easier to read than its digits. */
function boundText(bound: bigint): string {
  const size = bound < 0n ? -bound : bound
  const bits = size.toString(2).length
  if (bits < 32) return `${bound}`
  const sign = bound < 0n ? '-' : ''
  if (size === (1n << BigInt(bits)) - 1n) return `${sign}(2^${bits}-1)`.replace(/^\(|\)$/g, '')
  return size === 1n << BigInt(bits - 1) ? `${sign}2^${bits - 1}` : `${bound}`
}

/** A value as text of a bounded length, for an error. */
export function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(short(value))
    case 'bigint':
      return bigintText(value)
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? `a list of ${value.length}` : 'an object'
    case 'undefined':
      return 'nothing'
    case 'number':
    case 'boolean':
      return `${value}`
    default:
      return `a ${typeof value}`
  }
}

// The digits of an integer of many thousand bits take long to compute.
function bigintText(value: bigint): string {
  const isShort = BigInt.asIntN(LONGEST_BITS, value) === value
  return isShort ? `${value}` : `an integer of more than ${LONGEST_BITS} bits`
}

const LONGEST_BITS = 320
const LONGEST_TEXT = 80

function short(value: string): string {
  return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
