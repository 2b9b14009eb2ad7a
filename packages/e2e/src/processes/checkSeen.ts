/** Checks what the readers of a service answer while something goes wrong. */
import type { Load, Seen } from './service.js'

/** The codes of an honest refusal. */
const HONEST = new Set([
  'STATE_STALE',
  'NOT_READY',
  'OVERLOADED',
  'DEADLINE_EXCEEDED',
  'SHUTTING_DOWN',
])

/**
 * The answers that are neither the chain's own at their block nor an honest refusal. `down` is the
 * reader that may not answer at all.
 */
export function wrongAnswers(
  seen: readonly Seen[],
  { right }: Pick<Load, 'right'>,
  down?: string,
): readonly Seen[] {
  return seen.filter(({ status, block, quoteId, reader, code = '' }) => {
    if (status === 200) return right.get(block!) !== quoteId
    if (status === 0) return reader !== down
    return status !== 429 && (status !== 503 || !HONEST.has(code))
  })
}

/** How long ago the block of the oldest answer with 200 was mined when it was asked for, in milliseconds. */
export function oldestMs(seen: readonly Seen[], { minedMs }: Pick<Load, 'minedMs'>): number {
  const ages = seen.map(({ status, block, sentMs }) =>
    status === 200 ? sentMs - (minedMs.get(block!) ?? sentMs) : 0,
  )
  return Math.max(0, ...ages)
}
