import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')

/**
 * Folder of the reference vectors that live outside the repository: `BRAID_VECTORS`, by default
 * `../shared/vectors` from the repository's root. The one path outside it.
 */
export const referenceVectorsPath: string =
  process.env['BRAID_VECTORS'] ?? resolve(repositoryRoot, '../shared/vectors')

/** Why something that wants the reference vectors does not run: what is missing, and the remedy. */
export const noReferenceVectors: string = `no reference vectors at ${referenceVectorsPath} (set BRAID_VECTORS)`

/**
 * Whether the reference vectors are there. In CI their absence throws, so that a missing checkout
 * cannot pass for a green run.
 */
export function hasReferenceVectors(): boolean {
  if (existsSync(referenceVectorsPath)) return true
  if (process.env['CI']) throw new Error(noReferenceVectors)
  return false
}

/** One reference file as plain JSON: integers stay decimal strings. */
export function readReferenceVector(path: string): unknown {
  return JSON.parse(readFileSync(join(referenceVectorsPath, path), 'utf8'))
}

/** Folder of the vectors recorded from real bytecode on our own devnet, committed here. */
export const recordedVectorsPath: string = resolve(repositoryRoot, 'packages/vectors')

/** One recorded file as plain JSON text. */
export function readRecordedVector(path: string): string {
  return readFileSync(join(recordedVectorsPath, path), 'utf8')
}

/** Every recorded pool file, relative to {@link recordedVectorsPath}, in order: never empty. */
export function listRecordedPools(): readonly string[] {
  const folder = join(recordedVectorsPath, 'pools')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => relative(recordedVectorsPath, join(folder, file)))
  if (files.length === 0) throw new Error(`recorded pools wanted in ${folder}, found none`)
  return files.sort()
}
