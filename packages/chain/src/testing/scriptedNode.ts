// A chain of pairs and sampled pools that a test writes block by block, behind JSON-RPC over HTTP. Each
// answer can be replaced, so that a test decides which fault the node has, and when.
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { answerEach, Refusal, startRpcServer } from '@braid-swap/worlds/node'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  keccak256,
  multicall3Abi,
  numberToHex,
  toEventSelector,
  toFunctionSelector,
  toRlp,
  trim,
} from 'viem'
import { hyperEvm } from '../chains/hyperevm.js'
import { GET_POOLS, GET_TOKENS } from '../pools/ladder/abi.js'
import {
  ALL_PAIRS,
  ALL_PAIRS_LENGTH,
  GET_PAIR,
  GET_RESERVES,
  PAIR_CREATED_TOPIC,
  SYNC_TOPIC,
} from '../pools/uniswapV2/abi.js'
import type { Venue } from '../pools/venue.js'
import { callData, wordAt } from '../reads/abiWords.js'
import { bloomOf } from '../reads/logsBloom.js'
import { words } from './loaderAnswers.js'

/** A JSON-RPC request to the node. */
export type Asked = { readonly method: string; readonly params: readonly unknown[] }

/** A log of a block that a test writes. */
export type WrittenLog = { readonly address: Address; readonly topics: Hex[]; readonly data: Hex }

/** A log as the node returns it. */
export type NodeLog = WrittenLog & {
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly logIndex: Hex
}

type Pair = { readonly tokens: readonly [Address, Address]; readonly reserves: [bigint, bigint] }

/** What contracts hold after a block. */
export type ChainState = {
  readonly pairs: Map<Address, Pair>
  /** Output per input of sampled pools, in thousandths. */
  readonly rates: Map<Address, bigint>
  /** Answers of other calls, by contract and calldata; `'0x'` makes the call fail. */
  readonly answers: Map<string, Hex>
  /** Contracts that a test writes: what they answer, or undefined if the call fails. */
  readonly contracts: Map<Address, (data: Hex, state: ChainState) => Hex | undefined>
}

type WrittenBlock = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly logs: readonly NodeLog[]
  readonly state: ChainState
  readonly header: ReturnType<typeof headerOf>
}

/** A change of the chain in a block: it changes the state and returns its logs. */
export type Change = (state: ChainState) => readonly WrittenLog[]

const MULTICALL = hyperEvm.multicall3
const START_S = 1_000_000

export const FACTORY: Address = toHex(0xfac7, 20)
export const SAMPLED_FACTORY: Address = toHex(0x5a31, 20)
/** Tokens of the pairs; the first is the wrapped native one. */
export const TOKENS: readonly Address[] = [1, 2, 3, 4].map((i) => toHex(0x70ce0 + i, 20))
export const pairAt = (i: number): Address => toHex(0xba10 + i, 20)
export const sampledAt = (i: number): Address => toHex(0x1adde0 + i, 20)

export const pairVenue: Venue = { id: 'pairs', family: 'uniswapV2', factory: FACTORY }
export const sampledVenue: Venue = { id: 'sampled', family: 'ladder', factory: SAMPLED_FACTORY }

const word = (value: bigint | number | Hex) => toHex(BigInt(value), 32)
/** Creates a pair, with the factory's log. */
export function createPair(
  id: Address,
  tokens: Pair['tokens'],
  reserves: Pair['reserves'],
): Change {
  return ({ pairs }) => {
    pairs.set(id, { tokens, reserves })
    const topics = [PAIR_CREATED_TOPIC, ...tokens.map(word)]
    return [{ address: FACTORY, topics, data: words(id, pairs.size) }, ...syncLog(id, reserves)]
  }
}

/** Creates the first pairs, each of two tokens that are neighbours in a ring. */
export function createPairs(count: number, reserves: Pair['reserves']): Change {
  return (state) =>
    Array.from({ length: count }, (_, i) => {
      const tokens = [i, i + 1].map((at) => TOKENS[at % TOKENS.length]!) as [Address, Address]
      return createPair(pairAt(i), tokens, reserves)(state)
    }).flat()
}

/** A trade: new reserves and their log. */
export function trade(id: Address, reserves: Pair['reserves']): Change {
  return (state) => {
    silently(id, reserves)(state)
    return syncLog(id, reserves)
  }
}

