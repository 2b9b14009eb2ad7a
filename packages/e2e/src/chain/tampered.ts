import { type Client, hyperEvm, viemChainOf } from '@braid-swap/chain'
import { Refusal, upstreamAt } from '@braid-swap/worlds/node'
import { createPublicClient, custom, RpcRequestError } from 'viem'

/** A JSON-RPC request on its way to the node. */
export type Request = { readonly method: string; readonly params?: unknown }

/** Sends a request to the node unchanged. */
type Ask = (request: Request) => Promise<unknown>

/** A client whose requests pass through `tamper`, which may refuse, delay or alter them. */
export function createTamperedClient(
  rpcUrl: string,
  tamper: (request: Request, ask: Ask) => Promise<unknown>,
): Client {
  const upstream = upstreamAt(rpcUrl)
  const ask: Ask = async (request) => {
    try {
      return await upstream(request.method, (request.params ?? []) as readonly unknown[])
    } catch (error) {
      throw error instanceof Refusal ? rpcError(request, error) : error
    }
  }
  return createPublicClient({
    chain: viemChainOf(hyperEvm),
    transport: custom({ request: (request) => tamper(request, ask) }, { retryCount: 0 }),
    cacheTime: 0,
  })
}

/** An error response of a node, with its own code. */
export function rpcError(body: Request, error: { code: number; message: string }): RpcRequestError {
  return new RpcRequestError({ body: { ...body }, error, url: 'http://127.0.0.1' })
}
