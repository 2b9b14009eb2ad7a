import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { copyFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { BaseError } from '@braid-swap/core'
import { z } from 'zod'
import { withFileLock } from './fileLock.js'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 12
const SECRET_BYTES = 32
const SECRET_LENGTH = 43

/** Matches keys inside a text, even if they are truncated. */
export const KEY_ANYWHERE = new RegExp(`brd_[0-9A-Za-z]{${ID_LENGTH}}_[0-9A-Za-z]+`, 'g')

/** Matches a whole key: its id and its secret. */
const KEY = new RegExp(`^brd_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})$`)

/** The stored data of a key, as read. */
export const storedKeySchema = z.object({
  id: z.string(),
  label: z.string(),
  /** SHA-256 of the secret, in hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
  revokedAt: z.iso.datetime().optional(),
  /** Sustained requests per second; the operator's default if absent. */
  rate: z.int().positive().optional(),
  /** Burst size in requests; the operator's default if absent. */
  burst: z.int().positive().optional(),
  /** Origins that may use the key, as in the `Origin` header; any if absent. */
  origins: z.array(z.string()).optional(),
})
const fileSchema = z.object({ version: z.literal(1), keys: z.array(storedKeySchema) })

/** The stored data of an API key, without its secret. */
export type StoredKey = z.infer<typeof storedKeySchema>

/** The terms of a key, which the operator sets. */
export type KeyTerms = Pick<StoredKey, 'label' | 'rate' | 'burst' | 'origins'> & {
  readonly expiresAt?: Date
}

/** A new key, shown only once, and its id in the list. */
export type NewKey = { readonly key: string; readonly id: string }

/**
 * Creates a key, adds it to the file (created if absent) and returns it: `brd_<id>_<secret>`. The key
 * cannot be shown again. Throws {@link KeysFileError}, {@link KeysFileUnwritableError}, and
 * {@link KeysFileGoneError} if the file had keys and is not there any more.
 *
 * @example const { key } = await createKey('keys.json', { label: 'demo' })
 */
export function createKey(file: string, terms: KeyTerms): Promise<NewKey> {
  return locked(file, async () => {
    const keys = (await isThere(file)) ? await readKeys(file) : await noKeys(file)
    const { added, key } = makeKey(terms)
    await writeKeys(file, [...keys, added])
    return { key, id: added.id }
  })
}

/**
 * Creates a key with the terms of another. The old key expires after `overlapMs`, or earlier at its
 * own expiry time; until then both work. Undefined if no active key has this id. Throws
 * {@link KeysFileError}, {@link KeysFileUnwritableError}.
 */
export async function rotateKey(
  file: string,
  id: string,
  overlapMs: number,
): Promise<NewKey | undefined> {
  // A file that is not there is unreadable; its lock could not be created either.
  await readKeys(file)
  return locked(file, async () => {
    const keys = await readKeys(file)
    const old = keys.find((key) => key.id === id)
    if (!old || !isInForce(old, Date.now())) return undefined
    const { ending, added, key } = replaceKey(old, overlapMs)
    await writeKeys(file, [...keys.map((each) => (each === old ? ending : each)), added])
    return { key, id: added.id }
  })
}

/** A new key with the terms of another, and the other, which ends after `overlapMs` at the latest. */
export function replaceKey(old: StoredKey, overlapMs: number) {
  const { expiresAt, label, rate, burst, origins } = old
  const { added, key } = makeKey({
    ...{ label, rate, burst, origins },
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
  })
  const alreadyEndsMs = expiresAt === undefined ? Infinity : Date.parse(expiresAt)
  const endMs = Math.min(Date.now() + overlapMs, alreadyEndsMs)
  const ending: StoredKey = { ...old, expiresAt: new Date(endMs).toISOString() }
  return { ending, added, key }
}

/** Makes a key: what is stored of it, and the key itself. */
export function makeKey({ expiresAt, ...terms }: KeyTerms) {
  const id = base62(randomBytes(16)).slice(-ID_LENGTH)
  const secret = base62(randomBytes(SECRET_BYTES)).padStart(SECRET_LENGTH, '0')
  const added: StoredKey = {
    id,
    ...terms,
    hash: hashOf(secret).toString('hex'),
    createdAt: new Date().toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  }
  return { added, key: `brd_${id}_${secret}` }
}

/** The keys in a file, oldest first. Throws {@link KeysFileError}. */
export async function listKeys(file: string): Promise<readonly StoredKey[]> {
  return readKeys(file)
}

/** Revokes a key; false if no key has this id. Throws {@link KeysFileError}. */
export async function revokeKey(file: string, id: string): Promise<boolean> {
  await readKeys(file)
  return locked(file, async () => {
    const keys = await readKeys(file)
    if (!keys.some((key) => key.id === id)) return false
    const revokedAt = new Date().toISOString()
    const ended = keys.map((key) => (key.id === id ? { revokedAt, ...key } : key))
    await writeKeys(file, ended)
    return true
  })
}

/** Ends the keys of a file that ended before, as an older copy of it forgets. Throws as {@link createKey}. */
export function endAgain(file: string, known: ReadonlyMap<string, StoredKey>): Promise<void> {
  return locked(file, async () => {
    const keys = await readKeys(file)
    await writeKeys(
      file,
      keys.map((key) => mergeKey(key, known.get(key.id) ?? key)),
    )
  })
}

/**
 * One record of a key from two: keys never change but to end, so the earlier end holds. The result does not depend on
 * the order in which records arrive.
 */
export function mergeKey(a: StoredKey, b: StoredKey): StoredKey {
  const ends = (['expiresAt', 'revokedAt'] as const).flatMap((end) => {
    const [earlier] = [a[end], b[end]].filter((time) => time !== undefined).sort()
    return earlier === undefined ? [] : [[end, earlier]]
  })
  return { ...a, ...Object.fromEntries(ends) }
}

/** True if a key is neither revoked nor expired at a time in Unix milliseconds. */
export function isInForce({ revokedAt, expiresAt }: StoredKey, nowMs: number): boolean {
  return revokedAt === undefined && !(expiresAt && Date.parse(expiresAt) <= nowMs)
}

const UNKNOWN_HASH = '00'.repeat(32)

/** Looks up a presented key; `undefined` for a malformed, unknown, revoked or expired one. */
export type KeyCheck = (
  presented: string,
  keys: ReadonlyMap<string, StoredKey>,
  nowMs: number,
) => StoredKey | undefined

/**
 * A check of presented keys. The hash of a secret costs as much as reading all parameters of a quote, so
 * the secret that a stored key was last found by is remembered beside it, and only another one is hashed.
 */
export function createKeyCheck(): KeyCheck {
  const provenBy = new WeakMap<StoredKey, Buffer>()
  return (presented, keys, nowMs) => {
    const [, id = '', text = ''] = KEY.exec(presented) ?? []
    const secret = Buffer.from(text, 'latin1')
    const key = keys.get(id)
    const proof = key && provenBy.get(key)
    // A comparison takes equally long whatever differs, and also runs for unknown ids.
    const isKnown = proof?.length === secret.length && timingSafeEqual(proof, secret)
    if (!isKnown) {
      const expected = Buffer.from(key?.hash ?? UNKNOWN_HASH, 'hex')
      if (!timingSafeEqual(hashOf(text), expected) || !key) return undefined
      provenBy.set(key, secret)
    }
    return key && isInForce(key, nowMs) ? key : undefined
  }
}

/** SHA-256 of a key's secret: what is stored of it. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

async function readKeys(file: string): Promise<readonly StoredKey[]> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).keys
  } catch (cause) {
    throw new KeysFileError(file, cause)
  }
}

async function writeKeys(file: string, keys: readonly StoredKey[]): Promise<void> {
  const draft = `${file}.${randomUUID()}.new`
  try {
    await writeFile(draft, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`, { mode: 0o600 })
    await rename(draft, file)
    await copyFile(file, backupOf(file))
  } finally {
    // A full disk leaves a part of it.
    await rm(draft, { force: true })
  }
}

/** The copy of the keys beside their file. It tells a file that was lost from one not yet made. */
function backupOf(file: string): string {
  return `${file}.bak`
}

async function noKeys(file: string): Promise<readonly StoredKey[]> {
  if (await isThere(backupOf(file))) throw new KeysFileGoneError(file, backupOf(file))
  return []
}

/** Two changes at the same time would lose one of them. */
function locked<T>(file: string, change: () => Promise<T>): Promise<T> {
  return withFileLock(file, change).catch((error: unknown) => {
    if (error instanceof BaseError) throw error
    throw new KeysFileUnwritableError(file, error)
  })
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
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

/** The keys file cannot be written. */
export class KeysFileUnwritableError extends BaseError {
  readonly code = 'KEYS_FILE_UNWRITABLE'

  constructor(file: string, cause: unknown) {
    super(`cannot write the keys file ${file}`, { file }, cause)
  }
}

/** The keys file had keys and is not there any more. A new file would revoke them all. */
export class KeysFileGoneError extends BaseError {
  readonly code = 'KEYS_FILE_GONE'

  constructor(file: string, backup: string) {
    super(
      `the keys file ${file} is gone; copy ${backup} there, or delete that too to begin without keys`,
      { file, backup },
    )
  }
}

/** The keys file is missing or malformed. */
export class KeysFileError extends BaseError {
  readonly code = 'KEYS_FILE_UNREADABLE'

  constructor(file: string, cause: unknown) {
    super(`the keys file ${file} is missing or malformed`, { file }, cause)
  }
}
