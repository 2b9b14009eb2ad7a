// Declares a setting: what the README says of it, and its name and default in the configuration.

import { z } from 'zod'

/** What the README says about a setting besides its name. */
type Described = { readonly byDefault: string; readonly text: string }

const described = z.registry<Described>()

/** A setting, by its type, its default as the README shows it, and its meaning. */
export function setting<T extends z.ZodType>(type: T, byDefault: string, text: string) {
  const optional = type.optional()
  described.add(optional, { byDefault, text })
  return optional
}

/** A setting that the configuration has as it is, under a name of its own, with a default. */
export function kept<T extends z.ZodType, const N extends string>(
  as: N,
  type: T,
  value: z.output<T>,
  text: string,
  byDefault = `${value}` || 'none',
) {
  return Object.assign(setting(type, byDefault, text), { as, value })
}

/** The same without a default: the configuration may lack it. */
export function lacked<T extends z.ZodType, const N extends string>(
  as: N,
  type: T,
  text: string,
  byDefault = 'none',
) {
  return Object.assign(setting(type, byDefault, text), { as })
}

/** A setting without which nothing starts, unless others make it unnecessary. */
export function required<T extends z.ZodType>(type: T, text: string): T {
  described.add(type, { byDefault: 'required', text })
  return type
}

/** The default and the meaning of a setting, as the README has them. */
export function rowOf(type: z.ZodType): readonly [byDefault: string, text: string] {
  const { byDefault, text } = described.get(type)!
  return [byDefault, text]
}
