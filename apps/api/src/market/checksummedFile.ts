import { createHash, type Hash, randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BaseError } from '@braid-swap/core'

/** Characters per write: small, so that requests are served between two writes. */
const CHUNK = 65_536

/** Nobody writes to a draft of this age any more: its process was killed. */
const ABANDONED_MS = 3_600_000

/**
 * Writes a line with the format, lines and a final line with their SHA-256 to a draft file and renames it, so a reader always
 * finds either the old file or the complete new one, also where several processes write it. Lines are generated while
 * they are written.
 */
export async function writeSealed(
  file: string,
  format: string,
  lines: Iterable<string>,
): Promise<void> {
  await removeAbandoned(file)
  const draft = `${file}.${randomUUID()}${DRAFT}`
  try {
    await writeDraft(draft, format, lines)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

const DRAFT = '.new'

async function writeDraft(draft: string, format: string, lines: Iterable<string>): Promise<void> {
  const handle = await open(draft, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let chunk = `${format}\n`
    for (const line of lines) {
      chunk += `${line}\n`
      if (chunk.length < CHUNK) continue
      hash.update(chunk)
      await handle.writeFile(chunk)
      chunk = ''
    }
    hash.update(chunk)
    await handle.writeFile(`${chunk}${sealOf(hash)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function removeAbandoned(file: string): Promise<void> {
  const folder = dirname(file)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(file)}.`) || !name.endsWith(DRAFT)) continue
    const draft = join(folder, name)
    // Another process may have renamed or removed it meanwhile.
    const found = await stat(draft).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(draft, { force: true })
  }
}

/**
 * The lines of a file that {@link writeSealed} wrote; `undefined` if the file does not exist. Throws a
 * {@link SealedFileError} for an incomplete or changed file, and for one of another format.
 */
export async function readSealed(
  file: string,
  format: string,
): Promise<readonly string[] | undefined> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new SealedFileError(file, 'it cannot be read', error)
  }
  const end = bytes.lastIndexOf('\n', bytes.length - 2) + 1
  const body = bytes.subarray(0, end)
  const seal = `${sealOf(createHash('sha256').update(body))}\n`
  if (!bytes.subarray(end).equals(Buffer.from(seal))) {
    throw new SealedFileError(file, 'it is truncated or was changed')
  }
  const [first, ...lines] = body.toString('utf8').split('\n').slice(0, -1)
  if (first === format) return lines
  throw new SealedFileError(file, `its format is not "${format}"`)
}

function sealOf(hash: Hash): string {
  return `sha256 ${hash.digest('hex')}`
}

/** A saved file cannot be used; the message says why. */
export class SealedFileError extends BaseError {
  readonly code = 'SAVED_FILE_UNUSABLE'

  constructor(file: string, why: string, cause?: unknown) {
    super(`cannot use ${file}: ${why}`, { file }, cause)
  }
}
