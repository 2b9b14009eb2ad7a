import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configDefaults, readConfig } from './config.js'

const ROUTER = `0x${'Ab'.repeat(20)}`
const least = {
  BRAID_RPC_URLS: 'http://127.0.0.1:8545',
  BRAID_KEYS_FILE: 'keys.json',
  BRAID_ROUTER: ROUTER,
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-config-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('configuration', () => {
  it('has a default for all but the node, the keys and the router', () => {
    expect(readConfig(least)).toEqual({
      ...configDefaults,
      venueStates: new Map(),
      rpcUrls: ['http://127.0.0.1:8545'],
      keysFile: 'keys.json',
      router: ROUTER.toLowerCase(),
    })
  })

  it('takes several nodes, the preferred first', () => {
    const { rpcUrls } = readConfig({ ...least, BRAID_RPC_URLS: 'https://a.test/x, wss://b.test' })
    expect(rpcUrls).toEqual(['https://a.test/x', 'wss://b.test'])
  })

  it('compares sampled pools with the order book, by a distance that can be set', () => {
    expect(readConfig(least).guard.maxOffBps).toBe(100)
    const { guard } = readConfig({ ...least, BRAID_PRICE_GUARD_BPS: '0' })
    expect(guard).toMatchObject({ maxOffBps: 0, books: readConfig(least).guard.books })
  })

  it.each([
    ['BRAID_RPC_URLS', undefined],
    ['BRAID_RPC_URLS', 'ftp://a.test'],
    ['BRAID_RPC_REQUESTS_PER_MINUTE', '9'],
    ['BRAID_KEYS_FILE', undefined],
    ['BRAID_KEYS_FILE', ''],
    ['BRAID_ROUTER', '0x12'],
    ['BRAID_VENUES', '/absent.json'],
    ['BRAID_CHAIN', 'base'],
    ['BRAID_CHAIN', '/absent.json'],
    ['BRAID_VENUE_STATES', 'hyperswap-v33=quarantined'],
    ['BRAID_PRICE_GUARD_BPS', '-1'],
    ['BRAID_POLL_MS', '1'],
    ['BRAID_SAVE_EVERY_MS', '0'],
    ['BRAID_MAX_STATE_AGE_MS', '5s'],
    ['BRAID_STRICT_CHECKSUM', 'yes'],
    ['BRAID_LOG_LEVEL', 'loud'],
    ['PORT', '65536'],
    ['PORT', 'http'],
  ])('refuses %s=%s with a line that names it', (name, value) => {
    const read = () => readConfig({ ...least, [name]: value })
    expect(read).toThrow(name)
    expect(read).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })

  it('refuses two states of one venue, and names it', () => {
    const { id } = configDefaults.venues[0]!
    const states = `${id}=serving,${id}=shadow`
    expect(() => readConfig({ ...least, BRAID_VENUE_STATES: states })).toThrow(
      `BRAID_VENUE_STATES: ${id} is named twice`,
    )
  })

  it('takes an empty variable for an absent one', () => {
    const empty = { BRAID_STATE_DIR: '', BRAID_POLL_MS: '', BRAID_VENUES: '' }
    expect(readConfig({ ...least, ...empty })).toEqual(readConfig(least))
  })

  it('names every wrong key, one a line', () => {
    expect(() => readConfig({ PORT: 'x' })).toThrow(
      /BRAID_RPC_URLS.*\n.*BRAID_KEYS_FILE.*\n.*PORT/s,
    )
  })

  it('reads venues from a file, and says which field of it is wrong', async () => {
    const file = join(folder, 'venues.json')
    const factory = `0x${'CD'.repeat(20)}`
    const venue = { id: 'some-v2', family: 'uniswapV2', factory, feePpm: 2500, fromBlock: '12' }
    await writeFile(file, JSON.stringify([venue]))
    expect(readConfig({ ...least, BRAID_VENUES: file }).venues).toEqual([
      { ...venue, factory: factory.toLowerCase(), fromBlock: 12n },
    ])
    await writeFile(file, JSON.stringify([{ ...venue, factory: '0x1' }]))
    expect(() => readConfig({ ...least, BRAID_VENUES: file })).toThrow(/BRAID_VENUES.*0\.factory/)
  })
})

describe('the settings of a recorded market', () => {
  const market = { BRAID_MARKET: 'market.json' }

  it('need no node, and on a loopback address no keys', () => {
    const { marketFile, rpcUrls, keyless } = readConfig(market)
    expect({ marketFile, rpcUrls, keyless }).toEqual({
      ...{ marketFile: 'market.json', rpcUrls: [], keyless: true },
    })
    const open = { ...market, HOST: '0.0.0.0', BRAID_KEYS_FILE: 'keys.json' }
    expect(readConfig(open)).toMatchObject({ keyless: false, keysFile: 'keys.json' })
  })

  it.each([
    ['a node', { BRAID_RPC_URLS: 'http://a.test' }, 'unset it, or BRAID_RPC_URLS'],
    ['Redis', { BRAID_REDIS_URL: 'redis://a.test' }, 'unset it, or BRAID_REDIS_URL'],
    ['a role', { BRAID_ROLE: 'api' }, 'unset it, or BRAID_ROLE'],
    ['an open address without keys', { HOST: '0.0.0.0' }, 'BRAID_KEYS_FILE is required on HOST'],
  ])('are refused with %s', (_, others, message) => {
    expect(() => readConfig({ ...market, ...others })).toThrow(message)
  })
})

describe('the settings of several processes', () => {
  const redis = { BRAID_REDIS_URL: 'redis://127.0.0.1:6379' }

  it('need no node to read the market from Redis, and no keys file', () => {
    const { BRAID_ROUTER } = least
    expect(readConfig({ BRAID_ROUTER, BRAID_ROLE: 'api', ...redis })).toEqual({
      ...configDefaults,
      venueStates: new Map(),
      role: 'api',
      redisUrl: 'redis://127.0.0.1:6379',
      rpcUrls: [],
      router: ROUTER.toLowerCase(),
    })
  })

  it.each([
    ['a role that is none', { ...least, BRAID_ROLE: 'reader' }, 'BRAID_ROLE'],
    ['a reader without Redis', { ...least, BRAID_ROLE: 'api' }, 'BRAID_REDIS_URL is required'],
    [
      'an indexer without Redis',
      { ...least, BRAID_ROLE: 'indexer' },
      'BRAID_REDIS_URL is required',
    ],
    [
      'a URL of something else',
      { ...least, BRAID_REDIS_URL: 'http://a.test' },
      'redis://HOST:PORT',
    ],
    [
      'an indexer without a node',
      { BRAID_ROUTER: ROUTER, BRAID_ROLE: 'indexer', ...redis },
      'BRAID_RPC_URLS',
    ],
    ['no keys anywhere', { ...least, BRAID_KEYS_FILE: undefined }, 'BRAID_KEYS_FILE'],
  ])('are refused with %s', (_, environment, message) => {
    expect(() => readConfig(environment)).toThrow(message)
  })
})
