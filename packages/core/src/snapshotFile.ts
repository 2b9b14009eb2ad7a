/**
 * Snapshots as text, and the door for those from outside: nothing that is not a market of known pools
 * becomes a snapshot. Each family describes its own pools; what holds between pools and block is here.
 */
import { checkNames } from './checkNames.js'
import { BaseError } from './errors.js'
import { type Address, NATIVE } from './hex.js'
import { parse, stringify } from './json.js'
import { ownValue } from './ownValue.js'
import { families, type Pool } from './pools/index.js'
import { address, hash, seconds } from './pools/poolFields.js'
import { faultOf, textOf } from './shape/check.js'
import { type JsonSchema, jsonSchemaOf } from './shape/jsonSchema.js'
import {
  type Fault,
  integer,
  list,
  number,
  optional,
  record,
  type Shape,
  uint,
} from './shape/shape.js'
import { type Block, nextTimeOf, type Snapshot, type Token } from './snapshot.js'

/** Changes whenever an older reader would misread a newer file, or the reverse. */
export const SNAPSHOT_VERSION = 1

/** A snapshot as JSON text, with integers as decimal strings. Throws what `JSON.stringify` does. */
export function stringifySnapshot(snapshot: Snapshot): string {
  const { chainId, block, wrappedNative, tokens, pools } = snapshot
  return stringify({ version: SNAPSHOT_VERSION, chainId, block, wrappedNative, tokens, pools })
}

/**
 * The snapshot in text that {@link stringifySnapshot} wrote, or that was written by hand in its format
 * (docs/snapshot-format.md). Throws a {@link BadSnapshotError} that names pool and field.
 */
export function parseSnapshot(
  text: string,
  options: Parameters<typeof checkSnapshot>[1] = {},
): Snapshot {
  let value: unknown
  try {
    value = parse(text)
  } catch (cause) {
    throw new BadSnapshotError('the text is not JSON', {}, cause)
  }
  if (!isRecord(value)) throw new BadSnapshotError('a snapshot is a JSON object')
  const { version, ...snapshot } = value
  if (version !== SNAPSHOT_VERSION) {
    throw new BadSnapshotError('unknown snapshot version', {
      got: textOf(version),
      wanted: SNAPSHOT_VERSION,
    })
  }
  return checkSnapshot(snapshot, options)
}

/**
 * The same value if it is a snapshot: every field has its form and range, every pool is a state that
 * its family can have, and no pool is listed twice. `onPools` is called a few hundred times for a large market, with the
 * number of pools checked so far. Throws a {@link BadSnapshotError}.
 */
export function checkSnapshot(
  value: unknown,
  options: { readonly onPools?: (done: number, all: number) => void } = {},
): Snapshot {
  checkNames('options', options, { onPools: true })
  const { onPools } = options
  const fault = faultOf(market, value)
  if (fault) throw fieldError(fault)
  const snapshot = value as Snapshot
  refuseTwice(snapshot.tokens, ({ address }) => address, 'tokens')
  const { pools } = snapshot
  const step = Math.max(1, Math.ceil(pools.length / 200))
  for (const [i, pool] of pools.entries()) {
    checkPool(pool, snapshot, `pools[${i}]`)
    const done = i + 1
    if (done % step === 0 || done === pools.length) onPools?.(done, pools.length)
  }
  refuseTwice(pools, ({ id }) => id, 'pools')
  return snapshot
}

/** The parts of a snapshot that its pools depend on. */
export type PoolMarket = {
  readonly block: Pick<Block, 'timestamp' | 'nextSeconds'>
  readonly wrappedNative: Address
}

/**
 * The same value if it is a pool of a known family in a state that the family can have, as of the block
 * of its market. `place` names a pool without an id. Throws a {@link BadSnapshotError}.
 */
export function checkPool(value: unknown, market: PoolMarket, place = 'a pool'): Pool {
  const name = isRecord(value) ? value['family'] : undefined
  const family = typeof name === 'string' ? ownValue(families, name) : undefined
  if (!family) {
    const got = isRecord(value) ? textOf(name) : textOf(value)
    throw new BadSnapshotError('a pool has an unknown family', {
      ...nameOf(value, place),
      ...{ field: 'family', got, wanted: Object.keys(families).join(', ') },
    })
  }
  const fault = faultOf(family.shape, value) ?? faultInMarket(value as Pool, market)
  if (!fault) return value as Pool
  const { pool } = nameOf(value, place)
  const { field, got, wanted } = fault
  throw new BadSnapshotError(`pool ${pool} (${name}): ${field || 'it'} is ${got}`, {
    ...{ pool, family: `${name}`, field, got, wanted },
  })
}

