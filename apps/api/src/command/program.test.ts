import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hyperEvm } from '@braid-swap/chain'
import { routerDeployment } from '@braid-swap/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKeyStore } from '../keys/keyStore.js'
import { clockAt } from '../testing/clockAt.js'
import { runProgram } from './program.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-program-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const written = { out: [] as string[], err: [] as string[] }
  const code = await runProgram(words, {
    out: (text) => void written.out.push(text),
    err: (text) => void written.err.push(text),
    env,
  })
  return { code, out: written.out.join('\n'), err: written.err.join('\n') }
}

describe('braid-api keys', () => {
  it('makes a key that works, lists it without its secret, and ends it', async () => {
    const file = join(folder, 'a.json')
    const made = await run(['keys', 'create', '--label', 'my shop', '--file', file])
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^brd_\w{12}_\w{43}$/)])
    const [, id = '', secret = ''] = made.out.split('_')
    expect(made.err).not.toContain(secret)
    expect(await (await openKeyStore(file)).find(made.out)).toMatchObject({ id, label: 'my shop' })

    const listed = await run(['keys', 'list'], { BRAID_KEYS_FILE: file })
    expect(listed.out).toMatch(new RegExp(`^${id} {2}since [-0-9T:.]+Z {2}my shop$`))
    expect(listed.out).not.toContain(secret)

    expect((await run(['keys', 'revoke', id, '--file', file])).code).toBe(0)
    expect((await run(['keys', 'list', '--file', file])).out).toContain(`${id}  revoked `)
    expect(await (await openKeyStore(file)).find(made.out)).toBeUndefined()
  })

  it('ends a key at its expiry time', async () => {
    const file = join(folder, 'b.json')
    const words = ['keys', 'create', '--file', file, '--label', 'short', '--expires', '2099-01-31']
    const { out } = await run(words)
    const end = Date.UTC(2099, 0, 31)
    expect(
      await (
        await openKeyStore(
          file,
          clockAt(() => end - 1),
        )
      ).find(out),
    ).toBeDefined()
    expect(
      await (
        await openKeyStore(
          file,
          clockAt(() => end),
        )
      ).find(out),
    ).toBeUndefined()
    expect((await run(['keys', 'list', '--file', file])).out).toContain('until 2099-01-31T00')
  })

  it('marks expired keys in the list', async () => {
    const file = join(folder, 'e.json')
    const made = await run(['keys', 'create', '--label', 'old', '--file', file])
    const [, id = ''] = made.out.split('_')
    await run(['keys', 'rotate', id, '--overlap', '0s', '--file', file])
    const { out } = await run(['keys', 'list', '--file', file])
    expect(out).toMatch(new RegExp(`^${id} {2}expired [-0-9T:.]+Z {2}old$`, 'm'))
    expect(out.match(/expired/g)).toHaveLength(1)
  })

  it('gives a key limits and pages, and rotates it with them', async () => {
    const file = join(folder, 'd.json')
    const terms = ['--rate', '5', '--burst', '10', '--origin', 'https://a.test', 'https://b.test']
    const made = await run(['keys', 'create', '--file', file, '--label', 'page', ...terms])
    const [, id = ''] = made.out.split('_')
    const next = await run(['keys', 'rotate', id, '--overlap', '0s', '--file', file])
    expect([next.code, next.out]).toEqual([0, expect.stringMatching(/^brd_/)])
    const store = await openKeyStore(file)
    expect(await store.find(made.out)).toBeUndefined()
    const origins = ['https://a.test', 'https://b.test']
    expect(await store.find(next.out)).toMatchObject({ rate: 5, burst: 10, origins })
    const listed = await run(['keys', 'list', '--file', file])
    expect(listed.out).toContain('page  5 a second  10 at once  from https://a.test https://b.test')
  })

  it.each([
    [['keys', 'list'], 1, 'NO_KEYS_FILE'],
    [['keys', 'list', '--file', '/no/such'], 1, 'KEYS_FILE_UNREADABLE'],
    [['keys', 'create', '--label', 'a', '--file', '/no/such'], 1, 'KEYS_FILE_UNWRITABLE'],
    [['keys', 'create', '--file', '/no/such'], 2, "required option '--label"],
    [['keys', 'create', '--label', '', '--file', '/no/such'], 2, '1 to 100 characters'],
    [['keys', 'create', '--label', 'a', '--expires', 'soon'], 2, 'ISO 8601'],
    [['keys', 'create', '--label', 'a', '--expires', '2020-01-31'], 2, 'in the future'],
    [['keys', 'create', '--label', 'a', '--rate', '0'], 2, 'from 1 to 999999'],
    [['keys', 'create', '--label', 'a', '--origin', 'a.test/x'], 2, 'must be an origin'],
    [['keys', 'rotate', 'a', '--overlap', 'long'], 2, 's, m, h or d'],
    [['keys', 'rotate', 'a', '--file', '/no/such'], 1, 'KEYS_FILE_UNREADABLE'],
    [['keys', 'revoke'], 2, "argument 'id'"],
    [['keys'], 2, 'Usage: braid-api keys'],
    [['keyz'], 2, 'too many arguments'],
    [[], 1, 'BRAID_RPC_URLS'],
  ])('%j ends with %d', async (words, code, message) => {
    const result = await run(words)
    expect([result.code, result.out]).toEqual([code, ''])
    expect(result.err).toContain(message)
  })

  it('says that an address of Redis is none, instead of that Redis is away', async () => {
    const { code, err } = await run(['keys', 'list'], { BRAID_REDIS_URL: 'http://127.0.0.1:6379' })
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^error: BRAID_REDIS_URL: must be redis/),
    ])
  })

  it('refuses to revoke what is not there', async () => {
    const file = join(folder, 'c.json')
    await run(['keys', 'create', '--label', 'a', '--file', file])
    const { code, err } = await run(['keys', 'revoke', 'nobody', '--file', file])
    expect([code, err]).toEqual([1, expect.stringContaining('UNKNOWN_KEY')])
  })
})

describe('braid-api', () => {
  it('prints the router address, the help and the version', async () => {
    expect((await run(['router'])).out.toLowerCase()).toBe(
      routerDeployment(hyperEvm.wrapped.address).router,
    )
    const help = await run(['--help'])
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('keys')])
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+/)
  })
})
