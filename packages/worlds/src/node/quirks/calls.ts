// Calls and reads of the state: which block answers them, with how much gas, and how they fail.

import { Refusal } from '../wire/rpcServer.js'
import { hex } from '../wire/upstream.js'
import { type Backend, checkKept, heightOf, heightOfHash } from './backend.js'

/** A call's object; nodes know its data by both names. */
type Call = { readonly gas?: string; readonly data?: string; readonly input?: string }

/** An address of HyperCore's precompiles, 0x0800 to 0x081f, as a word of calldata. */
const PRECOMPILE = /0{36}08[01][0-9a-f]/i
/** The only instruction of a pool that burns the gas that it gets: INVALID. */
const BURNING_CODE = '0xfe'

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
  const { block, isPinned } = await placeOf(backend, tag)
  const limited = withLessGas(call as Call, backend)
  if (isPinned && quirks.pastPrecompiles === 'failing') {
    if (PRECOMPILE.test(limited.data ?? limited.input ?? '')) {
      throw new Refusal(-32603, 'Failed to call: InvalidTransaction(OutOfGas)')
    }
  }
  const states = {
    ...(quirks.overrides === 'honoured' && (overrides as object)),
    ...Object.fromEntries(quirks.burningPools.map((pool) => [pool, { code: BURNING_CODE }])),
  }
  const hasStates = Object.keys(states).length > 0
  try {
    return await ask(method, hasStates ? [limited, block, states] : [limited, block])
  } catch (error) {
    throw asQuirksSay(error, backend)
  }
}

/** Answers a read of the state, whose last parameter is the block. */
export async function stateAnswer(
  backend: Backend,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const last = method === 'eth_getStorageAt' ? 2 : 1
  const { block } = await placeOf(backend, params[last])
  return backend.ask(method, [...params.slice(0, last), block])
}

/** The block whose state answers, and whether the block parameter chose it. */
async function placeOf(
  backend: Backend,
  tag: unknown,
): Promise<{ readonly block: string; readonly isPinned: boolean }> {
  const { pastState } = backend.quirks
  const head = await backend.head()
  const isNewest = tag === undefined || tag === 'latest' || tag === 'pending'
  if (isNewest || pastState === 'latest') return { block: hex(head), isPinned: false }
  if (pastState === 'refused') throw new Refusal(-32000, 'only the latest block is supported')
  const named = tag as string | { readonly blockHash?: string; readonly blockNumber?: string }
  const isObject = typeof named === 'object'
  const number =
    isObject && named.blockHash !== undefined
      ? await heightOfHash(backend, named.blockHash)
      : heightOf(isObject ? named.blockNumber : named, head)
  if (number > head) throw new Refusal(-32001, 'header not found')
  checkKept(backend, number, head)
  return { block: hex(number), isPinned: true }
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

/** The error of a revert as this kind of node says it. */
function asQuirksSay(error: unknown, { quirks }: Backend): unknown {
  if (!(error instanceof Refusal)) return error
  if (error.code !== 3 && !/revert/i.test(error.message)) return error
  switch (quirks.reverts) {
    case 'internalError': {
      const text = 'InvalidTransaction(Revert(RevertError { output: None }))'
      return new Refusal(-32603, `Failed to call: ${text}`)
    }
    case 'rejected':
      return new Refusal(-32003, 'execution reverted', error.data)
    case 'bare':
      return new Refusal(3, 'execution reverted')
    default:
      return error
  }
}
