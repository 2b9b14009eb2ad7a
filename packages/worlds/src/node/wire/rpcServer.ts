// The HTTP half of a programmed node: bodies of one request or of a batch come in, answers or cut connections go out.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One JSON-RPC request of an HTTP body. */
export type RpcRequest = {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

/** The answer to a request. */
export type RpcAnswer = {
  readonly jsonrpc?: '2.0'
  readonly id: number | null
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** An answer that is an error, as JSON-RPC has it. */
export class Refusal extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The connection ends without an answer. */
export const CUT: unique symbol = Symbol('cut')

/** An HTTP body: one request, or a batch. */
export type RpcBody = {
  readonly requests: readonly RpcRequest[]
  readonly isBatch: boolean
  /** Its length in characters. */
  readonly length: number
}

/** What the node does with a body; with `isHalf`, the connection ends in the middle of the answer. */
export type Reply =
  | typeof CUT
  | {
      readonly text: string
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly isHalf?: boolean
    }

/** A server on 127.0.0.1. */
export type RpcServer = { readonly url: string; readonly stop: () => Promise<void> }

/** Starts a server that does with each body what `serve` says; where that throws, the connection is cut. */
export async function startRpcServer(serve: (body: RpcBody) => Promise<Reply>): Promise<RpcServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const whole = await text(request)
    const body = JSON.parse(whole) as RpcRequest | readonly RpcRequest[]
    const requests = [body].flat() as readonly RpcRequest[]
    send(response, await serve({ requests, isBatch: Array.isArray(body), length: whole.length }))
  }
  // A client must not take a connection that closes for one that is kept.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Milliseconds in which the first half of an answer leaves. */
const HALF_MS = 5

function send(response: ServerResponse, reply: Reply): void {
  if (reply === CUT) return void response.destroy()
  const { text: whole, status = 200, headers, isHalf } = reply
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(isHalf && { 'content-length': Buffer.byteLength(whole) }),
    ...headers,
  })
  if (!isHalf) return void response.end(whole)
  response.write(whole.slice(0, whole.length / 2))
  setTimeout(() => response.destroy(), HALF_MS)
}

/** Answers each request of a body on its own; a {@link Refusal} becomes an error, any other fault a cut. */
export async function answerEach(
  { requests, isBatch }: RpcBody,
  resultOf: (request: RpcRequest) => unknown,
): Promise<Reply> {
  const answers = await Promise.all(
    requests.map(async (request) => {
      try {
        const result = await resultOf(request)
        return result === CUT ? CUT : { jsonrpc: '2.0', id: request.id, result }
      } catch (error) {
        if (error instanceof Refusal) return refused(request.id, error)
        throw error
      }
    }),
  )
  if (answers.includes(CUT)) return CUT
  return { text: JSON.stringify(isBatch ? answers : answers[0]) }
}

/** An error as the answer to a request; to none, if the whole body is refused. */
export function refused(id: number | null, { code, message, data }: Refusal): RpcAnswer {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
}
