// Options that nobody reads are refused: a misspelt name would be taken for an absent one.

import { BadOptionsError, type BaseError, type ErrorDetails } from './errors.js'
import { textOf } from './shape/check.js'

/** Throws a {@link BadOptionsError} unless `given` is an object with no other names than `known`. */
export function checkNames(
  of: string,
  given: object,
  known: Readonly<Record<string, unknown>>,
): void {
  if (typeof given !== 'object' || given === null) throw badOption(of, given, 'an object')
  const name = Object.keys(given).find((one) => !Object.hasOwn(known, one))
  if (name === undefined) return
  const wanted = `one of ${Object.keys(known).join(', ')}`
  throw badOption(`${of}.${name}`, given[name as keyof object], wanted)
}

/** Throws a {@link BadOptionsError} unless `given` is an object in which none of these fields is absent. */
export function requireFields(of: string, given: object, names: readonly string[]): void {
  if (typeof given !== 'object' || given === null) throw badOption(of, given, 'an object')
  const name = names.find((one) => given[one as keyof object] === undefined)
  if (name !== undefined) throw badOption(`${of}.${name}`, undefined, 'a value')
}

/** The error of an option, by its name. */
export function badOption(field: string, value: unknown, wanted: string): BadOptionsError {
  return wrong(BadOptionsError, field, value, wanted)
}

/** An error that names a field, what it is and what is wanted. */
export function wrong<E extends BaseError>(
  Kind: new (message: string, details: ErrorDetails) => E,
  ...[field, value, wanted]: Parameters<typeof badOption>
): E {
  const got = textOf(value)
  return new Kind(`${field} is ${got}`, { field, got, wanted })
}
