import { setTimeout as sleep } from 'node:timers/promises'
import { describeWithRedis, openPartition } from '@braid-swap/feed/testing'
import { expect, it } from 'vitest'
import { runProgram } from '../command/program.js'
import { openRedis } from '../processes/redis.js'
import { useRedis } from '../testing/useRedis.js'
import { openKeys } from './openKeys.js'
import { openRedisKeyStore } from './redisKeyStore.js'

const chainId = 999
const deployment = {
  router: `0x${'ab'.repeat(20)}`,
  wrappedNative: `0x${'cd'.repeat(20)}`,
  venues: [],
} as const

describeWithRedis('keys in Redis', () => {
  const { server, testSignal, closing, open } = useRedis()
  const run = async (...words: string[]) => {
    const out: string[] = []
    const err: string[] = []
    const terminal = {
      out: (text: string) => void out.push(text),
      err: (text: string) => void err.push(text),
    }
    const env = { BRAID_REDIS_URL: server().url }
    const code = await runProgram(['keys', ...words], { ...terminal, env })
    return { code, out: out.join('\n'), err: err.join('\n') }
  }
  it('are made, listed, rotated and revoked by command, and only their hashes are stored', async () => {
    const made = await run('create', '--label', 'shop', '--rate', '5')
    const [, id = '', secret = ''] = made.out.split('_')
    expect(made.code).toBe(0)
    expect((await run('list')).out).toMatch(new RegExp(`^${id} .*shop {2}5 a second$`))
    const stored = await open().send(['HGETALL', 'braid:{999}:keys'])
    expect(JSON.stringify(stored)).not.toContain(secret)
    const next = await run('rotate', id, '--overlap', '1h')
    const store = await openRedisKeyStore(open(), { chainId, signal: testSignal() })
    expect(await store.find(next.out)).toMatchObject({ label: 'shop', rate: 5 })
    expect(await store.find(made.out)).toMatchObject({ id, expiresAt: expect.any(String) })
    expect((await run('revoke', id)).code).toBe(0)
    expect((await run('list')).out).toMatch(new RegExp(`^${id} {2}revoked .*shop`, 'm'))
    expect((await run('revoke', 'version')).err).toContain('UNKNOWN_KEY')
    // As the commands of older versions tell that they changed a key.
    expect(await open().send(['HINCRBY', 'braid:{999}:keys', 'version', '1'])).toBeGreaterThan(1)
  })

  it('keep a revocation that another command makes at the same time', async () => {
    const { out } = await run('create', '--label', 'both')
    const id = out.split('_')[1]!
    await Promise.all([run('revoke', id), run('rotate', id), run('revoke', id)])
    expect((await run('list')).out).toContain(`${id}  revoked `)
  })

  it('reach every process, and stay while Redis is away', async () => {
    const { out: key } = await run('create', '--label', 'reach')
    const of = { chainId, signal: testSignal() }
    const stores = [await openRedisKeyStore(open(), of), await openRedisKeyStore(open(), of)]
    for (const { find } of stores) expect(await find(key)).toMatchObject({ label: 'reach' })
    await run('revoke', key.split('_')[1]!)
    const isActive = async () =>
      (await Promise.all(stores.map(({ find }) => find(key)))).some(Boolean)
    while (await isActive()) await sleep(20)
    const { out: kept } = await run('create', '--label', 'kept')
    while (!(await stores[0]!.find(kept))) await sleep(20)
    await server().kill()
    await sleep(1_100)
    expect(await stores[0]!.find(kept)).toMatchObject({ label: 'kept' })
    await server().restart()
    // Redis has lost everything, which must not end the keys.
    await sleep(1_500)
    expect(await stores[0]!.find(kept)).toMatchObject({ label: 'kept' })
  })

  it('are not read again while nothing says that they changed', async () => {
    const { out: key } = await run('create', '--label', 'still')
    const redis = open()
    const asked: string[] = []
    const send: typeof redis.send = (words, limitMs) => {
      asked.push(words[0]!)
      return redis.send(words, limitMs)
    }
    const { find } = await openRedisKeyStore({ ...redis, send }, { chainId, signal: testSignal() })
    expect(await find(key)).toBeDefined()
    const before = asked.length
    await expect.poll(() => asked.length, { timeout: 5_000 }).toBeGreaterThan(before + 1)
    // Each look is one command, for the version.
    expect(new Set(asked.slice(before))).toEqual(new Set(['HGET']))
  })

  it('made after Redis was emptied work, and the lost ones work on, are listed and can be revoked', async () => {
    const store = await openRedisKeyStore(open(), { chainId, signal: testSignal() })
    const { out: lost } = await run('create', '--label', 'lost')
    const { out: ended } = await run('create', '--label', 'ended')
    await run('revoke', ended.split('_')[1]!)
    await expect
      .poll(async () => [await store.find(lost), await store.find(ended)].map(Boolean))
      .toEqual([true, false])
    await open().send(['FLUSHALL'])
    const { out: fresh } = await run('create', '--label', 'fresh')
    await expect.poll(() => store.find(fresh)).toBeDefined()
    await expect.poll(async () => (await run('list')).out).toContain('lost')
    expect((await run('revoke', lost.split('_')[1]!)).code).toBe(0)
    await expect.poll(() => store.find(lost)).toBeUndefined()
    const later = await openRedisKeyStore(open(), { chainId, signal: testSignal() })
    expect([await later.find(ended), await later.find(lost)]).toEqual([undefined, undefined])
  })

  it('that were revoked stay so when an old copy of Redis is restored', async () => {
    const store = await openRedisKeyStore(open(), { chainId, signal: testSignal() })
    const { out: key } = await run('create', '--label', 'old copy')
    await expect.poll(() => store.find(key)).toBeDefined()
    const id = key.split('_')[1]!
    const before = (await open().send(['HGETALL', 'braid:{999}:keys'])) as readonly string[]
    await run('revoke', id)
    await expect.poll(() => store.find(key)).toBeUndefined()
    await open().send(['DEL', 'braid:{999}:keys'])
    await open().send(['HSET', 'braid:{999}:keys', ...before])
    await expect.poll(async () => (await run('list')).out).toContain(`${id}  revoked`)
    expect(await store.find(key)).toBeUndefined()
  })

  it('with a record that cannot be read are dropped by name, and stop no other change', async () => {
    const logged: unknown[] = []
    const log = { error: (...words: unknown[]) => void logged.push(words[0]) }
    const store = await openRedisKeyStore(open(), { chainId, signal: testSignal(), log })
    const { out: known } = await run('create', '--label', 'known')
    await expect.poll(() => store.find(known)).toBeDefined()
    await open().send(['HSET', 'braid:{999}:keys', 'damagedAAAAA', '{"id":'])
    await open().send(['HSET', 'braid:{999}:keys', 'otherIdBBBBB', JSON.stringify({ id: 'x' })])
    const { out: next } = await run('create', '--label', 'next')
    await expect.poll(() => store.find(next)).toBeDefined()
    expect([...store.unreadable!()].sort()).toEqual(['damagedAAAAA', 'otherIdBBBBB'])
    const ids = new Set(logged.flatMap((one) => (one as { ids: string[] }).ids))
    expect([...ids].sort()).toEqual(['damagedAAAAA', 'otherIdBBBBB'])
    const reports = logged.length
    const listed = await run('list')
    expect([listed.code, listed.out]).toEqual([
      0,
      expect.stringContaining('damagedAAAAA  cannot be read'),
    ])
    expect((await run('revoke', next.split('_')[1]!)).code).toBe(0)
    await expect.poll(() => store.find(next)).toBeUndefined()
    // Another look at the same records says nothing.
    expect(logged.length).toBe(reports)
    for (const id of ['damagedAAAAA', 'otherIdBBBBB']) {
      expect((await run('revoke', id)).err).toContain('its record could not be read')
    }
    await expect.poll(() => store.unreadable!()).toEqual([])
    // A damaged record of a key that a process knows is repaired.
    const id = known.split('_')[1]!
    await open().send(['HSET', 'braid:{999}:keys', id, 'nonsense', 'version', 'new'])
    await expect
      .poll(async () => (await run('list')).out)
      .toMatch(new RegExp(`^${id}  since.*known`, 'm'))
    const late = await openRedisKeyStore(open(), { chainId, signal: testSignal() })
    expect(await late.find(known)).toBeDefined()
  })

  it('are read at the start from a Redis that takes longer than a request can wait', async () => {
    const { out: key } = await run('create', '--label', 'slow')
    const partition = await openPartition(server().url)
    partition.slow(400)
    const signal = testSignal()
    const redis = openRedis({
      ...deployment,
      redisUrl: partition.url,
      role: 'api',
      chainId,
      signal,
    })
    const { find, fault } = await openKeys({ role: 'api' }, { redis, chainId, signal })
    expect(await find(key)).toMatchObject({ label: 'slow' })
    await run('revoke', key.split('_')[1]!)
    while (await find(key)) await sleep(20)
    expect(fault!()).toBeUndefined()
    partition.cut()
    while (fault!() === undefined) await sleep(20)
    redis!.close()
    partition.stop()
  })

  it('are read at the start from a Redis that starts a little later', async () => {
    const { out: key } = await run('create', '--label', 'late')
    const partition = await openPartition(server().url)
    partition.cut()
    const signal = testSignal()
    const redis = openRedis({
      ...deployment,
      redisUrl: partition.url,
      role: 'api',
      chainId,
      signal,
    })
    const opening = openKeys({ role: 'api' }, { redis, chainId, signal })
    await sleep(300)
    partition.heal()
    expect(await (await opening).find(key)).toMatchObject({ label: 'late' })
    redis!.close()
    partition.stop()
  })

  it('are not needed by an indexer, which starts while Redis is away', async () => {
    const signal = testSignal()
    const redis = openRedis({
      ...{ ...deployment, redisUrl: 'redis://127.0.0.1:9', role: 'indexer', chainId, signal },
    })
    const { find } = await openKeys({ role: 'indexer' }, { redis, chainId, signal })
    expect(await find('any')).toBeUndefined()
    redis!.close()
  })

  it.each([
    ['a changed password', 'CONFIG SET requirepass other', 'CONFIG SET requirepass '],
    ['a full memory', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
  ])(
    'hold as they were while Redis refuses for %s, and are shared again after it',
    async (_, cause, cure) => {
      const keeper = open()
      await keeper.send(['FLUSHALL'])
      const { out } = await run('create', '--label', 'a')
      const { keys, limiter, fault, close } = openRedis({
        ...{ ...deployment, chainId, redisUrl: server().url, role: 'api', signal: testSignal() },
      })!
      closing.push(close)
      const store = await openKeys(
        { role: 'api' },
        { redis: { keys }, chainId, signal: testSignal() },
      )
      await keeper.send(cause.split(' '))
      await keeper.send(['CLIENT', 'KILL', 'TYPE', 'normal'])
      await expect.poll(fault).toContain('Redis refuses: ')
      expect(await store.find(out)).toMatchObject({ label: 'a' })
      expect(await limiter.take('a', 1, { rate: 1, burst: 9 })).toMatchObject({ isAllowed: true })
      await keeper.send(cure.split(' '))
      await expect.poll(fault).toBeUndefined()
      await run('revoke', out.split('_')[1]!)
      await expect.poll(() => store.find(out)).toBeUndefined()
    },
  )
})
