import { connectRedis } from '@braid-swap/feed'
import { describeWithRedis, startRedis } from '@braid-swap/feed/testing'
import { expect, it } from 'vitest'
import { startApi } from '../startApi.js'

const ROUTER = '0x00000000000000000000000000000000000b4a1d'

describeWithRedis('a start that fails', () => {
  it('leaves no connection to Redis, which would keep the process', async () => {
    const server = await startRedis()
    const redis = connectRedis(server.url)
    const start = startApi({
      ...{ redisUrl: server.url, role: 'api', rpcUrls: [], router: ROUTER, port: 0 },
      ...{ keysFile: '/nowhere/keys.json', logLevel: 'silent' },
    })
    await expect(start).rejects.toThrow('keys.json')
    const clients = async () => `${await redis.send(['CLIENT', 'LIST'])}`.trim().split('\n').length
    while ((await clients()) > 1) {}
    redis.close()
    await server.stop()
  })
})
