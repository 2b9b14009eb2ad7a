// The file of venues that `BRAID_VENUES` names.

import { readFileSync } from 'node:fs'
import { BadVenuesError, checkVenues, type Venue } from '@braid-swap/chain'
import { ConfigError } from './configError.js'

/** The venues of a file. Throws {@link ConfigError} with one line per fault. */
export function readVenues(file: string): readonly Venue[] {
  try {
    return checkVenues(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const lines = cause instanceof BadVenuesError ? cause.lines : ['missing, or not JSON']
    throw new ConfigError(
      lines.map((line) => `BRAID_VENUES: ${file}: ${line}`),
      cause,
    )
  }
}
