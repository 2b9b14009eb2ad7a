import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as requestNode,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { AnvilStartError } from '../errors.js'

/** An HTTP proxy in front of the node, for all clients except the devnet itself. */
export type Gate = {
  readonly rpcUrl: string
  readonly port: number
  /**
   * Runs a step while no request is at the node. Requests in flight are answered first; new ones
   * wait. Must not be called again before it is done.
   */
  readonly hold: <T>(step: () => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

/** Methods that the node answers with the next block; holding them would be a deadlock. */
const WAITS_FOR_BLOCK = /TransactionSync"/

/** A site of another machine, or one without an address. Any tab of the browser may show one. */
const FAR_SITE = /^(null$|https?:\/\/(?!(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$))/

const CORS = { vary: 'origin', 'access-control-allow-headers': 'content-type' }

/** The node's headers about its own connection. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])

/**
 * Listens on 127.0.0.1 and forwards every request to the node, so that several requests of the
 * devnet look atomic to all other clients. Sites of other machines are refused, because the node signs
 * for its accounts. Port 0 lets the system choose. Throws ANVIL_START if the port is in use.
 */
export async function openGate(nodePort: number, port: number): Promise<Gate> {
  const node: Node = { port: nodePort, agent: new Agent({ keepAlive: true }) }
  const passing = new Set<Promise<unknown>>()
  let held: Promise<void> | undefined
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { origin } = request.headers
    if (origin && FAR_SITE.test(origin)) return response.writeHead(403).end()
    const cors = origin ? { ...CORS, 'access-control-allow-origin': origin } : {}
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end()
    const body = await buffer(request)
    const isHeld = !WAITS_FOR_BLOCK.test(body.toString('latin1'))
    while (isHeld && held) await held
    const answering = ask(node, request, body)
    if (isHeld) passing.add(answering)
    // A caller that has gone away must not affect the wait for the node.
    const { answer, text } = await answering.finally(() => passing.delete(answering))
    const headers = Object.entries(answer.headers).filter(([name]) => !OWN_HEADERS.has(name))
    const all = { ...Object.fromEntries(headers), ...cors }
    return response.writeHead(answer.statusCode ?? 502, all).end(text)
  }
  const server = createServer((request, response) => {
    // The caller sees the same as with a node that has exited.
    pass(request, response).catch(() => response.destroy())
  })
  // Idle connections stay open, because a caller may be about to reuse one.
  server.keepAliveTimeout = 0
  const address = await listen(server, port)
  // The proxy lives as long as the node and does not keep the process alive.
  server.unref()
  const hold = async <T>(step: () => Promise<T>) => {
    let release = () => {}
    held = new Promise((resolve) => {
      release = resolve
    })
    try {
      await Promise.allSettled(passing)
      return await step()
    } finally {
      held = undefined
      release()
    }
  }
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    node.agent.destroy()
  }
  return { rpcUrl: `http://127.0.0.1:${address.port}`, port: address.port, hold, stop }
}

type Node = { readonly port: number; readonly agent: Agent }

async function ask({ port, agent }: Node, { method, url, headers }: IncomingMessage, body: Buffer) {
  const asked = requestNode({ host: '127.0.0.1', port, path: url, method, headers, agent })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { answer, text: await buffer(answer) }
}

function listen(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new AnvilStartError({ reason: cause.message, port, output: '' }, cause))
    })
    server.listen(port, '127.0.0.1', () => resolve(server.address() as AddressInfo))
  })
}
