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
import { AnvilStartError } from './errors.js'

/** The node's HTTP address for everybody but the devnet itself. */
export type Gate = {
  readonly rpcUrl: string
  readonly port: number
  /**
   * Runs a step while nobody's request is at the node: those that are there are answered first,
   * those that come wait. Not to be called again before it is done.
   */
  readonly hold: <T>(step: () => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

/** The node answers these when a block comes, so holding them would wait for each other. */
const WAITS_FOR_BLOCK = /TransactionSync"/

/** Of the node's headers, those about its own connection. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])

/**
 * Listens on 127.0.0.1 and passes every request on to the node, so that several of the devnet's own
 * requests can look like one to all others. Port 0 lets the system choose. Throws ANVIL_START if
 * the port is taken.
 */
export async function openGate(nodePort: number, port: number): Promise<Gate> {
  const node: Node = { port: nodePort, agent: new Agent({ keepAlive: true }) }
  const passing = new Set<Promise<unknown>>()
  let held: Promise<void> | undefined
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const isHeld = !WAITS_FOR_BLOCK.test(body.toString('latin1'))
    while (isHeld && held) await held
    const answering = ask(node, request, body)
    if (isHeld) passing.add(answering)
    // Whether the caller still listens does not matter to who waits for the node.
    const { answer, text } = await answering.finally(() => passing.delete(answering))
    const headers = Object.entries(answer.headers).filter(([name]) => !OWN_HEADERS.has(name))
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers)).end(text)
  }
  const server = createServer((request, response) => {
    // The caller sees what it would see of a node that is gone.
    pass(request, response).catch(() => response.destroy())
  })
  // No idle connection is closed under a caller that is about to use it again.
  server.keepAliveTimeout = 0
  const address = await listen(server, port)
  // It lasts as long as the node does, and keeps no process alive by itself.
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
