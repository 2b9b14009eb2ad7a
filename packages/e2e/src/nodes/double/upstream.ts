// The node behind the double, and the errors that both give.
import type { RpcAnswer, RpcRequest } from '../../chain/faults/tampering.js'

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

/** An error that the double answers with. */
export class Refusal extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Asks the node behind the double; throws its error as a {@link Refusal}. */
export type AskUpstream = (method: string, params: readonly unknown[]) => Promise<unknown>

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`

/** Asks the node at a URL, one request for each HTTP body. */
export function upstreamAt(url: string): AskUpstream {
  return async (method, params) => {
    const request: RpcRequest = { id: 1, method, params }
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...request }),
    })
    const { result, error } = (await response.json()) as RpcAnswer
    if (!error) return result
    const { code, message, data } = error as typeof error & { readonly data?: unknown }
    throw new Refusal(code, message, data)
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
