// What venues have earned, in a file of its own: it outlives what makes the saved market useless, such as another
// venue in the configuration or a new version.

import type { Trial, Venue } from '@braid-swap/chain'
import { parse, stringify } from '@braid-swap/core/advanced'
import { readSealed, writeSealed } from './checksummedFile.js'

/** Changes with every incompatible change of the file format. */
const FORMAT = 'braid trials 1'

type Saved = { readonly venue: Venue; readonly trial: Trial }

/** Saves the trial of each venue with the entry that it was made for. */
export function saveTrials(
  file: string,
  { venues, trials }: { readonly venues: readonly Venue[]; readonly trials: readonly Trial[] },
): Promise<void> {
  const byVenue = new Map(trials.map((trial) => [trial.venue, trial]))
  const saved = venues.flatMap((venue): Saved[] => {
    const trial = byVenue.get(venue.id)
    return trial ? [{ venue, trial }] : []
  })
  return writeSealed(file, FORMAT, [stringify(saved)])
}

/** The saved trials of venues whose entry is the same; none without a usable file. */
export async function readTrials(
  file: string,
  venues: readonly Venue[],
): Promise<readonly Trial[]> {
  const lines = await readSealed(file, FORMAT).catch(() => undefined)
  if (!lines) return []
  const entries = new Set(venues.map((venue) => stringify(venue)))
  return (parse(lines[0]!) as readonly Saved[])
    .filter(({ venue }) => entries.has(stringify(venue)))
    .map(({ trial }) => trial)
}
