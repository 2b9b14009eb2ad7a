// A proxy that makes a local node behave as HyperEVM's endpoints are recorded to behave.
import { setTimeout as sleep } from 'node:timers/promises'
import { answerOf } from './quirks/answers.js'
import type { Backend } from './quirks/backend.js'
import { noQuirks, type Quirks } from './quirks/quirks.js'
import { createRateLimit, type RateLimit } from './quirks/rateLimit.js'
import {
  answerEach,
  CUT,
  Refusal,
  type Reply,
  type RpcBody,
  type RpcRequest,
  refused,
  startRpcServer,
} from './wire/rpcServer.js'
import { type AskUpstream, upstreamAt } from './wire/upstream.js'

/** Counts of the traffic since the start or the last reset. */
export type NodeCounts = {
  /** JSON-RPC requests, those above the limit too. */
  readonly requests: number
  readonly limited: number
  /** HTTP bodies with several requests. */
  readonly batches: number
  readonly methods: Readonly<Record<string, number>>
  /** By method, code and message. */
  readonly errors: Readonly<Record<string, number>>
}

/** A node with quirks, on 127.0.0.1. */
export type NodeDouble = {
  readonly url: string
  readonly set: (change: Partial<Quirks>) => void
  /** The height of its newest block. */
  readonly head: () => Promise<number>
  readonly counts: () => NodeCounts
  readonly reset: () => void
  readonly stop: () => Promise<void>
}

type State = {
  readonly ask: AskUpstream
  readonly rateLimit: RateLimit
  quirks: Quirks
  /** When each height was first seen, in `performance.now()` milliseconds. */
  readonly seenAtMs: Map<number, number>
  requests: number
  limited: number
  batches: number
  methods: Record<string, number>
  errors: Record<string, number>
}

/** How often a node whose logs are late is asked for a new block. */
const WATCH_MS = 50

/** Starts a double in front of the node at `nodeUrl`. */
export async function startNodeDouble(
  nodeUrl: string,
  quirks: Partial<Quirks> = {},
): Promise<NodeDouble> {
  const state: State = {
    ...{ ask: upstreamAt(nodeUrl), rateLimit: createRateLimit(), seenAtMs: new Map() },
    quirks: { ...noQuirks, ...quirks },
    ...{ requests: 0, limited: 0, batches: 0, methods: {}, errors: {} },
  }
  const server = await startRpcServer((body) => serve(state, body))
  const watch = setInterval(() => {
    if (state.quirks.lateLogsMs > 0) headOf(state).catch(() => {})
  }, WATCH_MS)
  return {
    url: server.url,
    set: (change) => {
      state.quirks = { ...state.quirks, ...change }
    },
    head: () => headOf(state),
    counts: () => {
      const { requests, limited, batches, methods, errors } = state
      return { requests, limited, batches, methods: { ...methods }, errors: { ...errors } }
    },
    reset: () => {
      Object.assign(state, { requests: 0, limited: 0, batches: 0, methods: {}, errors: {} })
    },
    stop: () => {
      clearInterval(watch)
      return server.stop()
    },
  }
}

async function headOf(state: State): Promise<number> {
  const newest = Number(await state.ask('eth_blockNumber', []))
  if (!state.seenAtMs.has(newest)) state.seenAtMs.set(newest, performance.now())
  return newest
}

async function serve(state: State, body: RpcBody): Promise<Reply> {
  const { requests, isBatch } = body
  const [least, most] = state.quirks.latencyMs
  if (most > 0) await sleep(least + Math.random() * (most - least))
  const { quirks } = state
  state.requests += requests.length
  if (isBatch) state.batches += 1
  if (Math.random() < quirks.cutChance) return CUT
  if (!state.rateLimit.take(requests.length, quirks.requestsPerMinute)) {
    state.limited += requests.length
    return limited(quirks, body)
  }
  if (isBatch && requests.length > quirks.batchSize) {
    const why = quirks.batchSize === 0 ? 'Batch requests are not supported' : 'Batch is too large'
    return { text: JSON.stringify(refused(null, new Refusal(-32600, why))) }
  }
  const backend = backendOf(state)
  const reply = await answerEach(body, (request) => resultOf(state, backend, request))
  if (reply === CUT || Math.random() >= quirks.brokenChance) return reply
  return Math.random() < 0.5 ? { ...reply, isHalf: true } : { text: `<html>${reply.text}</html>` }
}

function limited({ limitAnswer, retryAfter }: Quirks, { requests, isBatch }: RpcBody): Reply {
  const headers = { ...(retryAfter && { 'retry-after': retryAfter }) }
  if (limitAnswer === 'text') {
    const asText = { ...headers, 'content-type': 'text/plain' }
    return { status: 429, text: 'Too Many Requests', headers: asText }
  }
  const text = JSON.stringify(
    refused(isBatch ? null : requests[0]!.id, new Refusal(-32005, 'rate limited')),
  )
  return { status: 429, headers, text }
}

/** One of the backends; all requests of a batch have the same. */
function backendOf(state: State): Backend {
  const { quirks, ask, seenAtMs } = state
  const isBehind = Math.floor(Math.random() * quirks.backends) > 0
  return {
    ...{ ask, quirks },
    head: async () => Math.max(0, (await headOf(state)) - (isBehind ? quirks.blocksBehind : 0)),
    ageMsOf: (number) => performance.now() - (seenAtMs.get(number) ?? Number.NEGATIVE_INFINITY),
  }
}

async function resultOf(state: State, backend: Backend, request: RpcRequest): Promise<unknown> {
  const { id, method, params = [] } = request
  state.methods[method] = (state.methods[method] ?? 0) + 1
  try {
    const result = (await answerOf(backend, method, params)) ?? null
    const { answerBytes } = backend.quirks
    const isLimited = answerBytes < Infinity && method !== 'eth_getBlockByNumber'
    if (isLimited && JSON.stringify({ jsonrpc: '2.0', id, result }).length > answerBytes) {
      const limit = `Exceeded max limit of ${answerBytes}`
      throw new Refusal(-32008, 'Response is too big', limit)
    }
    return result
  } catch (error) {
    if (error instanceof Refusal) {
      const name = `${method} ${error.code} ${error.message.slice(0, 60)}`
      state.errors[name] = (state.errors[name] ?? 0) + 1
    }
    throw error
  }
}
