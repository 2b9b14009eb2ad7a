import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '@braid-swap/devnet'
import {
  type AskNode,
  answerBehind,
  atWrongBlock,
  type RpcAnswer,
  type RpcRequest,
  refuse,
} from './tampering.js'

/**
 * The faults between a client and a node:
 *
 * - `late`: the answer takes up to a second and a half longer;
 * - `busy`: 429 with `Retry-After: 1`, to this request and up to five more;
 * - `dropped`: the connection ends without an answer; `half`: in the middle of one;
 * - `malformed`: the answer is not JSON; `missing`: one answer of a batch is missing;
 * - `wrongBlock`: one request of the batch is answered for the block before;
 * - `stale`: the answer comes from a replica that is one to four blocks behind;
 * - `dead`: there is no answer for one to five seconds;
 * - `refused`: the log range is too long, or the past state is not available; a limit, not random;
 * - `tooLarge`: the answer is above 1 MiB or a configured size; also a limit.
 */
export type Fault =
  | 'late'
  | 'busy'
  | 'dropped'
  | 'half'
  | 'malformed'
  | 'missing'
  | 'wrongBlock'
  | 'stale'
  | 'dead'
  | 'refused'
  | 'tooLarge'

/** Says how an endpoint fails. */
export type FaultOptions = {
  /** The node's own address. */
  readonly nodeUrl: string
  readonly seed: number
  /** Probability of each fault per HTTP body. */
  readonly chances?: Partial<Record<Fault, number>>
  /** The most blocks that one log request may span; 50 by default. */
  readonly logRange?: number
  /** The most characters that one answer may have; 1 MiB by default, like the official endpoint. */
  readonly maxAnswer?: number
  /** True if state can be read at `latest` only. */
  readonly isLatestOnly?: boolean
}

/** Counts of the traffic. */
export type FaultCounts = {
  /** JSON-RPC requests; each request of a batch counts. */
  readonly requests: number
  readonly bodies: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly faults: Readonly<Record<Fault, number>>
}

/** An endpoint with random faults from a seed, which it counts. */
export type FaultProxy = {
  readonly url: string
  readonly counts: () => FaultCounts
  /** Replaces the probabilities; with none, it only counts and enforces its limits. */
  readonly setChances: (chances: Partial<Record<Fault, number>>) => void
  /** Stops all answers until it is revived. */
  readonly kill: () => void
  readonly revive: () => void
  /** The arrival of each request, in `performance.now()` milliseconds. */
  readonly times: () => readonly number[]
  readonly stop: () => Promise<void>
}

const MAX_ANSWER = 1_048_576
const noFaults: Readonly<Record<Fault, number>> = {
  ...{ late: 0, busy: 0, dropped: 0, half: 0, malformed: 0, missing: 0 },
  ...{ wrongBlock: 0, stale: 0, dead: 0, refused: 0, tooLarge: 0 },
}

