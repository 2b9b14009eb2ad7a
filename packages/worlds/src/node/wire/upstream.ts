// The node behind a programmed one.
import { Refusal, type RpcAnswer, type RpcRequest } from './rpcServer.js'

/** A block as JSON-RPC gives it. */
export type RpcBlock = Record<string, unknown> & { readonly number: string; readonly hash: string }

/** A log as JSON-RPC gives it. */
export type RpcLog = {
  readonly address: string
  readonly topics: readonly string[]
  readonly blockNumber: string
  readonly blockHash: string
  readonly logIndex: string
}

/** Asks the node behind; throws its error as a {@link Refusal}. */
export type AskUpstream = (method: string, params: readonly unknown[]) => Promise<unknown>

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`

/** Sends a body to the node at a URL. */
export async function askUpstream(
  url: string,
  requests: readonly RpcRequest[],
): Promise<readonly RpcAnswer[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(requests.map((request) => ({ jsonrpc: '2.0', ...request }))),
  })
  return (await response.json()) as readonly RpcAnswer[]
}

/** Asks the node at a URL, one request for each HTTP body. */
export function upstreamAt(url: string): AskUpstream {
  return async (method, params) => {
    const [answer] = await askUpstream(url, [{ id: 1, method, params }])
    const { result, error } = answer!
    if (error) throw new Refusal(error.code, error.message, error.data)
    return result
  }
}

/** The block with a hash; undefined if the node does not have it. */
export async function blockWithHash(ask: AskUpstream, hash: string): Promise<RpcBlock | undefined> {
  return ((await ask('eth_getBlockByHash', [hash, false])) as RpcBlock | null) ?? undefined
}

/** The block at a height; undefined if the chain is shorter. */
export async function blockAt(ask: AskUpstream, number: number): Promise<RpcBlock | undefined> {
  const block = await ask('eth_getBlockByNumber', [hex(number), false])
  return (block as RpcBlock | null) ?? undefined
}
