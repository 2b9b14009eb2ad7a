import { createHash } from 'node:crypto'
import type { Market, PoolRef, SetAside, TokenFlaw, TrailBlock, Venue } from '@braid-swap/chain'
import {
  type Address,
  type Block,
  checkSnapshot,
  type Snapshot,
  type Token,
} from '@braid-swap/core'
import { BadSnapshotError, parse, stringify } from '@braid-swap/core/advanced'
import { ENGINE_VERSION } from '../wire/quoteId.js'
import { readSealed, SealedFileError, writeSealed } from './checksummedFile.js'

/** Identifies the market that a saved file must be of. */
export type MarketKey = {
  readonly chainId: number
  readonly wrappedNative: Address
  readonly venues: readonly Venue[]
}

/** Changes with every incompatible change of the file format. */
const FORMAT = 'braid market 1'

type MarketFileHead = {
  readonly block: Block
  readonly tokens: readonly Token[]
  readonly setAside: readonly SetAside[]
  readonly flawed: readonly TokenFlaw[]
  readonly trail: readonly TrailBlock[]
  readonly refs: number
  readonly pools: number
}

/** Saves a market without its trials, one line per pool, with a checksum. Replaces the previous file. */
export function saveMarket(file: string, market: Market, key: MarketKey): Promise<void> {
  return writeSealed(file, FORMAT, linesOf(market, key))
}

function* linesOf(market: Market, key: MarketKey): Generator<string> {
  yield JSON.stringify(identityOf(key))
  const { snapshot, pools, setAside } = market.state
  const { trail } = market.cursor
  const { flawed } = market.trust
  const { block, tokens } = snapshot
  const counts = { refs: pools.length, pools: snapshot.pools.length }
  yield stringify({ block, tokens, setAside, flawed, trail, ...counts } satisfies MarketFileHead)
  for (const ref of pools) yield stringify(ref)
  for (const pool of snapshot.pools) yield stringify(pool)
}

/**
 * The saved market, at its own block; refresh it before you quote from it. `undefined` if there is no
 * file. Throws a {@link SealedFileError} for an incomplete file, or one of another chain, other venues
 * or another version.
 */
export async function readMarket(file: string, key: MarketKey): Promise<Market | undefined> {
  const lines = await readSealed(file, FORMAT)
  if (!lines) return undefined
  const [identity, head, ...rest] = lines
  const wanted = identityOf(key)
  const got = JSON.parse(identity!) as typeof wanted
  for (const name of Object.keys(wanted) as (keyof typeof wanted)[]) {
    if (got[name] === wanted[name]) continue
    throw new SealedFileError(file, `its ${name} is ${got[name]}, wanted ${wanted[name]}`)
  }
  const { block, tokens, setAside, flawed, trail, refs } = parse(head!) as MarketFileHead
  const { chainId, wrappedNative } = key
  const pools = rest.slice(refs).map((line) => parse(line))
  return {
    state: {
      snapshot: checked(file, { chainId, block, wrappedNative, tokens, pools }),
      pools: rest.slice(0, refs).map((line) => parse(line) as PoolRef),
      // Those are read and judged again, because the operator may have listed other sources since.
      setAside: setAside.filter(({ code }) => code !== 'POOL_RATE_UNLISTED'),
      // A saved market is never fresh.
      receivedAtMs: 0,
    },
    cursor: { trail },
    trust: { flawed },
  }
}

/** The snapshot, checked as every one from outside. */
function checked(file: string, snapshot: unknown): Snapshot {
  try {
    return checkSnapshot(snapshot)
  } catch (error) {
    if (!(error instanceof BadSnapshotError)) throw error
    throw new SealedFileError(file, error.message, error)
  }
}

function identityOf({ chainId, wrappedNative, venues }: MarketKey) {
  const hash = createHash('sha256').update(stringify(venues)).digest('hex')
  return { chainId, wrappedNative, venues: hash, engine: ENGINE_VERSION }
}