/** New reserves without a log. */
export function silently(id: Address, reserves: Pair['reserves']): Change {
  return ({ pairs }) => {
    pairs.set(id, { ...pairs.get(id)!, reserves })
    return []
  }
}

function syncLog(address: Address, reserves: Pair['reserves']): readonly WrittenLog[] {
  return [{ address, topics: [SYNC_TOPIC], data: words(...reserves) }]
}

/** A log of which no family knows the meaning. */
export function unknownLog(address: Address): Change {
  return () => [{ address, topics: [toEventSelector('event Odd()')], data: '0x' }]
}

/** A sampled pool of the first two tokens and its rate, without a log. */
export function sample(id: Address, rate: bigint): Change {
  return ({ rates }) => {
    rates.set(id, rate)
    return []
  }
}

/** A chain that a test writes. */
export type ScriptedNode = {
  readonly url: string
  /** Appends a block with these changes. */
  readonly mine: (...changes: readonly Change[]) => WrittenBlock
  /** Takes the newest blocks away; those mined next have other hashes. */
  readonly undo: (count: number) => void
  readonly head: () => WrittenBlock
  readonly blocks: readonly WrittenBlock[]
  /** Every request so far; a test empties it. */
  readonly asked: Asked[]
  /** Replaces answers; it may throw a {@link Refusal}, or mine before it asks. */
  tamper: (asked: Asked, honest: () => unknown) => unknown
  /** The state whose block a call names is ignored, as the official endpoint does. */
  isLatestOnly: boolean
  readonly stop: () => Promise<void>
}

/** Starts a node with an empty block. */
export async function startScriptedNode(): Promise<ScriptedNode> {
  const blocks: WrittenBlock[] = []
  const asked: Asked[] = []
  let undone = 0
  const head = () => blocks.at(-1)!
  const mine: ScriptedNode['mine'] = (...changes) => {
    const before = blocks.at(-1)
    const number = blocks.length
    const state: ChainState = {
      pairs: new Map(before?.state.pairs),
      rates: new Map(before?.state.rates),
      answers: new Map(before?.state.answers),
      contracts: new Map(before?.state.contracts),
    }
    const written = changes.flatMap((change) => change(state))
    const parentHash = before?.hash ?? word(0)
    const header = headerOf({ number, parentHash, logs: written, branch: undone })
    const { hash } = header
    const logs = written.map((log, i) => ({
      ...log,
      ...{ blockNumber: numberToHex(number), blockHash: hash, logIndex: numberToHex(i) },
    }))
    blocks.push({ number, hash, parentHash, logs, state, header })
    return head()
  }
  mine()
  const node = {
    ...{ blocks, asked, head, mine, isLatestOnly: false },
    undo: (count: number) => {
      undone += 1
      blocks.splice(blocks.length - count, count)
    },
    tamper: (_: Asked, honest: () => unknown) => honest(),
  }
  const { url, stop } = await startRpcServer((body) =>
    answerEach(body, ({ method, params = [] }) => {
      asked.push({ method, params })
      return node.tamper({ method, params }, () => honestly(node, { method, params }))
    }),
  )
  return Object.assign(node, { url, stop })
}

type Chain = Pick<ScriptedNode, 'blocks' | 'head' | 'isLatestOnly'>

function honestly(chain: Chain, { method, params }: Asked): unknown {
  const { blocks, head } = chain
  switch (method) {
    case 'eth_chainId':
      return numberToHex(hyperEvm.id)
    case 'eth_blockNumber':
      return numberToHex(head().number)
    case 'eth_gasPrice':
      return numberToHex(BASE_FEE + 7n)
    case 'eth_feeHistory':
      return {
        baseFeePerGas: [...blocks.map(() => numberToHex(BASE_FEE)), numberToHex(BASE_FEE)],
      }
    case 'eth_getBlockByNumber': {
      const block = blockAt(chain, params[0])
      return block ? block.header : null
    }
    case 'eth_getBlockReceipts':
      return receiptsOf(blockAt(chain, params[0])!)
    case 'eth_getLogs':
      return logsOf(chain, params[0] as LogsAsked)
    case 'eth_call':
      return callAnswer(chain, params)
    default:
      throw new Refusal(-32601, `the method ${method} does not exist`)
  }
}

function blockAt({ blocks, head }: Chain, tag: unknown): WrittenBlock | undefined {
  if (tag === 'latest') return head()
  const { blockHash } = Object(tag) as { readonly blockHash?: Hex }
  if (blockHash !== undefined) return blocks.find(({ hash }) => hash === blockHash)
  return blocks[Number(tag)]
}