/** Starts the proxy on 127.0.0.1 in front of a node. */
export async function startFaultProxy(options: FaultOptions): Promise<FaultProxy> {
  const state: State = {
    ...{ options, random: createRandom(options.seed, 7), chances: options.chances ?? {} },
    ...{ requests: 0, bodies: 0, bytesIn: 0, bytesOut: 0, faults: { ...noFaults } },
    ...{ busyBodies: 0, deadUntil: 0, times: [] },
  }
  const server = createServer((request, response) => {
    serve(state, request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => {
      const { requests, bodies, bytesIn, bytesOut, faults } = state
      return { requests, bodies, bytesIn, bytesOut, faults: { ...faults } }
    },
    setChances: (chances) => {
      state.chances = chances
    },
    kill: () => {
      state.deadUntil = Number.POSITIVE_INFINITY
    },
    revive: () => {
      state.deadUntil = 0
    },
    times: () => state.times,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

type State = {
  readonly options: FaultOptions
  readonly random: Random
  chances: Partial<Record<Fault, number>>
  requests: number
  bodies: number
  bytesIn: number
  bytesOut: number
  readonly faults: Record<Fault, number>
  /** The number of next bodies that still get 429. */
  busyBodies: number
  deadUntil: number
  readonly times: number[]
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse) {
  const text = (await buffer(request)).toString()
  const body = JSON.parse(text) as RpcRequest | readonly RpcRequest[]
  const requests = [body].flat() as readonly RpcRequest[]
  state.bodies += 1
  state.requests += requests.length
  state.bytesIn += text.length
  state.times.push(...requests.map(() => performance.now()))
  if (isDead(state)) return void response.destroy()
  if (strikes(state, 'busy')) state.busyBodies = 1 + Math.floor(state.random.next() * 6)
  if (state.busyBodies > 0) {
    state.busyBodies -= 1
    return void response.writeHead(429, { 'retry-after': '1' }).end()
  }
  if (strikes(state, 'dropped')) return void response.destroy()
  if (strikes(state, 'late')) await sleep(state.random.next() * 1_500)

  const answers = await answer(state, requests)
  if (performance.now() < state.deadUntil) return void response.destroy()
  const whole = JSON.stringify(Array.isArray(body) ? answers : answers[0])
  state.bytesOut += whole.length
  response.setHeader('content-type', 'application/json')
  if (strikes(state, 'malformed')) {
    return void response.end(`<html>${whole.slice(0, 100)}</html>`)
  }
  if (strikes(state, 'half')) {
    response.setHeader('content-length', Buffer.byteLength(whole))
    response.write(whole.slice(0, whole.length / 2))
    return void setTimeout(() => response.destroy(), 5)
  }
  response.end(whole)
}

function strikes(state: State, fault: Fault): boolean {
  if (state.random.next() >= (state.chances[fault] ?? 0)) return false
  state.faults[fault] += 1
  return true
}

function isDead(state: State): boolean {
  if (strikes(state, 'dead'))
    state.deadUntil = performance.now() + 1_000 + state.random.next() * 4_000
  return performance.now() < state.deadUntil
}

async function answer(
  state: State,
  requests: readonly RpcRequest[],
): Promise<readonly RpcAnswer[]> {
  const { logRange = 50, maxAnswer = MAX_ANSWER, isLatestOnly = false, nodeUrl } = state.options
  const refusals = new Map(requests.map((r) => [r.id, refuse(r, { logRange, isLatestOnly })]))
  const allowed = requests.filter(({ id }) => !refusals.get(id))
  state.faults.refused += requests.length - allowed.length
  const given = await tampered(state, askerOf(nodeUrl), allowed)
  const byId = new Map(given.map((one) => [one.id, one]))
  const answers = requests.flatMap((r) => refusals.get(r.id) ?? byId.get(r.id) ?? [])
  const limited = answers.map((one) => {
    if (JSON.stringify(one).length <= maxAnswer) return one
    state.faults.tooLarge += 1
    return { id: one.id, error: { code: -32008, message: 'Response is too big' } }
  })
  if (limited.length < 2 || !strikes(state, 'missing')) return limited
  const gone = Math.floor(state.random.next() * limited.length)
  return limited.filter((_, i) => i !== gone)
}

async function tampered(
  state: State,
  ask: AskNode,
  requests: readonly RpcRequest[],
): Promise<readonly RpcAnswer[]> {
  if (requests.length === 0) return []
  if (strikes(state, 'stale')) {
    return answerBehind(ask, requests, 1n + BigInt(Math.floor(state.random.next() * 4)))
  }
  if (state.random.next() < (state.chances.wrongBlock ?? 0)) {
    const wrong = await atWrongBlock(ask, requests, state.random)
    if (wrong) {
      state.faults.wrongBlock += 1
      return ask(wrong)
    }
  }
  return ask(requests)
}

function askerOf(nodeUrl: string): AskNode {
  return async (requests) => {
    const response = await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requests.map((request) => ({ jsonrpc: '2.0', ...request }))),
    })
    return (await response.json()) as readonly RpcAnswer[]
  }
}
