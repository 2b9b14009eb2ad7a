/**
 * Several processes behind one port of one machine (node:cluster): one follows the chain and starts
 * the others, which answer. The market, the buckets of the keys and the metrics go over Node's IPC.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyMs } from '@braid-swap/chain'
import { BaseError } from '@braid-swap/core'
import {
  type Channel,
  createIpcFeed,
  createMemoryFeed,
  serveFeed,
  soleLease,
} from '@braid-swap/feed'
import type { Logger } from 'pino'
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client'
import type { ApiConfig } from '../config/config.js'
import { createLog } from '../http/log.js'
import { serveMetrics } from '../http/metrics.js'
import { createProcessMetrics } from '../http/processMetrics.js'
import { createLimiter } from '../keys/rateLimiter.js'
import { endSource, openSource } from '../market/marketSource.js'
import { openClients } from '../node/clients.js'
import { createChannelLessons, hearDoubts, relayLessons } from '../processes/lessons.js'
import { startWithRedis } from '../processes/redis.js'
import { inTurn, openPlace } from '../records/recordPlace.js'
import { type RunningApi, startApi } from '../start/startApi.js'
import { readTokenList } from '../tokens/tokenList.js'
import { answerQuestions, createAsker, parentChannel, workerChannel } from './channel.js'
import { createParentLimiter, serveLimiter } from './parentLimiter.js'
import { createParentPlace, servePlace } from './parentPlace.js'

/** The variable that tells a worker how many there are. */
const COUNT = 'BRAID_WORKER_COUNT'
const METRICS = 'braid metrics'
const TURN = 'braid turn'
/** A worker that does not answer in time has no metrics in this scrape. */
const METRICS_MS = 2_000
/** The process that accepts connections answers within milliseconds, unless it is stuck. */
const TURN_MS = 1_000
/** Rest before a worker that ended early is started again. */
const RESTART_MS = 1_000

/** A worker needs at most this many times its limit to drain and to end what it follows. */
const STOPS = 3

/** A process with workers. */
export type RunningWorkers = Pick<RunningApi, 'stop' | 'metricsUrl'>

/**
 * Starts workers that answer on the configured port, and what they answer from: with the role `all`
 * this process follows the chain, with `api` each worker reads Redis. Throws what {@link startApi}
 * throws about the chain. A worker that ends is started again.
 */
export async function startWorkers(config: ApiConfig, count: number): Promise<RunningWorkers> {
  const log = createLog({ level: config.logLevel, rpcUrls: config.rpcUrls })
  const stopping = new AbortController()
  const { signal } = stopping
  const feed = createMemoryFeed()
  const limiter = createLimiter(steadyMs)
  const follower =
    config.role === 'all' ? await startFollower(config, { feed, signal, log }) : undefined
  const place = config.quoteRecords && inTurn(openPlace(config.quoteRecords))
  const askMetrics = new Map<number, () => Promise<readonly MetricObject[] | undefined>>()
  const channels = new Map<number, Channel>()
  const serveWorker = (worker: Worker) => {
    const channel = workerChannel(worker)
    serveFeed(feed, channel)
    serveLimiter(limiter, channel)
    channels.set(worker.id, channel)
    if (follower) hearDoubts(createChannelLessons(channel), follower.market)
    relayLessons(channel, () => [...channels.values()].filter((one) => one !== channel))
    if (place) servePlace(place, channel)
    answerQuestions(channel, TURN, () => null)
    const ask = createAsker<null, readonly MetricObject[]>(channel, METRICS, METRICS_MS)
    askMetrics.set(worker.id, () => ask(null))
  }
  const start = () => {
    const startedMs = performance.now()
    const worker = cluster.fork({ [COUNT]: `${count}` })
    serveWorker(worker)
    worker.once('exit', async (code, killedBy) => {
      askMetrics.delete(worker.id)
      channels.delete(worker.id)
      if (signal.aborted) return
      log.error({ worker: worker.id, code, killedBy }, 'a worker ended; starting another')
      const restMs = Math.max(0, RESTART_MS - (performance.now() - startedMs))
      await sleep(restMs, undefined, { signal }).catch(() => {})
      if (!signal.aborted) start()
    })
    return worker
  }
  const stopAll = async () => {
    stopping.abort()
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(
        (worker) => worker && end(worker, STOPS * config.drainMs),
      ),
    )
    await follower?.stop()
  }
  const first = Array.from({ length: count }, start)
  try {
    await Promise.all(first.map(listening))
  } catch (error) {
    await stopAll()
    throw error
  }
  const { host, metricsPort } = config
  const gathered = () => gather(follower?.registry, askMetrics)
  const observed = await serveMetrics(gathered, { host, port: metricsPort })
  log.info({ workers: count, metricsUrl: observed?.url }, 'started')
  const stop = async () => {
    await stopAll()
    await observed?.stop()
  }
  return { stop, ...(observed && { metricsUrl: observed.url }) }
}

