import { useState } from 'preact/hooks'
import { z } from 'zod'
import { useRead } from '../useRead.js'
import { colourOfVenue, venueStyle } from './venueColours.js'

const words = z.string().transform((text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '))
/** The part of `/readyz` that is shown. */
const schema = z.object({
  venues: z.array(z.object({ exchange: words, state: words, reason: words.nullable() })),
})

/** What each state means for the answers. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['shadow', 'not used: it has not yet paid what Braid says'],
  ['canary', 'used, and tried in every round until twenty swaps agree'],
  ['serving', 'used'],
  ['quarantined', 'not used: it paid less than Braid says'],
])
const LEFT_OUT = ['shadow', 'quarantined']

/** How many venues answer, in a line; opened, why the others do not. */
export function VenueStates({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const [isOpen, setOpen] = useState(false)
  const venues = useRead(isOpen ? JSON.stringify(counts) : undefined, async (signal) => {
    // At 503 the answer has the same form.
    const answer = await fetch('/readyz', { signal })
    return schema.parse(await answer.json()).venues
  })
  return (
    <details
      class="hops"
      data-testid="venue-states"
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
    >
      <summary>{summaryOf(counts)}</summary>
      <ul class="venue-states fine">
        {venues?.map(({ exchange, state, reason }) => (
          <li key={exchange}>
            <i class="swatch" style={venueStyle(colourOfVenue(exchange))} />
            <b>{exchange}</b>{' '}
            <span class="soft">
              {meanings.get(state) ?? state}
              {reason !== null && `: ${reason}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A sentence about the number of venues in each state. */
export function summaryOf(counts: Readonly<Record<string, number>>): string {
  const sum = (all: readonly (readonly [string, number])[]) =>
    all.reduce((total, [, count]) => total + count, 0)
  const all = Object.entries(counts)
  const left = sum(all.filter(([state]) => LEFT_OUT.includes(state)))
  const total = sum(all)
  return `${total - left} of ${total} ${total === 1 ? 'venue' : 'venues'} open to routes`
}
