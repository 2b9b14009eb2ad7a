// Calls and reads of the state: which block answers them, with how much gas, and how they fail.

import { Refusal } from '../wire/rpcServer.js'
import { hex } from '../wire/upstream.js'
import { type Backend, checkKept, heightOf, heightOfHash } from './backend.js'

type Call = { readonly gas?: string }

/** Answers `eth_call` and `eth_estimateGas`; throws a {@link Refusal}. */
export async function callAnswer(
  backend: Backend,
  method: string,
  [call, tag, overrides]: readonly unknown[],
): Promise<unknown> {
  const { ask, quirks } = backend
  if (overrides && quirks.overrides === 'refused') {
    throw new Refusal(-32602, 'Invalid params', 'state overrides are not supported')
  }
  const block = await blockOf(backend, tag)
  const limited = withLessGas(call as Call, backend)
  const isOverridden = quirks.overrides === 'honoured' && overrides
  return ask(method, isOverridden ? [limited, block, overrides] : [limited, block])
}

/** Answers a read of the state, whose last parameter is the block. */
export async function stateAnswer(
  backend: Backend,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const last = method === 'eth_getStorageAt' ? 2 : 1
  return backend.ask(method, [...params.slice(0, last), await blockOf(backend, params[last])])
}

/** The block whose state answers. */
async function blockOf(backend: Backend, tag: unknown): Promise<string> {
  const { pastState } = backend.quirks
  const head = await backend.head()
  const isNewest = tag === undefined || tag === 'latest' || tag === 'pending'
  if (isNewest || pastState === 'latest') return hex(head)
  if (pastState === 'refused') throw new Refusal(-32000, 'only the latest block is supported')
  const named = tag as string | { readonly blockHash?: string; readonly blockNumber?: string }
  const isObject = typeof named === 'object'
  const number =
    isObject && named.blockHash !== undefined
      ? await heightOfHash(backend, named.blockHash)
      : heightOf(isObject ? named.blockNumber : named, head)
  if (number > head) throw new Refusal(-32001, 'header not found')
  checkKept(backend, number, head)
  return hex(number)
}

function withLessGas(call: Call, { quirks }: Backend): Call {
  const { callGas, moreGas } = quirks
  if (callGas === Infinity) return call
  if (call.gas !== undefined && Number(call.gas) <= callGas) return call
  if (call.gas !== undefined && moreGas === 'refused') {
    throw new Refusal(-32000, 'intrinsic gas too high')
  }
  return { ...call, gas: hex(callGas) }
}
