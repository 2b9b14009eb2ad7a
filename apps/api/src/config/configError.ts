// Schemas that every part of the configuration reads with, and the error of a wrong value.

import { type Address, BaseError } from '@braid-swap/core'
import { z } from 'zod'

/** An address, in lower case. */
export const address = z
  .string()
  .regex(/^0x[a-fA-F0-9]{40}$/, 'must be 0x and 40 hex digits')
  .transform((text) => text.toLowerCase() as Address)

/** One line for each fault: its place and what is wrong. */
export function linesOf(error: z.ZodError): readonly string[] {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** An object without its undefined entries. */
export const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Defined<T>

/** The environment, or a file that it names, is not a valid configuration. */
export class ConfigError extends BaseError {
  readonly code = 'CONFIG_INVALID'

  constructor(lines: readonly string[], cause?: unknown) {
    super(lines.join('\n'), {}, cause)
  }
}
