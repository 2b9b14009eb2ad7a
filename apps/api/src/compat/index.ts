/**
 * Drop-in shapes. An operator enables them with `BRAID_COMPAT`. Clients written for another service
 * then work with this API after a change of their base URL and key. One module per service.
 */
import { z } from 'zod'
import { akka } from './akka.js'
import { type Addition, addFields, type Shape } from './shape.js'

const shapes = new Map([['akka', akka]] as const satisfies readonly (readonly [string, Shape])[])

/** The name of a shape. */
export type CompatName = Parameters<(typeof shapes)['get']>[0]

/** The allowed names in `BRAID_COMPAT`. */
export const compatNames: readonly CompatName[] = [...shapes.keys()]

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

/** The fields that the shapes of these names add to the endpoints. */
export function compatAdditions(names: readonly CompatName[]): readonly Addition[] {
  return names.flatMap((name) => shapes.get(name) ?? [])
}

export { type Addition, addFields }
