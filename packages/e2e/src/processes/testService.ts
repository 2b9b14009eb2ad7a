/**
 * The service that faults are caused in: Redis, two indexers, of which one leads, and two readers, of
 * which the second has a node. Every process reaches Redis and the node on links of its own, which
 * can be cut. The load asks both readers all the time.
 */
import { freePort } from '@braid-swap/devnet/testing'
import {
  openPartition,
  type Partition,
  type RedisServer,
  startRedis,
} from '@braid-swap/feed/testing'
import { type NodeDouble, startNodeDouble } from '@braid-swap/worlds/node'
import { type Load, startLoad, type World } from './service.js'
import { openServiceKeys, type ServiceKeys } from './serviceKeys.js'
import type { ServiceProcess } from './serviceProcess.js'

/** A place in the service: the process in it may be killed and started again. */
export type Member = {
  readonly process: () => ServiceProcess
  readonly redis: Partition
  /** The way to the node; absent for a reader without one. */
  readonly node?: Partition
  /** Starts the process again and waits until it has a market. */
  readonly start: () => Promise<void>
}

/** A reader, whose address stays the same. */
export type Reader = Member & { readonly url: string }

/** The running service. */
export type TestService = {
  readonly world: World
  readonly redis: RedisServer
  readonly keys: ServiceKeys
  readonly load: Load
  /** The way of all processes to the chain, without faults at first. */
  readonly chain: NodeDouble
  /** The indexer that publishes, as its log says. */
  readonly leader: () => Member
  readonly standby: () => Member
  readonly readers: readonly [Reader, Reader]
  readonly stop: () => Promise<void>
}

/** Starts everything and resolves when both readers answer from new blocks. */
export async function startTestService(world: World): Promise<TestService> {
  const redis = await startRedis({ persists: true })
  const keys = await openServiceKeys(world, redis.url)
  // An indexer leads only while its market is recent, so blocks must come from the beginning.
  const load = startLoad(world)
  const chain = await startNodeDouble(world.devnet.rpcUrl)
  const place = async (
    role: 'indexer' | 'api',
    { hasNode = true, port = '0' }: { readonly hasNode?: boolean; readonly port?: string } = {},
  ): Promise<Member> => {
    const link = await openPartition(redis.url)
    const node = hasNode ? await openPartition(chain.url) : undefined
    let process: ServiceProcess | undefined
    const start = async () => {
      process = world.start(role, link.url, {
        ...{ PORT: port, BRAID_KEYS_FILE: '' },
        ...(node && { BRAID_RPC_URLS: node.url }),
      })
      await process.logged('market loaded')
    }
    await start()
    return { process: () => process!, redis: link, start, ...(node && { node }) }
  }
  const reader = async (hasNode: boolean): Promise<Reader> => {
    const port = `${await freePort()}`
    const url = `http://127.0.0.1:${port}`
    return { ...(await place('api', { hasNode, port })), url }
  }
  const first = await place('indexer')
  await first.process().logged('publishing the market')
  const [second, ...readers] = await Promise.all([place('indexer'), reader(false), reader(true)])
  const indexers = [first, second] as const
  for (const { url } of readers) load.askAlways(url)
  for (const { url } of readers) await load.untilNewBlock(url)
  const leader = () => indexers.find((one) => isLeading(one.process())) ?? indexers[0]
  const stop = async () => {
    await load.stop()
    for (const one of [...indexers, ...readers]) {
      await one.process().kill()
      one.redis.stop()
      one.node?.stop()
    }
    await redis.stop()
    await chain.stop()
  }
  const standby = () => indexers.find((one) => one !== leader())!
  return { world, redis, keys, load, chain, leader, standby, readers, stop }
}

/** Returns whether the log of an indexer says that it leads. */
function isLeading({ lines }: ServiceProcess): boolean {
  const said = lines().findLast(({ msg }) => msg?.endsWith('publishing the market'))
  return said?.msg === 'publishing the market'
}
