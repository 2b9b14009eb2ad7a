import { createHash } from 'node:crypto'
import type { PoolRef, Searched, Venue } from '@braid-swap/chain'
import { ownValue, parse, stringify } from '@braid-swap/core'
import type { MarketKey } from './savedMarket.js'
import { readSealed, SealedFileError, writeSealed } from './sealedFile.js'

/** The pools that were found, and how far the venues are searched. */
export type FoundBefore = { readonly searched: Searched; readonly refs: readonly PoolRef[] }

/** Changes whenever saved pools would be read wrongly by the version before. */
const FORMAT = 'braid pools 1'

type Head = {
  readonly chainId: number
  /** What each venue was when it was searched, by id. */
  readonly venues: Readonly<Record<string, string>>
  readonly searched: Searched
}

/** Saves what was found: it outlives changes of the market's format and of other venues. */
export function saveFound(file: string, found: FoundBefore, key: MarketKey): Promise<void> {
  const { chainId } = key
  const head: Head = {
    chainId,
    venues: Object.fromEntries(identitiesOf(key)),
    searched: found.searched,
  }
  return writeSealed(file, [FORMAT, stringify(head), ...found.refs.map((ref) => stringify(ref))])
}

/**
 * What was found before of the venues that are still the same; `undefined` where nothing was saved.
 * Throws a {@link SealedFileError} for a file that is not whole, or of another chain.
 */
export async function readFound(file: string, key: MarketKey): Promise<FoundBefore | undefined> {
  const lines = await readSealed(file)
  if (!lines) return undefined
  const [format, text, ...rest] = lines
  if (format !== FORMAT) throw new SealedFileError(file, `its format is not "${FORMAT}"`)
  const { chainId, venues, searched } = parse(text!) as Head
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

// Not what is only known of it, which may be corrected.
function identityOf({ toConfirm: _, ...venue }: Venue): string {
  return createHash('sha256').update(stringify(venue)).digest('hex')
}
