import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { BaseError } from '@braid-swap/core'
import { z } from 'zod'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 12
const SECRET_BYTES = 32
const SECRET_LENGTH = 43
const KEY = new RegExp(`^brd_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})$`)
const RELOAD_AFTER_MS = 5_000

const keySchema = z.object({
  id: z.string(),
  label: z.string(),
  /** SHA-256 of the secret, in hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
  revokedAt: z.iso.datetime().optional(),
})
const fileSchema = z.object({ version: z.literal(1), keys: z.array(keySchema) })

/** What is kept of an API key; the secret itself is not. */
export type StoredKey = z.infer<typeof keySchema>

/** Finds the key that a header value presents. */
export type KeyStore = {
  /** `undefined` for a key that is malformed, unknown, revoked or expired: nobody is told which. */
  readonly find: (presented: string) => Promise<StoredKey | undefined>
}

/**
 * Makes a key, adds it to the file, which is created if absent, and returns it: `brd_<id>_<secret>`.
 * It cannot be shown again. Throws {@link KeysFileError}, {@link KeysFileUnwritableError}.
 *
 * @example const { key } = await createKey('keys.json', { label: 'demo' })
 */
export async function createKey(
  file: string,
  { label, expiresAt }: { readonly label: string; readonly expiresAt?: Date },
): Promise<{ readonly key: string; readonly id: string }> {
  const keys = (await isThere(file)) ? await readKeys(file) : []
  const id = base62(randomBytes(16)).slice(-ID_LENGTH)
  const secret = base62(randomBytes(SECRET_BYTES)).padStart(SECRET_LENGTH, '0')
  const added: StoredKey = {
    id,
    label,
    hash: hashOf(secret).toString('hex'),
    createdAt: new Date().toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  }
  await writeKeys(file, [...keys, added])
  return { key: `brd_${id}_${secret}`, id }
}

/** The keys in a file, oldest first. Throws {@link KeysFileError}. */
export async function listKeys(file: string): Promise<readonly StoredKey[]> {
  return readKeys(file)
}

/** Ends a key from now on; false if there is none of this id. Throws {@link KeysFileError}. */
export async function revokeKey(file: string, id: string): Promise<boolean> {
  const keys = await readKeys(file)
  if (!keys.some((key) => key.id === id)) return false
  const revokedAt = new Date().toISOString()
  await writeKeys(
    file,
    keys.map((key) => (key.id === id ? { revokedAt, ...key } : key)),
  )
  return true
}

/**
 * The keys of a file, read again at most every five seconds when it changed. A file that becomes
 * unreadable leaves the last good keys in force. Throws {@link KeysFileError} if it cannot be read now.
 */
export async function openKeyStore(file: string, now: () => number = Date.now): Promise<KeyStore> {
  let keys = indexOf(await readKeys(file))
  let version = await versionOf(file)
  let checkedAtMs = now()
  const refresh = async () => {
    if (now() - checkedAtMs < RELOAD_AFTER_MS) return
    checkedAtMs = now()
    try {
      const found = await versionOf(file)
      if (found === version) return
      keys = indexOf(await readKeys(file))
      version = found
    } catch {
      // The operator is editing it: the last good keys stay.
    }
  }
  return {
    find: async (presented) => {
      await refresh()
      const [, id = '', secret = ''] = KEY.exec(presented) ?? []
      const key = keys.get(id)
      // The comparison runs for unknown ids too, so that timing tells nothing.
      const expected = Buffer.from(key?.hash ?? UNKNOWN_HASH, 'hex')
      const isSame = timingSafeEqual(hashOf(secret), expected)
      if (!key || !isSame || key.revokedAt) return undefined
      return key.expiresAt && Date.parse(key.expiresAt) <= now() ? undefined : key
    },
  }
}

const UNKNOWN_HASH = '00'.repeat(32)

async function readKeys(file: string): Promise<readonly StoredKey[]> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).keys
  } catch (cause) {
    throw new KeysFileError(file, cause)
  }
}

async function writeKeys(file: string, keys: readonly StoredKey[]): Promise<void> {
  const draft = `${file}.${process.pid}.new`
  try {
    await writeFile(draft, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`, { mode: 0o600 })
    await rename(draft, file)
  } catch (cause) {
    throw new KeysFileUnwritableError(file, cause)
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

async function versionOf(file: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(file)
  return `${mtimeMs} ${size} ${ino}`
}

function indexOf(keys: readonly StoredKey[]): ReadonlyMap<string, StoredKey> {
  return new Map(keys.map((key) => [key.id, key]))
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function base62(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  while (value > 0n) {
    text = BASE62[Number(value % 62n)]! + text
    value /= 62n
  }
  return text.padStart(ID_LENGTH, '0')
}

/** The keys file cannot be written where it is. */
export class KeysFileUnwritableError extends BaseError {
  readonly code = 'KEYS_FILE_UNWRITABLE'

  constructor(file: string, cause: unknown) {
    super(`the keys file ${file} cannot be written there`, { file }, cause)
  }
}

/** The keys file is absent or not in its format. */
export class KeysFileError extends BaseError {
  readonly code = 'KEYS_FILE_UNREADABLE'

  constructor(file: string, cause: unknown) {
    super(`the keys file ${file} is absent or not in its format`, { file }, cause)
  }
}
