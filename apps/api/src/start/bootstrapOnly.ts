/**
 * Loads the whole market once, keeps it for the processes that start later, and ends: what an init
 * job does before the service itself starts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MarketFeed } from '@braid-swap/feed'
import type { ApiConfig } from '../config/config.js'
import { ConfigError } from '../config/configError.js'
import { createLog } from '../http/log.js'
import { openSource } from '../market/marketSource.js'
import { openClients } from '../node/clients.js'
import { startWithRedis } from '../processes/redis.js'
import { readTokenList } from '../tokens/tokenList.js'

const POLL_MS = 100

/**
 * Searches all of the chain for pools and loads them, saves them in the state folder and, if no
 * process publishes the market yet, publishes it in Redis. Throws {@link ConfigError} if the settings
 * name neither, or a process that does not follow the chain.
 */
export async function bootstrapOnly(config: ApiConfig): Promise<void> {
  const { role, stateDir, redisUrl, marketFile } = config
  if (role === 'api' || marketFile !== undefined) {
    const other = role === 'api' ? 'BRAID_ROLE is api' : 'BRAID_MARKET is a file'
    throw new ConfigError([`--bootstrap-only needs a process that follows the chain: ${other}`])
  }
  if (stateDir === undefined && redisUrl === undefined) {
    throw new ConfigError([
      '--bootstrap-only needs BRAID_STATE_DIR or BRAID_REDIS_URL to keep the market',
    ])
  }
  const log = createLog({ level: config.logLevel, rpcUrls: config.rpcUrls })
  const clients = openClients(config)
  const chainId = clients.client.chain.id
  const stopping = new AbortController()
  const { signal } = stopping
  await startWithRedis({ ...config, chainId, signal }, async (redis) => {
    const source = await openSource(
      { ...config, role: 'indexer' },
      {
        ...{ clients, signal, log, tokenList: readTokenList(config.tokenListFile, chainId) },
        ...(redis && { redis }),
      },
    )
    const market = source.follow()
    await market.ready
    while (!market.discovery!().isDone) await sleep(POLL_MS)
    if (redis) await Promise.race([published(redis.feed, config), source.publishing!.flushed()])
    const { poolsFound, setAside } = market.discovery!()
    stopping.abort()
    await market.ended
    await Promise.all([source.routerCode.ended, source.nodeChain.ended])
    await source.flush()
    redis?.close()
    log.info({ pools: poolsFound, setAside, stateDir }, 'market kept')
  })
}

/** Waits until a recent market is published, by this process or by one that leads already. */
async function published(
  feed: Pick<MarketFeed, 'last'>,
  { maxStateAgeMs }: Pick<ApiConfig, 'maxStateAgeMs'>,
): Promise<void> {
  const isRecent = async () => ((await feed.last())?.ageMs ?? Infinity) <= maxStateAgeMs
  while (!(await isRecent().catch(() => false))) await sleep(POLL_MS)
}
