import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')

/**
 * Folder of the reference vectors outside the repository: `BRAID_VECTORS`, by default
 * `../shared/vectors` relative to the repository's root. No other path leaves the repository.
 */
export const referenceVectorsPath: string =
  process.env['BRAID_VECTORS'] ?? resolve(repositoryRoot, '../shared/vectors')

/** Message if the reference vectors are missing, with the remedy. */
export const noReferenceVectors: string = `no reference vectors at ${referenceVectorsPath} (set BRAID_VECTORS)`

/**
 * Returns whether the reference vectors exist. Throws in CI if they do not, so that a missing checkout
 * does not look like a green run.
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

/** Folder of rows that contracts of others and public tables answered: `cases` beside the reference vectors. */
const referenceCasesPath = resolve(referenceVectorsPath, '../cases')

/** Message if the rows are missing. */
export const noReferenceCases: string = `no reference cases at ${referenceCasesPath}`

/** Returns whether the rows are there. Nothing promises them, so CI does without them too. */
export function hasReferenceCases(): boolean {
  return existsSync(referenceCasesPath)
}

/** One file of rows as plain JSON: integers stay decimal strings. */
export function readReferenceCase(path: string): unknown {
  return JSON.parse(readFileSync(join(referenceCasesPath, path), 'utf8'))
}

/** Folder of the vectors recorded from real bytecode on our own devnet, committed here. */
export const recordedVectorsPath: string = resolve(repositoryRoot, 'packages/vectors')

/** One recorded file as plain JSON text. */
export function readRecordedVector(path: string): string {
  return readFileSync(join(recordedVectorsPath, path), 'utf8')
}

/**
 * All recorded pool files, relative to {@link recordedVectorsPath}, sorted. Throws if there are
 * none.
 */
export function listRecordedPools(): readonly string[] {
  return listFiles('pools')
}

/**
 * All files with rows of deployed code, as {@link listRecordedPools}. Each is a selection of the reference vector of the
 * same path.
 */
export function listDeployedRows(): readonly string[] {
  return listFiles('deployed')
}

function listFiles(name: string): readonly string[] {
  const folder = join(recordedVectorsPath, name)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => relative(recordedVectorsPath, join(folder, file)))
  if (files.length === 0) throw new Error(`no recorded pools in ${folder}`)
  return files.sort()
}
