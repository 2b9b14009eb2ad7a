// A proxy that makes a local node behave as HyperEVM's endpoints are recorded to behave.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RpcRequest } from '../../chain/faults/tampering.js'
import { answerOf } from './answers.js'
import type { Backend } from './backend.js'
import { noQuirks, type Quirks } from './quirks.js'
import { createRateLimit, type RateLimit } from './rateLimit.js'
import { type AskUpstream, Refusal, upstreamAt } from './upstream.js'

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
  frozenAt: number | undefined
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
    ...{ quirks: { ...noQuirks, ...quirks }, frozenAt: undefined },
    ...{ requests: 0, limited: 0, batches: 0, methods: {}, errors: {} },
  }
  const server = createServer((request, response) => {
    serve(state, request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const watch = setInterval(() => {
    if (state.quirks.lateLogsMs > 0) headOf(state).catch(() => {})
  }, WATCH_MS)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
    stop: () =>
      new Promise((resolve) => {
        clearInterval(watch)
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function headOf(state: State): Promise<number> {
  const newest = Number(await state.ask('eth_blockNumber', []))
  if (!state.seenAtMs.has(newest)) state.seenAtMs.set(newest, performance.now())
  state.frozenAt = state.quirks.isFrozen ? (state.frozenAt ?? newest) : undefined
  return state.frozenAt ?? newest
}

async function serve(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = JSON.parse((await buffer(request)).toString()) as RpcRequest | readonly RpcRequest[]
  const requests = [body].flat() as readonly RpcRequest[]
  const [least, most] = state.quirks.latencyMs
  if (most > 0) await sleep(least + Math.random() * (most - least))
  const { quirks } = state
  state.requests += requests.length
  if (Array.isArray(body)) state.batches += 1
  if (Math.random() < quirks.cutChance) return void request.socket.destroy()
  response.setHeader('content-type', 'application/json')
  if (!state.rateLimit.take(requests.length, quirks)) {
    state.limited += requests.length
    return answerLimited(quirks, body, response)
  }
  if (Array.isArray(body) && requests.length > quirks.batchSize) {
    const why = quirks.batchSize === 0 ? 'Batch requests are not supported' : 'Batch is too large'
    return void response.end(JSON.stringify(errorOf(null, new Refusal(-32600, why))))
  }
  const backend = backendOf(state)
  const answers = await Promise.all(requests.map((one) => answer(state, backend, one)))
  response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
}

function answerLimited(
  { limitAnswer, retryAfter }: Quirks,
  body: RpcRequest | readonly RpcRequest[],
  response: ServerResponse,
): void {
  if (limitAnswer !== 'json200') response.statusCode = 429
  if (limitAnswer !== 'json200' && retryAfter) response.setHeader('retry-after', retryAfter)
  if (limitAnswer === 'text429') {
    response.setHeader('content-type', 'text/plain')
    return void response.end('Too Many Requests')
  }
  const refusal = new Refusal(-32005, 'rate limited')
  if ('id' in body) return void response.end(JSON.stringify(errorOf(body.id, refusal)))
  const whole = limitAnswer === 'json200' ? body.map(({ id }) => errorOf(id, refusal)) : undefined
  response.end(JSON.stringify(whole ?? errorOf(null, refusal)))
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

async function answer(state: State, backend: Backend, request: RpcRequest): Promise<unknown> {
  const { id, method, params = [] } = request
  state.methods[method] = (state.methods[method] ?? 0) + 1
  try {
    const result = (await answerOf(backend, method, params)) ?? null
    const whole = { jsonrpc: '2.0', id, result }
    const { answerBytes } = backend.quirks
    const isLimited = answerBytes < Infinity && method !== 'eth_getBlockByNumber'
    if (isLimited && JSON.stringify(whole).length > answerBytes) {
      const limit = `Exceeded max limit of ${answerBytes}`
      throw new Refusal(-32008, 'Response is too big', limit)
    }
    return whole
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const name = `${method} ${error.code} ${error.message.slice(0, 60)}`
    state.errors[name] = (state.errors[name] ?? 0) + 1
    return errorOf(id, error)
  }
}

function errorOf(id: number | null, { code, message, data }: Refusal) {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
}
