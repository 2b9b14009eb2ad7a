import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError, type ErrorCode } from '../errors.js'
import { errorBodyOf } from '../wire/errorBody.js'

/** Request line and header fields together. */
const MAX_HEADER_BYTES = 32_768
/** A client that takes longer to send its request is disconnected. */
const REQUEST_TIMEOUT_MS = 10_000
/** Longer than load balancers keep an idle connection (60 seconds), because what they send into its end is lost. */
const IDLE_MS = 75_000
/** A refused client that has not closed its side after this time is disconnected. */
const REFUSED_GRACE_MS = 1_000

/** Options of {@link createHttpServer}. */
export type HttpServerOptions = {
  /** Time limit of a client to send its request; 10 seconds by default. */
  readonly requestTimeoutMs?: number
  /** Time that a refused client has to close its side; 1 second by default. */
  readonly refusedGraceMs?: number
  /** Called for every request that is not valid HTTP or not complete in time. */
  readonly onRefused?: (code: ErrorCode) => void
}

/** A server that answers malformed, oversized or slow HTTP with the API's own error body. */
export function createHttpServer(
  listener?: RequestListener,
  options: HttpServerOptions = {},
): Server {
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, refusedGraceMs = REFUSED_GRACE_MS } = options
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: IDLE_MS,
    // Node looks for late requests at this interval, 30 seconds by default.
    connectionsCheckingInterval: requestTimeoutMs / 10,
  }
  const server = createServer(limits, listener)
  server.on('clientError', (fault: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || fault.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const error = refusalOf(fault)
    options.onRefused?.(error.code)
    refuse(socket, error)
    // A client that never closes its side would keep the descriptor for minutes.
    const timer = setTimeout(() => socket.destroy(), refusedGraceMs)
    socket.once('close', () => clearTimeout(timer))
  })
  return server
}

/** Listens and returns the bound address. Throws the system's error if the port is taken. */
export function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

/** The URL of a bound address, without a slash at the end. */
export function urlOf({ family, address, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Stops listening. Resolves when all requests in progress are answered. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // Busy connections become idle later and would otherwise stay open for seconds.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearInterval(sweep)
      resolve()
    })
  })
}

function refusalOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `the request line and headers exceed ${MAX_HEADER_BYTES} bytes`
    return new ApiError('HEADERS_TOO_LARGE', message)
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('REQUEST_TIMEOUT', 'the request did not arrive in time')
  }
  return new ApiError('BAD_REQUEST', 'the request is not valid HTTP/1.1')
}

function refuse(socket: Duplex, error: ApiError): void {
  const asked = { requestId: randomUUID(), path: '', nowMs: Date.now() }
  const { error: reason, ...rest } = errorBodyOf(error, asked)
  const body = JSON.stringify({ error: reason, ...rest })
  const head = [
    `HTTP/1.1 ${error.status} ${reason}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${asked.requestId}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
