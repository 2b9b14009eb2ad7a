import type { Address } from '@braid-swap/core'
import type { Venue } from '../../venues/venue.js'
import { refOf as refOfAny } from '../algebraIntegral/discover.js'
import type { Log, PoolRef } from '../loader.js'

/** The factory's `Pool` and `poolByPair` are those of Algebra Integral. */
export { creationTopics, findCalls } from '../algebraIntegral/discover.js'

/** The pool a creation log tells of. */
export function refOf(venue: Venue, log: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { id, tokens } = refOfAny(venue, log)
  return refAt(venue, id, tokens)
}

/** The pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return { id, family: 'algebraV1', venue: venue.id, tokens }
}
