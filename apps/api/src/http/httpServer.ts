import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { ulid } from 'ulid'
import { ApiError } from '../errors.js'
import { errorBodyOf } from '../wire/errorBody.js'

/** Request line and header fields together. */
const MAX_HEADER_BYTES = 32_768
/** A client that takes longer to send its request is disconnected. */
const REQUEST_TIMEOUT_MS = 10_000

/** A server that answers malformed or oversized HTTP with the API's own error body. */
export function createHttpServer(listener?: RequestListener): Server {
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
  }
  const server = createServer(limits, listener)
  server.on('clientError', refuse)
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

function refuse(fault: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || fault.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const error =
    fault.code === 'HPE_HEADER_OVERFLOW'
      ? new ApiError(
          'HEADERS_TOO_LARGE',
          `the request line and headers exceed ${MAX_HEADER_BYTES} bytes`,
        )
      : new ApiError('BAD_REQUEST', 'the request is not valid HTTP/1.1')
  const asked = { requestId: ulid(), path: '', nowMs: Date.now() }
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
