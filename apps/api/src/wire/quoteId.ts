import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Hex, Pool, Snapshot } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

const packageJson: { version: string } = createRequire(import.meta.url)('../../package.json')

/** Version of the engine, which is part of every quote's identity. */
export const ENGINE_VERSION = packageJson.version

const poolHashes = new WeakMap<Pool, string>()
const snapshotIds = new WeakMap<Snapshot, string>()
const tokenTexts = new WeakMap<Snapshot['tokens'], string>()

/**
 * Identity of a market state: `s1_` and the base32 SHA-256 of its block, its tokens and the hashes of
 * its pools sorted by id. Every block needs one before its first quote, so the hashes of unchanged
 * pools and the text of unchanged tokens are cached.
 */
export function snapshotIdOf(snapshot: Snapshot): string {
  const known = snapshotIds.get(snapshot)
  if (known) return known
  const { chainId, block, wrappedNative, tokens } = snapshot
  const pools = snapshot.pools.map((pool) => [pool.id, poolHashOf(pool)] as const)
  pools.sort(([a], [b]) => (a < b ? -1 : 1))
  const head = stringify({ chainId, block, wrappedNative }).slice(0, -1)
  // No bigint is among the pools' hashes, so the faster serialisation gives the same text.
  const text = `${head},"tokens":${tokensText(tokens)},"pools":${JSON.stringify(pools)}}`
  const id = `s1_${digest(text)}`
  snapshotIds.set(snapshot, id)
  return id
}

/** A request, the pools that are left out because a swap failed there, and the tokens that routes may pass beside the list. */
export type Identified = {
  readonly endpoint: string
  readonly params: Readonly<Record<string, unknown>>
  readonly suspended?: readonly Hex[]
  readonly earned?: readonly Hex[]
}

/**
 * Identity of a quote: `q1_` and the base32 SHA-256 of canonical JSON. Two quotes have the same id if
 * and only if they have the same request, state, suspended pools, earned tokens and engine version.
 */
export function quoteIdOf(snapshot: Snapshot, request: Identified): string {
  const params = canonicalParams(request.params)
  const identity = {
    v: 1,
    chainId: snapshot.chainId,
    blockHash: snapshot.block.hash,
    snapshotId: snapshotIdOf(snapshot),
    engineVersion: ENGINE_VERSION,
    endpoint: request.endpoint,
    params,
    ...(request.suspended?.length && { suspended: request.suspended }),
    ...(request.earned?.length && { earned: request.earned }),
  }
  return `q1_${digest(stringify(identity))}`
}

/** The parameters that are set, sorted by name, in a form whose JSON is the same for the same request. */
export function canonicalParams(params: Readonly<Record<string, unknown>>) {
  return (
    Object.entries(params)
      .filter(([, value]) => value !== undefined && value !== false)
      // JSON has no sets: all would read as {}.
      .map(([name, value]) => [name, value instanceof Set ? [...value].sort() : value] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )
}

function tokensText(tokens: Snapshot['tokens']): string {
  const known = tokenTexts.get(tokens)
  if (known !== undefined) return known
  const text = stringify([...tokens].sort((a, b) => (a.address < b.address ? -1 : 1)))
  tokenTexts.set(tokens, text)
  return text
}

function poolHashOf(pool: Pool): string {
  const known = poolHashes.get(pool)
  if (known) return known
  const hash = digest(stringify(pool))
  poolHashes.set(pool, hash)
  return hash
}

/** Base32 (RFC 4648, lower case, no padding) of the SHA-256 of a text. */
function digest(text: string): string {
  let bits = 0
  let count = 0
  let result = ''
  for (const byte of hash('sha256', text, 'buffer')) {
    bits = (bits << 8) | byte
    count += 8
    while (count >= 5) {
      count -= 5
      result += BASE32[(bits >> count) & 31]!
    }
    bits &= (1 << count) - 1
  }
  return result + (count > 0 ? BASE32[(bits << (5 - count)) & 31]! : '')
}
