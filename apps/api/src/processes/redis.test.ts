import { connectRedis } from '@braid-swap/feed'
import { describeWithRedis, startRedis } from '@braid-swap/feed/testing'
import { expect, it } from 'vitest'
import { configDefaults } from '../config/config.js'
import { bootstrapOnly } from '../start/bootstrapOnly.js'
import { startApi } from '../start/startApi.js'

const ROUTER = '0x00000000000000000000000000000000000b4a1d'

const QUIET = { rpcUrls: [], router: ROUTER, port: 0, logLevel: 'silent' } as const

describeWithRedis('a start that fails', () => {
  it.each([
    {
      what: 'of the API',
      start: (redisUrl: string) =>
        startApi({ ...QUIET, redisUrl, role: 'api', keysFile: '/nowhere/keys.json' }),
      fault: 'keys.json',
    },
    {
      what: 'of a search for pools',
      start: (redisUrl: string) =>
        bootstrapOnly({
          ...configDefaults,
          ...QUIET,
          redisUrl,
          tokenListFile: '/nowhere/list.json',
        }),
      fault: 'list.json',
    },
  ])(
    '$what leaves no connection to Redis, which would keep the process',
    async ({ start, fault }) => {
      const server = await startRedis()
      const redis = connectRedis(server.url)
      await expect(start(server.url)).rejects.toThrow(fault)
      const clients = async () =>
        `${await redis.send(['CLIENT', 'LIST'])}`.trim().split('\n').length
      while ((await clients()) > 1) {}
      redis.close()
      await server.stop()
    },
  )
})
