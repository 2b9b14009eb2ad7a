// The names of the drop-in shapes, apart from what they do, because the configuration needs only them.

import { z } from 'zod'

/** The allowed names in `BRAID_COMPAT`. */
export const compatNames = ['akka', 'liquidswap', '0x', '1inch'] as const

/** The name of a shape. */
export type CompatName = (typeof compatNames)[number]

/** The setting that enables shapes: comma-separated names. */
export const compatVariables = {
  BRAID_COMPAT: z
    .string()
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))])
    .pipe(
      z.array(
        z.enum(compatNames, {
          error: `must be a comma-separated list of: ${compatNames.join(', ')}`,
        }),
      ),
    )
    .optional(),
}
