/**
 * Reads the lists of mutants. Each file in `mutants/` exports one: file, original text, replacement. The
 * original must occur exactly once in the file; an empty replacement removes it.
 */
import { readdirSync } from 'node:fs'

const LISTS = new URL('mutants/', import.meta.url)

/** All mutants, file by file. */
export async function readMutants() {
  const names = readdirSync(LISTS).sort()
  const lists = await Promise.all(names.map((name) => import(new URL(name, LISTS).href)))
  return lists.flatMap(({ MUTANTS }) => MUTANTS)
}

/** The source with one change; throws if its original does not occur exactly once. */
export function mutate(source, [file, before, after]) {
  const parts = source.split(before)
  if (parts.length === 2) return parts.join(after)
  throw new Error(`${file}: wanted exactly one ${JSON.stringify(before)}, got ${parts.length - 1}`)
}
