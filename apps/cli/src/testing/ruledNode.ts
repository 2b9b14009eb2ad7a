import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Asks the real node; with other parameters if some are given. */
export type Ask = (params?: readonly unknown[]) => Promise<unknown>

/** The connection ends without an answer. */
export const LOST = Symbol('lost')

/** An answer of a node that is an error, as JSON-RPC has it. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** What a node answers instead of the real one, which it may still ask. Throws {@link RpcError}. */
export type Rule = (ask: Ask, method: string, params: readonly unknown[]) => unknown

type Asked = {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

/** A node over HTTP before a real one: `rule` answers each of its methods. */
export async function startRuledNode(rpcUrl: string, rule: Rule) {
  const headers = { 'content-type': 'application/json' }
  const pass = async (asked: Asked) => {
    const body = JSON.stringify(asked)
    const answer = await (await fetch(rpcUrl, { method: 'POST', headers, body })).json()
    const { result, error } = answer as { readonly result: unknown; readonly error?: RpcError }
    if (error) throw new RpcError(error.code, error.message)
    return result
  }
  const answerOne = async (asked: Asked) => {
    const common = { jsonrpc: '2.0', id: asked.id }
    try {
      const ask: Ask = (params) => pass(params ? { ...asked, params } : asked)
      const result = await rule(ask, asked.method, asked.params ?? [])
      return result === LOST ? LOST : { ...common, result }
    } catch (error) {
      const { code = -32603, message } = error as RpcError
      return { ...common, error: { code, message } }
    }
  }
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request)) as Asked | readonly Asked[]
    const answer = Array.isArray(asked)
      ? await Promise.all(asked.map(answerOne))
      : await answerOne(asked as Asked)
    if (answer === LOST || (Array.isArray(answer) && answer.includes(LOST))) {
      request.socket.destroy()
      return
    }
    response.writeHead(200, headers)
    response.end(JSON.stringify(answer))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}
