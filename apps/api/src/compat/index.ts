/**
 * Drop-in shapes. An operator switches them on with `BRAID_COMPAT`, and clients that were written for
 * another service work with this API after a change of their base address. One module is one service.
 */
import { z } from 'zod'
import { akka } from './akka.js'
import { type Addition, addFields, type Shape } from './shape.js'

const shapes = new Map([['akka', akka]] as const satisfies readonly (readonly [string, Shape])[])

/** The name of a shape. */
export type CompatName = Parameters<(typeof shapes)['get']>[0]

/** What `BRAID_COMPAT` takes. */
export const compatNames: readonly CompatName[] = [...shapes.keys()]

/** The setting that switches shapes on: names, comma-separated. */
export const compatVariables = {
  BRAID_COMPAT: z
    .string()
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))])
    .pipe(
      z.array(
        z.enum(compatNames, { error: `must be of ${compatNames.join(', ')}; comma-separated` }),
      ),
    )
    .optional(),
}

/** What the shapes of these names add to the endpoints; nothing for no names. */
export function compatAdditions(names: readonly CompatName[]): readonly Addition[] {
  return names.flatMap((name) => shapes.get(name) ?? [])
}

export { type Addition, addFields }
