import type { ReadyRouter, Router } from './router.js'

/** The bounds that the checker saw, and those of them that it did not confirm. */
export type BoundTally = { checked: number; refused: number }

/** A router whose bounds are counted as they are checked, so that every goal reports them. */
export function countBounds(router: Router, tally: BoundTally): Router {
  const counted = (ready: ReadyRouter): ReadyRouter => ({
    ...ready,
    ...(ready.proves && {
      proves: (request, bound) => {
        const isProved = ready.proves!(request, bound)
        tally.checked++
        if (!isProved) tally.refused++
        return isProved
      },
    }),
    ...(ready.update && { update: (moved) => counted(ready.update!(moved)) }),
  })
  return { ...router, ready: async (market) => counted(await router.ready(market)) }
}
