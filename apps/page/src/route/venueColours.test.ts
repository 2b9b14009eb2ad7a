import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mapStore } from '../testing/mapStore.js'
import { COLOURS, createVenueColours } from './venueColours.js'

it('a venue keeps its colour when later quotes contain other venues', () => {
  const venues = fc.constantFrom(...'abcdefghijklmnop')
  fc.assert(
    fc.property(fc.array(fc.array(venues, { maxLength: 8 })), (quotes) => {
      const store = mapStore()
      const colourOf = createVenueColours(store)
      const seen = new Map<string, number>()
      for (const venue of quotes.flat()) {
        const colour = colourOf(venue)
        expect(colour).toBe(seen.get(venue) ?? colour)
        seen.set(venue, colour)
      }
      // The next visit sees them in another order.
      const later = createVenueColours(store)
      for (const [venue, colour] of [...seen].reverse()) expect(later(venue)).toBe(colour)
    }),
  )
})

it('a venue keeps its colour when another tab gives colours too', () => {
  const venues = fc.constantFrom(...'abcdefghijklmnop')
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), venues)), (uses) => {
      const store = mapStore()
      const [here, there] = [createVenueColours(store), createVenueColours(store)]
      const seen = new Map<string, number>()
      for (const [isHere, venue] of uses) {
        const colour = isHere ? here(venue) : there(venue)
        expect(colour).toBe(seen.get(venue) ?? colour)
        seen.set(venue, colour)
      }
      const later = createVenueColours(store)
      for (const [venue, colour] of seen) expect(later(venue)).toBe(colour)
    }),
  )
})

it('no two venues share a colour while there are some left', () => {
  const colourOf = createVenueColours(mapStore())
  const names = Array.from({ length: COLOURS }, (_, i) => `venue ${i}`)
  expect(new Set(names.map(colourOf)).size).toBe(COLOURS)
})
