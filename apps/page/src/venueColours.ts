import { isWrap } from './wrap.js'

/** Colours there are; a venue beyond them shares one. */
export const COLOURS = 12

/**
 * A colour for each venue, given once and kept as long as the page lives: from one quote to the next
 * a venue's ribbons are found again by it.
 */
export function createVenueColours(): (venue: string) => number {
  const given = new Map<string, number>()
  return (venue) => {
    const colour = given.get(venue) ?? given.size % COLOURS
    given.set(venue, colour)
    return colour
  }
}

/** The page's own. */
export const colourOfVenue = createVenueColours()

/** The colour of a hop; wrapping has none of its own. */
export function colourOf(hop: { readonly exchange: string; readonly poolType: string }) {
  return isWrap(hop.poolType) ? 'wrap' : colourOfVenue(hop.exchange)
}
