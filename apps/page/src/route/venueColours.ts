import { isWrap } from './wrap.js'

/** The number of colours; further venues share them. */
export const COLOURS = 12

/**
 * Assigns a colour to each venue on first use and keeps it for the lifetime of the page, so that a
 * venue looks the same in every quote.
 */
export function createVenueColours(): (venue: string) => number {
  const given = new Map<string, number>()
  return (venue) => {
    const colour = given.get(venue) ?? given.size % COLOURS
    given.set(venue, colour)
    return colour
  }
}

/** The colours of this page. */
export const colourOfVenue = createVenueColours()

/** The colour of a hop; all wraps share one. */
export function colourOf(hop: { readonly exchange: string; readonly poolType: string }) {
  return isWrap(hop.poolType) ? 'wrap' : colourOfVenue(hop.exchange)
}

/** The style that gives an element the colour of a hop or a venue. */
export function venueStyle(colour: number | 'wrap') {
  return { '--venue': `var(--venue-${colour})` }
}