/** Quotes are for the next block, samples are not of a later one, and one token is the wrapped one. */
function faultInMarket(pool: Pool, { block, wrappedNative }: PoolMarket): Fault | undefined {
  const { quotedAt, sampledAt } = pool
  const next = nextTimeOf(block)
  if (quotedAt !== undefined && quotedAt !== next) {
    return { field: 'quotedAt', got: `${quotedAt}`, wanted: `${next}, the time of the next block` }
  }
  if (sampledAt !== undefined && sampledAt >= next) {
    return {
      field: 'sampledAt',
      got: `${sampledAt}`,
      wanted: `before ${next}, the time of the next block`,
    }
  }
  const wrapped = wrappedTokenOf(pool)
  if (wrapped === undefined || wrapped === wrappedNative) return undefined
  return { field: 'tokens', got: wrapped, wanted: `${wrappedNative}, the wrapped native token` }
}

/** The token that a pool takes for the wrapped native one: by its placeholder, or because it says so. */
function wrappedTokenOf(pool: Pool): Address | undefined {
  if ('isNative' in pool) return pool.isNative ? pool.tokens[0] : undefined
  return pool.tokens.includes(NATIVE) ? pool.tokens[1] : undefined
}

const token = record<Token>({ address, decimals: number(0, 255) })

const block = record<Block>({
  number: uint(64),
  hash,
  timestamp: seconds,
  nextSeconds: optional(integer(1n, 3_600n)),
  gasPrice: uint(128),
  priorityFee: optional(uint(128)),
  gasLimit: integer(1n, (1n << 64n) - 1n),
})

const poolList: Shape<readonly Pool[]> = list<Pool>({ kind: 'any' })

const market = record<Snapshot>({
  chainId: number(1, Number.MAX_SAFE_INTEGER),
  block,
  wrappedNative: address,
  tokens: list(token),
  pools: poolList,
})

/** The format of snapshot files as JSON Schema, draft 2020-12. */
export function snapshotSchema(): JsonSchema {
  const { properties, required, ...schema } = jsonSchemaOf(market) as {
    readonly properties: JsonSchema
    readonly required: readonly string[]
  }
  const { pools: _, ...rest } = properties
  const names = Object.keys(families)
  const ofFamilies = Object.fromEntries(
    Object.entries(families).map(([name, { shape }]) => [name, jsonSchemaOf(shape)]),
  )
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Braid snapshot, version ${SNAPSHOT_VERSION}`,
    ...schema,
    properties: {
      version: { const: SNAPSHOT_VERSION },
      ...rest,
      pools: {
        type: 'array',
        items: { oneOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) },
      },
    },
    required: ['version', ...required],
    $defs: ofFamilies,
  }
}

function refuseTwice<T>(items: readonly T[], keyOf: (item: T) => string, field: string): void {
  const first = new Map<string, number>()
  for (const [i, item] of items.entries()) {
    const key = keyOf(item)
    const before = first.get(key)
    if (before === undefined) {
      first.set(key, i)
      continue
    }
    const got = `${field}[${before}] and ${field}[${i}]`
    throw new BadSnapshotError(`${key} is listed twice in ${field}`, {
      ...(field === 'pools' ? { pool: key, field: 'id' } : { field: `${field}[${i}].address` }),
      ...{ got, wanted: 'one entry' },
    })
  }
}

function fieldError({ field, got, wanted }: Fault): BadSnapshotError {
  return new BadSnapshotError(`${field || 'the snapshot'} is ${got}`, { field, got, wanted })
}

function nameOf(value: unknown, place: string): { readonly pool: string } {
  const id = isRecord(value) ? value['id'] : undefined
  return { pool: typeof id === 'string' && /^0x[0-9a-f]{1,64}$/.test(id) ? id : place }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text or the value is not a snapshot of this version; message and details name pool and field. */
export class BadSnapshotError extends BaseError {
  readonly code = 'BAD_SNAPSHOT'
}
