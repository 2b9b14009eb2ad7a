import type { Address } from '@braid-swap/core'
import type { Log } from '../../reads/log.js'
import { refOf as refOfAny } from '../algebraIntegral/discover.js'
import type { PoolRef } from '../loader.js'
import type { Venue } from '../venue.js'

/** The factory has the `Pool` log and the `poolByPair` of Algebra Integral. */
export { creationTopics, findCalls } from '../algebraIntegral/discover.js'

/** The pool that a creation log announces. */
export function refOf(venue: Venue, log: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { id, tokens } = refOfAny(venue, log)
  return refAt(venue, id, tokens)
}

/** The pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return { id, family: 'algebraV1', venue: venue.id, tokens }
}
