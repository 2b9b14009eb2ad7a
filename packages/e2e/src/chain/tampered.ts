import { type Client, hyperEvm } from '@braid-swap/chain'
import { createPublicClient, custom, RpcRequestError } from 'viem'

/** A JSON-RPC request on its way to the node. */
export type Request = { readonly method: string; readonly params?: unknown }

/** Sends a request to the node unchanged. */
export type Ask = (request: Request) => Promise<unknown>

/** A client whose requests pass through `tamper`, which may refuse, delay or alter them. */
export function createTamperedClient(
  rpcUrl: string,
  tamper: (request: Request, ask: Ask) => Promise<unknown>,
): Client {
  const ask: Ask = async (request) => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
    })
    const { result, error } = (await response.json()) as {
      result?: unknown
      error?: { code: number; message: string }
    }
    if (error) throw rpcError(request, error)
    return result
  }
  return createPublicClient({
    chain: hyperEvm,
    transport: custom({ request: (request) => tamper(request, ask) }, { retryCount: 0 }),
    cacheTime: 0,
  })
}

/** An error response of a node, with its own code. */
export function rpcError(body: Request, error: { code: number; message: string }): RpcRequestError {
  return new RpcRequestError({ body: { ...body }, error, url: 'http://127.0.0.1' })
}

/** The refusal of a node that does not serve receipts, so that logs must prove themselves. */
export function noReceipts(request: Request): RpcRequestError {
  return rpcError(request, { code: -32601, message: 'Method not found' })
}
