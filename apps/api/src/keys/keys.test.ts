import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clockAt } from '../testing/clockAt.js'
import { openKeyStore, REVOKED_WITHIN_MS } from './keyStore.js'
import { createKey, isInForce, listKeys, mergeKey, revokeKey, rotateKey } from './keys.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-keys-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('API keys', () => {
  it('have the form brd_<id>_<secret> and are found by their store', async () => {
    const file = join(folder, 'a.json')
    const { key, id } = await createKey(file, { label: 'one' })
    expect(key).toMatch(/^brd_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/)
    const store = await openKeyStore(file)
    expect(await store.find(key)).toMatchObject({ id, label: 'one' })
  })

  it('are stored as a hash, in a file that only the owner reads', async () => {
    const file = join(folder, 'b.json')
    const { key } = await createKey(file, { label: 'one' })
    const text = await readFile(file, 'utf8')
    expect(text).not.toContain(key.split('_')[2])
    expect((await stat(file)).mode & 0o077).toBe(0)
  })

  it('are refused with any character changed, cut short or of another id', async () => {
    const file = join(folder, 'c.json')
    const { key } = await createKey(file, { label: 'one' })
    const { key: other } = await createKey(file, { label: 'two' })
    const store = await openKeyStore(file)
    const [, id] = key.split('_')
    const [, , secret] = other.split('_')
    for (const wrong of [
      ...[...key].map((c, i) => key.slice(0, i) + (c === 'x' ? 'y' : 'x') + key.slice(i + 1)),
      key.slice(0, -1),
      `${key}0`,
      `brd_${id}_${secret}`,
      '',
      `brd_${'0'.repeat(12)}_${'0'.repeat(43)}`,
    ]) {
      expect(await store.find(wrong)).toBeUndefined()
    }
    expect(await listKeys(file)).toHaveLength(2)
  })

  it('stay revoked when an older copy of their file is restored, and are revoked there again', async () => {
    const file = join(folder, 'older.json')
    const [{ key, id }, other] = [
      await createKey(file, { label: 'one' }),
      await createKey(file, { label: 'two' }),
    ]
    const older = await readFile(file)
    let now = Date.now()
    const told: unknown[] = []
    const log = { warn: (of: unknown) => void told.push(of) } as never
    const store = await openKeyStore(
      file,
      clockAt(() => now),
      log,
    )
    const findLater = (presented: string) => {
      now += 1_001
      return store.find(presented)
    }
    await revokeKey(file, id)
    expect(await findLater(key)).toBeUndefined()
    for (const restored of [older, '{"version":1,"keys":[]}', older]) {
      await writeFile(file, restored)
      expect(await findLater(key)).toBeUndefined()
    }
    expect(await findLater(other.key)).toMatchObject({ label: 'two' })
    expect(told).toEqual([{ ids: [id] }, { ids: [id] }])
    // Another process that starts now does not accept it either.
    expect(await (await openKeyStore(file)).find(key)).toBeUndefined()
    expect(store.fault?.()).toBeUndefined()
  })

  it('are refused with another secret also after the right one was found', async () => {
    const file = join(folder, 'c2.json')
    const { key } = await createKey(file, { label: 'one' })
    const store = await openKeyStore(file)
    const wrong = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x')
    expect(await store.find(key)).toBeDefined()
    expect(await store.find(wrong)).toBeUndefined()
    expect(await store.find(key.slice(0, -1))).toBeUndefined()
    expect(await store.find(key)).toBeDefined()
  })

  it('end when they expire or are revoked', async () => {
    const file = join(folder, 'd.json')
    const expiresAt = new Date(2_000_000)
    const { key, id } = await createKey(file, { label: 'short', expiresAt })
    let nowMs = 1_999_999
    const store = await openKeyStore(
      file,
      clockAt(() => nowMs),
    )
    expect(await store.find(key)).toBeDefined()
    nowMs = 2_000_000
    expect(await store.find(key)).toBeUndefined()
    nowMs = 1_000_000
    expect(await store.find(key)).toBeDefined()
    expect(await revokeKey(file, id)).toBe(true)
    const [{ revokedAt } = {}] = await listKeys(file)
    await sleep(2)
    expect(await revokeKey(file, id)).toBe(true)
    expect(await listKeys(file)).toMatchObject([{ revokedAt }])
    nowMs += 5_000_000
    const fresh = await openKeyStore(
      file,
      clockAt(() => 1_000_000),
    )
    expect(await fresh.find(key)).toBeUndefined()
    expect(await revokeKey(file, 'nobody')).toBe(false)
  })

  it('are rotated: the new one has the terms of the old, which ends after the overlap', async () => {
    const file = join(folder, 'f.json')
    const terms = { label: 'shop', rate: 3, burst: 9, origins: ['https://a.test'] }
    const old = await createKey(file, terms)
    const made = await rotateKey(file, old.id, 60_000)
    let nowMs = Date.now()
    const store = await openKeyStore(
      file,
      clockAt(() => nowMs),
    )
    expect(await store.find(made!.key)).toMatchObject({ ...terms, id: made!.id })
    expect(await store.find(old.key)).toMatchObject({ id: old.id })
    nowMs += 60_001
    expect(await store.find(old.key)).toBeUndefined()
    expect(await store.find(made!.key)).toBeDefined()
    expect(await rotateKey(file, 'nobody', 0)).toBeUndefined()
    await revokeKey(file, old.id)
    expect(await rotateKey(file, old.id, 0)).toBeUndefined()
  })

  it('are not prolonged by rotating them', async () => {
    const file = join(folder, 'g.json')
    const expiresAt = new Date(Date.now() + 60_000)
    const { id } = await createKey(file, { label: 'short', expiresAt })
    await rotateKey(file, id, 3_600_000)
    const ends = (await listKeys(file)).map((key) => key.expiresAt)
    expect(ends).toEqual([expiresAt.toISOString(), expiresAt.toISOString()])
  })

  it('stay in force while the file is broken', async () => {
    const file = join(folder, 'e.json')
    const { key } = await createKey(file, { label: 'one' })
    let nowMs = 0
    const store = await openKeyStore(
      file,
      clockAt(() => nowMs),
    )
    await writeFile(file, '{ "version": 1,')
    nowMs = 10_000
    expect(await store.find(key)).toBeDefined()
  })

  it('need a readable file to begin with', async () => {
    await expect(openKeyStore(join(folder, 'absent.json'))).rejects.toMatchObject({
      code: 'KEYS_FILE_UNREADABLE',
    })
  })

  it('created at the same time by many commands are all there', async () => {
    const file = join(folder, 'many.json')
    const labels = Array.from({ length: 20 }, (_, i) => `shop ${i}`)
    const made = await Promise.all(labels.map((label) => createKey(file, { label })))
    const keys = await listKeys(file)
    expect(keys.map(({ label }) => label).sort()).toEqual(labels.sort())
    const [first, ...others] = made
    await Promise.all([
      ...others.slice(0, 5).map(({ id }) => revokeKey(file, id)),
      rotateKey(file, first!.id, 0),
    ])
    const after = await listKeys(file)
    expect(after.length).toBe(21)
    expect(after.filter(({ revokedAt }) => revokedAt !== undefined).length).toBe(5)
  })

  it('are changed by a command only when another one has ended its change', async () => {
    const file = join(folder, 'locked.json')
    await writeFile(`${file}.lock`, '')
    let isMade = false
    const made = createKey(file, { label: 'one' }).then(() => {
      isMade = true
    })
    await sleep(100)
    expect(isMade).toBe(false)
    expect(await readdir(folder)).not.toContain('locked.json')
    await rm(`${file}.lock`)
    await made
    const left = (await readdir(folder)).filter((name) => name.startsWith('locked.json'))
    expect(left.sort()).toEqual(['locked.json', 'locked.json.bak'])
  })

  it('that are revoked pass no longer than is promised', async () => {
    const file = join(folder, 'promise.json')
    const { key, id } = await createKey(file, { label: 'one' })
    let nowMs = 0
    const store = await openKeyStore(
      file,
      clockAt(() => nowMs),
    )
    expect(await store.find(key)).toBeDefined()
    await revokeKey(file, id)
    // An open stream looks at its key once a second.
    nowMs = REVOKED_WITHIN_MS - 1_000
    expect(await store.find(key)).toBeUndefined()
  })

  it('have one record, whatever the order in which two copies of it arrive', () => {
    const time = fc.option(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
      { nil: undefined },
    )
    const copy = fc.record({ expiresAt: time, revokedAt: time }).map((ends) => ({
      ...{ id: 'a', label: 'b', hash: '00', createdAt: new Date(0).toISOString() },
      ...Object.fromEntries(
        Object.entries(ends).flatMap(([name, at]) => (at ? [[name, at.toISOString()]] : [])),
      ),
    }))
    fc.assert(
      fc.property(copy, copy, copy, (a, b, c) => {
        expect(mergeKey(a, b)).toEqual(mergeKey(b, a))
        expect(mergeKey(mergeKey(a, b), c)).toEqual(mergeKey(a, mergeKey(b, c)))
        for (const nowMs of [0, 1e12, 2e12, 5e12]) {
          const both = isInForce(a, nowMs) && isInForce(b, nowMs)
          expect(isInForce(mergeKey(a, b), nowMs)).toBe(both)
        }
      }),
    )
  })

  it('are not all dropped when a key is created after their file was deleted', async () => {
    const file = join(folder, 'gone.json')
    const { key } = await createKey(file, { label: 'one' })
    const before = await readFile(file)
    await rm(file)
    await expect(createKey(file, { label: 'two' })).rejects.toMatchObject({
      code: 'KEYS_FILE_GONE',
      message: expect.stringContaining(`${file}.bak`),
    })
    expect(await readFile(`${file}.bak`)).toEqual(before)
    await writeFile(file, before)
    await createKey(file, { label: 'two' })
    expect(await (await openKeyStore(file)).find(key)).toBeDefined()
  })

  it('that cannot be read again are reported, and stay valid', async () => {
    const file = join(folder, 'unreadable.json')
    const { key } = await createKey(file, { label: 'one' })
    let nowMs = 0
    const store = await openKeyStore(
      file,
      clockAt(() => nowMs),
    )
    expect(store.fault?.()).toBeUndefined()
    const text = await readFile(file, 'utf8')
    await writeFile(file, 'nonsense')
    nowMs += 6_000
    expect(await store.find(key)).toBeDefined()
    expect(store.fault?.()).toContain('malformed')
    await writeFile(file, text)
    nowMs += 6_000
    await store.find(key)
    expect(store.fault?.()).toBeUndefined()
  })
})
