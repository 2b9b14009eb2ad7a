/** The one way for a test to use Redis: where no server is installed, the suite is one skipped test. */
import { describe, it } from 'vitest'
import { redisServerPath } from './redisServer.js'

const NO_REDIS = 'no redis-server is installed; install it or set BRAID_REDIS_SERVER'

/** A `describe` whose body needs a Redis server. */
export function describeWithRedis(name: string, body: () => void): void {
  describe(name, () => {
    if (redisServerPath) body()
    else it('needs a Redis server', (context) => context.skip(NO_REDIS))
  })
}
