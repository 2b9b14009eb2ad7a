/**
 * The form of plain data, as data: which fields a value has, of which type, in which range, and what
 * holds between them. One description serves the check of a value (check.ts) and its JSON Schema
 * (jsonSchema.ts), and its type parameter lets the compiler compare it with the type it describes.
 */

/** A value that is not what its shape says. */
export type Fault = {
  /** Path inside the value, such as `ticks[3].index`; empty for the value itself. */
  readonly field: string
  /** The value found, shortened. */
  readonly got: string
  readonly wanted: string
}

/** A description without its type parameter. */
export type Node =
  | { readonly kind: 'any' }
  | { readonly kind: 'integer'; readonly min: bigint; readonly max: bigint }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text'; readonly pattern: RegExp; readonly wanted: string }
  | { readonly kind: 'choice'; readonly of: readonly (string | number | bigint)[] }
  | { readonly kind: 'list'; readonly item: Node; readonly min: number; readonly max: number }
  | { readonly kind: 'tuple'; readonly items: readonly Node[] }
  | {
      readonly kind: 'record'
      readonly fields: readonly FieldNode[]
      readonly rule: ((value: never) => Fault | undefined) | undefined
    }
  | {
      readonly kind: 'variants'
      readonly tag: string
      readonly of: ReadonlyMap<string, Node>
    }

/** A named field of a record; without a node, the field must not be there. */
export type FieldNode = {
  readonly name: string
  readonly node: Node | undefined
  readonly isOptional: boolean
}

declare const described: unique symbol

/**
 * The description of values of type T. The parameter occurs as argument and as result, so that a
 * description of a wider or narrower type is a type error.
 */
export type Shape<T> = Node & { readonly [described]?: (value: T) => T }

/** A field that may be absent. */
export type OptionalField<T> = { readonly optional: Shape<T> }

/** A field that the type allows and this record never has. */
export type AbsentField = { readonly optional: undefined }

/** A shape for each field of T; an optional field is marked as such. */
export type Fields<T> = {
  readonly [K in keyof T]-?: T extends Required<Pick<T, K>>
    ? Shape<T[K]>
    : OptionalField<Exclude<T[K], undefined>> | AbsentField
}

/** An integer of the chain within bounds, both inclusive: a decimal string in JSON. */
export function integer(min: bigint, max: bigint): Shape<bigint> {
  return { kind: 'integer', min, max }
}

/** An unsigned integer of so many bits. */
export function uint(bits: number): Shape<bigint> {
  return integer(0n, (1n << BigInt(bits)) - 1n)
}

/** A signed integer of so many bits. */
export function int(bits: number): Shape<bigint> {
  const half = 1n << BigInt(bits - 1)
  return integer(-half, half - 1n)
}

/** A small integer within bounds, both inclusive: a JSON number. */
export function number(min: number, max: number): Shape<number> {
  return { kind: 'number', min, max }
}

/** True or false. */
export const boolean: Shape<boolean> = { kind: 'boolean' }

/** Text of a pattern; `wanted` says in words what matches it. */
export function text<T extends string>(pattern: RegExp, wanted: string): Shape<T> {
  return { kind: 'text', pattern, wanted }
}

/** One of the listed values. */
export function choice<const T extends string | number | bigint>(...of: readonly T[]): Shape<T> {
  return { kind: 'choice', of }
}

/** A list of at least `min` and at most `max` items. */
export function list<T>(item: Shape<T>, min = 0, max = MAX_ITEMS): Shape<readonly T[]> {
  return { kind: 'list', item, min, max }
}

/** More items than any list of a snapshot has. */
const MAX_ITEMS = 2_000_000

/** Exactly two items. */
export function pair<T>(item: Shape<T>): Shape<readonly [T, T]> {
  return { kind: 'tuple', items: [item, item] }
}

/** Exactly two items of different shapes. */
export function twoOf<A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly [A, B]> {
  return { kind: 'tuple', items: [first, second] }
}

/** A field that may be absent. */
export function optional<T>(shape: Shape<T>): OptionalField<T> {
  return { optional: shape }
}

/** A field that is never there. */
export const absent: AbsentField = { optional: undefined }

/**
 * An object with exactly these fields. The rule sees a value whose fields are as described, and returns
 * what does not hold between them.
 */
export function record<T extends object>(
  fields: Fields<T>,
  rule?: (value: T) => Fault | undefined,
): Shape<T> {
  const named = fields as unknown as Record<string, Node | { readonly optional: Node | undefined }>
  const nodes = Object.entries(named).map(
    ([name, field]): FieldNode =>
      'optional' in field
        ? { name, node: field.optional, isOptional: true }
        : { name, node: field, isOptional: false },
  )
  return { kind: 'record', fields: nodes, rule }
}

/** One of several records, distinguished by the text in the field `tag`. */
export function variants<T extends object, K extends keyof T & string>(
  tag: K,
  of: { readonly [V in T[K] & string]: Shape<Extract<T, Readonly<Record<K, V>>>> },
): Shape<T> {
  return { kind: 'variants', tag, of: new Map(Object.entries<Node>(of)) }
}
