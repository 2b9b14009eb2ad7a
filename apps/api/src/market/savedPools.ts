import { createHash } from 'node:crypto'
import type { PoolRef, Searched, Venue } from '@braid-swap/chain'
import { ownValue, parse, stringify } from '@braid-swap/core/advanced'
import { readSealed, SealedFileError, writeSealed } from './checksummedFile.js'
import type { MarketKey } from './savedMarket.js'

/** The pools found, and how far each venue is searched. */
export type FoundBefore = { readonly searched: Searched; readonly refs: readonly PoolRef[] }

/** Changes with every incompatible change of the file format. */
const FORMAT = 'braid pools 1'

type PoolsFileHead = {
  readonly chainId: number
  /** Hash of each venue's definition at the time of the search, by id. */
  readonly venues: Readonly<Record<string, string>>
  readonly searched: Searched
}

/** Saves the pools found. The file survives changes of the market format and of other venues. */
export function saveFound(file: string, found: FoundBefore, key: MarketKey): Promise<void> {
  const { chainId } = key
  const head: PoolsFileHead = {
    chainId,
    venues: Object.fromEntries(identitiesOf(key)),
    searched: found.searched,
  }
  return writeSealed(file, FORMAT, [stringify(head), ...found.refs.map((ref) => stringify(ref))])
}

/**
 * The saved pools of the venues whose definition is unchanged; `undefined` if there is no file.
 * Throws a {@link SealedFileError} for an incomplete file or another chain.
 */
export async function readFound(file: string, key: MarketKey): Promise<FoundBefore | undefined> {
  const lines = await readSealed(file, FORMAT)
  if (!lines) return undefined
  const [text, ...rest] = lines
  const { chainId, venues, searched } = parse(text!) as PoolsFileHead
  if (chainId !== key.chainId) {
    throw new SealedFileError(file, `its chain is ${chainId}, wanted ${key.chainId}`)
  }
  const wanted = identitiesOf(key)
  const isSame = (id: string) => wanted.has(id) && wanted.get(id) === ownValue(venues, id)
  return {
    searched: Object.fromEntries(Object.entries(searched).filter(([id]) => isSame(id))),
    refs: rest.map((line) => parse(line) as PoolRef).filter(({ venue }) => isSame(venue)),
  }
}

function identitiesOf({ venues }: MarketKey): ReadonlyMap<string, string> {
  return new Map(venues.map((venue) => [venue.id, identityOf(venue)]))
}

// Without `toConfirm`, which is documentation and may be corrected.
function identityOf({ toConfirm: _, ...venue }: Venue): string {
  return createHash('sha256').update(stringify(venue)).digest('hex')
}
