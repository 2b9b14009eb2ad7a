// The answer of a node with quirks to one request.

import { Refusal } from '../wire/rpcServer.js'
import { hex, type RpcBlock } from '../wire/upstream.js'
import { type Backend, checkKept, heightOf } from './backend.js'
import { callAnswer, stateAnswer } from './calls.js'
import { logsAnswer } from './logs.js'
import { OFFICIAL_METHODS, type Quirks } from './quirks.js'

const SMALL_BLOCK_GAS = 3_000_000
const BIG_BLOCK_GAS = 30_000_000
/** HyperEVM's base fee for weeks: 0.1 gwei. */
const STILL_FEE = 100_000_000
/** A base fee moves by an eighth in a block, here up for so many blocks and then back. */
const MOVING_BLOCKS = 17
/** Full blocks of a spike. */
const SPIKE_BLOCKS = 57
const SEARCHED_METHODS = /^eth_(call|getLogs|getBlockBy)/

/** Answers a request; throws a {@link Refusal}. */
export async function answerOf(
  backend: Backend,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const { ask, quirks } = backend
  if (quirks.methods === 'official' && !OFFICIAL_METHODS.has(method)) {
    throw new Refusal(-32601, 'Method not found')
  }
  if (SEARCHED_METHODS.test(method) && Math.random() < quirks.notFoundChance) {
    throw new Refusal(-32000, 'header not found')
  }
  switch (method) {
    case 'eth_blockNumber':
      return hex(await backend.head())
    case 'eth_maxPriorityFeePerGas':
      return '0x0'
    case 'eth_bigBlockGasPrice':
      return hex(STILL_FEE)
    case 'eth_usingBigBlocks':
      return false
    case 'web3_clientVersion':
      return 'hyperliquid evm Mainnet'
    case 'eth_gasPrice':
      return quirks.baseFee === 'own' ? ask(method, params) : hex(STILL_FEE)
    case 'eth_getBlockByNumber':
    case 'eth_getBlockReceipts':
      return blockAnswer(backend, method, params)
    case 'eth_getBlockByHash': {
      const block = (await ask(method, params)) as RpcBlock | null
      return block && dressed(block, quirks)
    }
    case 'eth_getLogs':
      return logsAnswer(backend, params)
    case 'eth_call':
    case 'eth_estimateGas':
      return callAnswer(backend, method, params)
    case 'eth_getCode':
    case 'eth_getBalance':
    case 'eth_getTransactionCount':
    case 'eth_getStorageAt':
      return stateAnswer(backend, method, params)
    default:
      return ask(method, params)
  }
}

async function blockAnswer(
  backend: Backend,
  method: string,
  [tag, ...rest]: readonly unknown[],
): Promise<unknown> {
  const { ask, quirks } = backend
  if (Math.random() < quirks.nullChance) return null
  const head = await backend.head()
  const number = heightOf(tag, head)
  if (number === quirks.nullBlock) return null
  if (number > head) return null
  checkKept(backend, number, head)
  const answer = await ask(method, [hex(number), ...rest])
  return method === 'eth_getBlockByNumber' ? dressed(answer as RpcBlock, quirks) : answer
}

/** A block with the gas limit and the base fee of the quirks. */
function dressed(block: RpcBlock, quirks: Quirks): RpcBlock {
  const { bigBlockEvery, baseFee, spikeAt = Number.POSITIVE_INFINITY } = quirks
  const number = Number(block.number)
  const isBig = number % bigBlockEvery === 0
  // Up by an eighth a block, and down again: the most that consensus allows.
  const at = number % (2 * MOVING_BLOCKS)
  const moved = STILL_FEE * 1.125 ** Math.min(at, 2 * MOVING_BLOCKS - at)
  return {
    ...block,
    ...(bigBlockEvery > 0 && { gasLimit: hex(isBig ? BIG_BLOCK_GAS : SMALL_BLOCK_GAS) }),
    ...(baseFee === 'still' && { baseFeePerGas: hex(STILL_FEE) }),
    ...(baseFee === 'moving' && { baseFeePerGas: hex(Math.round(moved)) }),
    ...(number >= spikeAt && spikeOf(block, number - spikeAt)),
  }
}

/** The base fee, by EIP-1559, and the gas of a block so many after the first of a spike. */
function spikeOf({ gasLimit }: RpcBlock, after: number): Partial<RpcBlock> {
  let fee = STILL_FEE
  for (let at = 0; at < after; at++) fee += (at < SPIKE_BLOCKS ? 1 : -1) * Math.floor(fee / 8)
  return { baseFeePerGas: hex(fee), gasUsed: after < SPIKE_BLOCKS ? gasLimit : '0x0' }
}