/** Follows the chain and publishes it to the workers, and in Redis if that is configured. */
async function startFollower(
  config: ApiConfig,
  {
    feed,
    signal,
    log,
  }: {
    readonly feed: ReturnType<typeof createMemoryFeed>
    readonly signal: AbortSignal
    readonly log: Logger
  },
) {
  const clients = openClients(config)
  const chainId = clients.client.chain.id
  const { source, redis } = await startWithRedis({ ...config, chainId, signal }, async (redis) => {
    const source = await openSource(
      { ...config, role: 'indexer' },
      {
        ...{ clients, signal, log, tokenList: readTokenList(config.tokenListFile, chainId) },
        ...(redis && { redis }),
        publishTo: { feed, lease: soleLease() },
      },
    )
    return { source, redis }
  })
  const market = source.follow()
  market.ended.catch((error: unknown) => log.fatal({ err: error }, 'market follower stopped'))
  hearDoubts(redis?.lessons, market)
  const metrics = createProcessMetrics(market, { clients, source, redis })
  const stop = async () => {
    await endSource(source, market, config.drainMs)
    redis?.close()
  }
  return { registry: metrics.registry, market, stop }
}

/** The metrics of all processes, each with the label `worker`. */
async function gather(
  own: Registry | undefined,
  workers: ReadonlyMap<number, () => Promise<readonly MetricObject[] | undefined>>,
): Promise<Registry> {
  own?.setDefaultLabels({ worker: 'follower' })
  const all = await Promise.all([
    own?.getMetricsAsJSON(),
    ...[...workers.values()].map((ask) => ask()),
  ])
  const answered = all.flatMap((one) => (one ? [one as MetricObject[]] : []))
  return AggregatorRegistry.aggregate(answered)
}

/** Waits until a worker listens. Throws a {@link WorkerFailedError} if it ends before. */
function listening(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('listening', () => resolve())
    worker.once('exit', (code) => reject(new WorkerFailedError(code)))
  })
}

/** Ends a worker: it drains within its own limits, and is killed if it does not. */
async function end(worker: Worker, limitMs: number): Promise<void> {
  const gone = new Promise((resolve) => worker.once('exit', resolve))
  worker.process.kill('SIGTERM')
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), limitMs)
  await gone
  clearTimeout(timer)
}

/** True in a worker. */
export function isWorker(): boolean {
  return cluster.isWorker
}

/** Starts the API of a worker, which answers from what its parent follows. */
export async function startWorker(config: ApiConfig): Promise<RunningApi> {
  const channel = parentChannel()
  const { metricsPort: _, ...rest } = config
  // Connections come one by one over the same channel, so the answer comes after those before it.
  const askTurn = createAsker<null, null>(channel, TURN, TURN_MS)
  const api = await startApi({
    ...rest,
    passTurn: () => askTurn(null),
    recordPlace: createParentPlace(channel),
    readers: Number(process.env[COUNT]),
    ...(config.role === 'all' && { feed: createIpcFeed(channel) }),
    ...(config.redisUrl === undefined && {
      limiter: createParentLimiter(channel, steadyMs),
      lessons: createChannelLessons(channel),
    }),
    onMetrics: ({ registry }) => {
      registry.setDefaultLabels({ worker: `${cluster.worker!.id}` })
      answerQuestions(channel, METRICS, () => registry.getMetricsAsJSON())
    },
  })
  return api
}

/** A worker ended before it listened. Its own output says why. */
export class WorkerFailedError extends BaseError {
  readonly code = 'WORKER_FAILED'

  constructor(exitCode: number) {
    super('a worker ended before it listened; the reason is in the lines above', { exitCode })
  }
}