const timeOf = (number: number) => numberToHex(START_S + number)
const BASE_FEE = 100n
const EMPTY_ROOT = keccak256('0x80')

type WrittenHeader = {
  readonly number: number
  readonly parentHash: Hex
  readonly logs: readonly WrittenLog[]
  readonly branch: number
}

/** A header whose hash covers its logs, which are of one transaction. */
function headerOf({ number, parentHash, logs, branch }: WrittenHeader) {
  const receipt = receiptOf(logs)
  const fields = {
    ...{ parentHash, sha3Uncles: word(1), miner: toHex(0, 20), stateRoot: word(2) },
    ...{ transactionsRoot: word(3), receiptsRoot: EMPTY_ROOT, logsBloom: receipt.logsBloom },
    ...{ difficulty: '0x0', number: numberToHex(number), gasLimit: numberToHex(3_000_000) },
    ...{ gasUsed: '0x5208', timestamp: timeOf(number), extraData: toHex(branch, 32) },
    ...{ mixHash: word(0), nonce: toHex(0, 8), baseFeePerGas: numberToHex(BASE_FEE) },
  } as const
  const body = toRlp(['0x01', '0x5208', receipt.logsBloom, logs.map(wordsOf)])
  // The trie of one receipt is a leaf, whose path is that of the key 0x80.
  const leaf = keccak256(toRlp(['0x2080', body]))
  const header = { ...fields, receiptsRoot: logs.length > 0 ? leaf : EMPTY_ROOT }
  const integer = (value: string) => (/^0x0*$/.test(value) ? '0x' : trim(value as Hex))
  const isInteger = /^(difficulty|number|gas.*|timestamp|base.*)$/
  const values = Object.entries(header).map(([name, value]) =>
    isInteger.test(name) ? integer(value) : value,
  )
  return { ...header, hash: keccak256(toRlp(values as Hex[])) }
}

const wordsOf = ({ address, topics, data }: WrittenLog) => [address, topics, data] as const
const receiptOf = (logs: readonly WrittenLog[]) => ({
  ...{ status: '0x1', cumulativeGasUsed: '0x5208', logsBloom: toHex(bloomOf(logs), 256) },
})

/** The receipts of a block: every log is of the same transaction. */
export function receiptsOf({ logs }: WrittenBlock) {
  return logs.length === 0 ? [] : [{ ...receiptOf(logs), logs }]
}

type LogsAsked = {
  readonly fromBlock: Hex
  readonly toBlock: Hex
  readonly address?: readonly Address[]
  readonly topics?: readonly (readonly Hex[])[]
}

function logsOf({ blocks }: Chain, { fromBlock, toBlock, address, topics }: LogsAsked) {
  const some = blocks.slice(Number(fromBlock), Number(toBlock) + 1).flatMap(({ logs }) => logs)
  return some.filter(
    (log) =>
      (address?.includes(log.address) ?? true) && (topics?.[0]?.includes(log.topics[0]!) ?? true),
  )
}

/** The bytecode of the probes of an endpoint's profile. */
const NUMBER_CODE = '0x435f5260205ff3'
const GAS_CODE = '0x5a5f5260205ff3'
const GAS_LEFT = 20_000_000n

function callAnswer(chain: Chain, [call, tag, overrides]: readonly unknown[]): Hex {
  const { to, data, gas } = call as {
    readonly to?: Address
    readonly data: Hex
    readonly gas?: Hex
  }
  const block = chain.isLatestOnly ? chain.head() : blockAt(chain, tag)
  if (!block) throw new Refusal(-32001, 'header not found')
  if (data === NUMBER_CODE) return word(block.number)
  if (data === GAS_CODE) return word(gas!)
  const given = Object(overrides) as Overrides
  if (to?.toLowerCase() === MULTICALL) return aggregated(block, data, given)
  const slots = given[to!]?.stateDiff
  if (slots) return slots[slotOf(data)] ?? word(0)
  // The probe of overrides; tokens are not tested.
  return overrides ? '0x' : (answerOf(block, to!, data) ?? '0x')
}

type Override = { readonly stateDiff?: Readonly<Record<Hex, Hex>>; readonly code?: Hex }
type Overrides = Readonly<Record<Address, Override>>

