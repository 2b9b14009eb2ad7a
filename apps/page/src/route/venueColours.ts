import { kept, type Store } from '../storage.js'
import { isWrap } from './wrap.js'

/** The number of colours; further venues share them. */
export const COLOURS = 12

const KEY = 'braid.venues'
/** Names of venues have no line breaks, and a market has far fewer venues. */
const MAX_VENUES = 100

/**
 * Assigns a colour to each venue on first use and keeps it, so that a venue looks the same in every
 * quote and at every visit.
 */
export function createVenueColours(
  store: Pick<Store, 'read' | 'write'>,
): (venue: string) => number {
  const read = () => (store.read(KEY) ?? '').split('\n').filter(Boolean).slice(0, MAX_VENUES)
  let given = read()
  return (venue) => {
    if (!given.includes(venue)) {
      // Another tab may have given colours since, which this tab must not overwrite.
      given = [...new Set([...read(), ...given, venue])]
      store.write(KEY, given.join('\n'))
    }
    return given.indexOf(venue) % COLOURS
  }
}

/** The colours of this page. */
export const colourOfVenue = createVenueColours(kept)

/** The colour of a hop; all wraps share one. */
export function colourOf(hop: { readonly exchange: string; readonly poolType: string }) {
  return isWrap(hop.poolType) ? 'wrap' : colourOfVenue(hop.exchange)
}

/** The style that gives an element the colour of a hop or a venue. */
export function venueStyle(colour: number | 'wrap') {
  return { '--venue': `var(--venue-${colour})` }
}
