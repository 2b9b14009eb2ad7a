// The file of venues that `BRAID_VENUES` names.

import { readFileSync } from 'node:fs'
import { loadedFamilies, type Venue } from '@braid-swap/chain'
import { ladderProtocols } from '@braid-swap/core'
import { z } from 'zod'
import { address, ConfigError, linesOf, withoutUndefined } from './configError.js'

const venuesSchema = z.array(
  z.object({
    id: z.string().regex(/^[a-z0-9-]+$/i, 'must be letters, digits and dashes'),
    family: z.enum(loadedFamilies),
    variant: z.enum(['solidly', 'ramses', 'velodrome']).optional(),
    factory: address,
    feePpm: z.int().min(0).max(999_999).optional(),
    feesPpm: z.array(z.int().min(0).max(999_999)).optional(),
    tickSpacings: z.array(z.int().min(1).max(16_384)).optional(),
    feeSource: z.enum(['currentFee', 'swapFeeModule']).optional(),
    extraGas: z.int().min(0).optional(),
    protocol: z.enum(ladderProtocols).optional(),
    pairs: z.array(z.tuple([address, address])).optional(),
    haircutPpm: z.int().min(0).max(999_999).optional(),
    fromBlock: z
      .union([z.int().min(0), z.string().regex(/^[0-9]+$/)])
      .transform(BigInt)
      .optional(),
  }),
)

/** The venues of a file. Throws {@link ConfigError} with one line per fault. */
export function readVenues(file: string): readonly Venue[] {
  try {
    const venues = venuesSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    return venues.map((venue) => ({ ...withoutUndefined(venue), ...requiredOf(venue) }))
  } catch (cause) {
    const lines = cause instanceof z.ZodError ? linesOf(cause) : ['missing, or not JSON']
    throw new ConfigError(
      lines.map((line) => `BRAID_VENUES: ${file}: ${line}`),
      cause,
    )
  }
}

function requiredOf({ id, family, factory }: z.output<typeof venuesSchema>[number]) {
  return { id, family, factory }
}