/** The slot that a getter of a token reads, as Solidity has it: balances are in slot 0, allowances in slot 1. */
function slotOf(data: Hex): Hex {
  const keys = data.slice(10).match(/.{64}/g)!
  return keys.reduce<Hex>(
    (slot, key) => keccak256(`0x${key}${slot.slice(2)}`),
    word(keys.length - 1),
  )
}

function aggregated(block: WrittenBlock, data: Hex, overrides: Overrides = {}): Hex {
  const { args } = decodeFunctionData({ abi: multicall3Abi, data })
  const calls = args![0] as readonly { readonly target: Address; readonly callData: Hex }[]
  // Where gas is metered, other code is a proxy of Multicall3; elsewhere tokens are not tested.
  const isMetered = Object.values(overrides).some(({ code }) => code === GAS_CODE)
  const result = calls.map(({ target, callData: asked }) => {
    const to = target.toLowerCase() as Address
    const code = isMetered ? overrides[to]?.code : undefined
    const ofCode =
      code && (code === GAS_CODE ? word(GAS_LEFT) : aggregated(block, asked, overrides))
    const answer = ofCode ?? answerOf(block, to, asked)
    return { success: answer !== undefined, returnData: answer ?? '0x' }
  })
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
}

const selectors = {
  number: toFunctionSelector('function getBlockNumber()'),
  parent: toFunctionSelector('function getLastBlockHash()'),
  time: toFunctionSelector('function getCurrentBlockTimestamp()'),
  decimals: toFunctionSelector('function decimals()'),
  balanceOf: toFunctionSelector('function balanceOf(address)'),
  token0: toFunctionSelector('function token0()'),
  token1: toFunctionSelector('function token1()'),
  estimate: toFunctionSelector('function estimateSwap(address,address,uint256)'),
}
const BALANCE = 10n ** 24n
const ONE = 1_000n

/** What a contract answers; undefined if the call fails. */
function answerOf(block: WrittenBlock, to: Address, data: Hex): Hex | undefined {
  const { pairs, rates, answers, contracts } = block.state
  const own = answers.get(`${to} ${data}`)
  if (own !== undefined) return own === '0x' ? undefined : own
  const contract = contracts.get(to)
  if (contract) return contract(data, block.state)
  const selector = data.slice(0, 10)
  if (to === MULTICALL) {
    if (selector === selectors.number) return word(block.number)
    if (selector === selectors.parent) return block.parentHash
    if (selector === selectors.time) return word(timeOf(block.number))
    return aggregated(block, data)
  }
  if (TOKENS.includes(to)) {
    if (selector === selectors.decimals) return word(18)
    return selector === selectors.balanceOf ? word(BALANCE) : undefined
  }
  if (to === FACTORY) return factoryAnswer(pairs, data)
  if (to === SAMPLED_FACTORY && selector === GET_POOLS) {
    return encodeAbiParameters([{ type: 'address[]' }], [[...rates.keys()]])
  }
  const rate = rates.get(to)
  if (rate !== undefined && selector === GET_TOKENS) return words(TOKENS[0]!, TOKENS[1]!)
  if (rate !== undefined && selector === selectors.estimate) {
    return word((wordAt(`0x${data.slice(10)}`, 2) * rate) / ONE)
  }
  const pair = pairs.get(to)
  if (pair && selector === GET_RESERVES) return words(...pair.reserves, 0)
  if (pair && selector === selectors.token0) return word(pair.tokens[0])
  return pair && selector === selectors.token1 ? word(pair.tokens[1]) : undefined
}

function factoryAnswer(pairs: ChainState['pairs'], data: Hex): Hex | undefined {
  const ids = [...pairs.keys()]
  const [first, second] = [0, 1].map((i) =>
    data.length < 10 + 64 * (i + 1) ? 0n : wordAt(`0x${data.slice(10)}`, i),
  )
  if (data === ALL_PAIRS_LENGTH) return word(ids.length)
  if (data.startsWith(ALL_PAIRS)) return word(ids[Number(first)] ?? 0)
  if (!data.startsWith(GET_PAIR)) return undefined
  const isOf = ([, { tokens }]: readonly [Address, Pair]) =>
    tokens.every((token) => [first, second].includes(BigInt(token)))
  return word([...pairs].find(isOf)?.[0] ?? 0)
}

/** The key of an answer that a test sets for a call; `'0x'` makes the call fail. */
export function answerKey(to: Address, selector: Hex, ...args: readonly bigint[]): string {
  return `${to} ${callData(selector, ...args)}`
}
