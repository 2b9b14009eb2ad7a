// The one reader of venues, for files and for programs: every field by one table, which is the schema too.

import { type Address, BaseError } from '@braid-swap/core'
import { ladderProtocols } from '@braid-swap/core/families'
import { loadedFamilies } from '../loaders/loaders.js'
import type { Venue } from '../pools/venue.js'

/** A field: what it must be in words and as JSON Schema, and its value, `undefined` if it is wrong. */
type Field = {
  readonly wanted: string
  readonly schema: object
  readonly read: (value: unknown) => unknown
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const MAX_PPM = 999_999
/** The widest tick spacing of Uniswap V4. */
const MAX_SPACING = 32_767
/** Ten times the gas of the dearest known swap. */
const MAX_GAS = 10_000_000

const matching = (pattern: RegExp, wanted: string): Field => ({
  wanted,
  schema: { type: 'string', pattern: pattern.source },
  read: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
})

const address: Field = {
  ...matching(ADDRESS, '0x and 40 hex digits'),
  read: (value) => (typeof value === 'string' && ADDRESS.test(value) ? lower(value) : undefined),
}

const integer = (minimum: number, maximum: number): Field => ({
  wanted: `an integer from ${minimum} to ${maximum}`,
  schema: { type: 'integer', minimum, maximum },
  read: (value) =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
      ? value
      : undefined,
})

const oneOf = (values: readonly string[]): Field => ({
  wanted: `one of ${values.join(', ')}`,
  schema: { enum: values },
  read: (value) => (values.includes(value as string) ? value : undefined),
})

const listOf = ({ wanted, schema, read }: Field): Field => ({
  wanted: `an array, each ${wanted}`,
  schema: { type: 'array', items: schema, minItems: 1 },
  read: (value) => {
    if (!Array.isArray(value) || value.length === 0) return undefined
    const entries = value.map(read)
    return entries.includes(undefined) ? undefined : entries
  },
})

const pair: Field = {
  wanted: 'a pair of two addresses',
  schema: { ...(listOf(address).schema as object), minItems: 2, maxItems: 2 },
  read: (value) => {
    const tokens = listOf(address).read(value) as readonly Address[] | undefined
    return tokens?.length === 2 && tokens[0] !== tokens[1] ? tokens : undefined
  },
}

const blockNumber: Field = {
  wanted: 'a block number',
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^[0-9]{1,15}$' },
    ],
  },
  read: (value) => {
    if (typeof value === 'bigint') return value >= 0n ? value : undefined
    if (typeof value === 'string') return /^[0-9]{1,15}$/.test(value) ? BigInt(value) : undefined
    return Number.isSafeInteger(value) && Number(value) >= 0 ? BigInt(value as number) : undefined
  },
}

const FIELDS: { readonly [F in keyof Required<Venue>]: Field } = {
  id: matching(/^[A-Za-z0-9-]+$/, 'letters, digits and dashes'),
  family: oneOf([...loadedFamilies]),
  factory: address,
  feePpm: integer(0, MAX_PPM),
  feesPpm: listOf(integer(0, MAX_PPM)),
  tickSpacings: listOf(integer(1, MAX_SPACING)),
  modules: listOf(matching(/^0x[0-9a-f]{64}$/, 'a hash: 0x and 64 hex digits in lower case')),
  feeSource: oneOf(['currentFee', 'swapFeeModule']),
  extraGas: integer(0, MAX_GAS),
  protocol: oneOf(ladderProtocols),
  pairs: listOf(pair),
  haircutPpm: integer(0, MAX_PPM),
  variant: oneOf(['solidly', 'ramses', 'velodrome']),
  wrappedNative: address,
  toConfirm: listOf(matching(/./, 'a text')),
  fromBlock: blockNumber,
}
const fields: ReadonlyMap<string, Field> = new Map(Object.entries(FIELDS))
const REQUIRED = ['id', 'family', 'factory']

/**
 * The venues in a value, such as a parsed JSON file: addresses in lower case, blocks as bigints. Throws a
 * {@link BadVenuesError} that names every unknown, missing or wrong field.
 *
 * @example const venues = checkVenues(JSON.parse(text))
 */
export function checkVenues(value: unknown): readonly Venue[] {
  if (!Array.isArray(value)) {
    throw new BadVenuesError([{ field: '', fault: `must be an array, is ${shown(value)}` }])
  }
  const read = value.map(readVenue)
  const faults = read.flatMap((venue, at) =>
    venue.faults.map(({ field, fault }) => ({ field: field ? `${at}.${field}` : `${at}`, fault })),
  )
  const ids = read.map(({ venue }) => venue.id)
  const twice = ids.findIndex((id, at) => id !== undefined && ids.indexOf(id) < at)
  if (twice >= 0) faults.push({ field: `${twice}.id`, fault: `${ids[twice]} is the id of another` })
  if (faults.length > 0) throw new BadVenuesError(faults)
  return read.map(({ venue }) => venue as Venue)
}

/** The JSON Schema (2020-12) of a file of venues. */
export function venuesSchema(): object {
  const properties = Object.entries(FIELDS).map(([name, { schema }]) => [name, schema])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The venues of a chain',
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: REQUIRED,
      additionalProperties: false,
    },
  }
}

/** What is wrong with a field; an empty name is the venue itself. */
export type Fault = { readonly field: string; readonly fault: string }

function readVenue(value: unknown): {
  readonly venue: Partial<Venue>
  readonly faults: readonly Fault[]
} {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { venue: {}, faults: [{ field: '', fault: `must be an object, is ${shown(value)}` }] }
  }
  const given = new Map(Object.entries(value).filter(([, entry]) => entry !== undefined))
  const venue = new Map<string, unknown>()
  const missing = REQUIRED.filter((field) => !given.has(field))
  const faults: Fault[] = missing.map((field) => ({ field, fault: 'is missing' }))
  for (const [field, entry] of given) {
    const known = fields.get(field)
    if (!known) {
      const alike = [...fields.keys()].find((name) => name.toLowerCase() === field.toLowerCase())
      const hint = alike
        ? `did you mean ${alike}?`
        : `the fields are ${[...fields.keys()].join(', ')}`
      faults.push({ field, fault: `is no field of a venue; ${hint}` })
      continue
    }
    const good = known.read(entry)
    if (good === undefined) {
      faults.push({ field, fault: `must be ${known.wanted}, is ${shown(entry)}` })
    } else venue.set(field, good)
  }
  return { venue: Object.fromEntries(venue), faults }
}

const lower = (text: string) => text.toLowerCase() as Address

/** A wrong value, short enough for one line. */
function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)
  return `${text}`.slice(0, 80)
}

/** Venues have unknown, missing or wrong fields; the message names each. */
export class BadVenuesError extends BaseError {
  readonly code = 'BAD_VENUES'
  /** One line for each fault: the venue's place, its field and what is wrong. */
  readonly lines: readonly string[]

  constructor(faults: readonly Fault[]) {
    const lines = faults.map(({ field, fault }) => `${field ? `${field}: ` : ''}${fault}`)
    super(lines.join('; '), { field: faults[0]!.field, expected: faults[0]!.fault })
    this.lines = lines
  }
}
