// A chain in memory with one payer, two tokens and the router, which goes on as time does. It answers as a node
// that is honest; what lies is put between it and the program.
import {
  executorDeployment,
  routerAbi,
  routerDeployment,
  shippedChain,
} from '@braid-swap/contracts'
import {
  type Address,
  decodeRouterCall,
  encodeProgram,
  type Hex,
  NATIVE,
  type Pool,
} from '@braid-swap/core'
import { PERMIT2, toHex } from '@braid-swap/core/advanced'
import {
  decodeFunctionData,
  domainSeparator,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  keccak256,
  numberToHex,
  parseAbiParameters,
  parseTransaction,
  toFunctionSelector,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

export const payer = privateKeyToAccount(toHex(0xa11ce, 32))
export const PAYER = payer.address.toLowerCase() as Address
export const [SOLD, BOUGHT] = [toHex(0x5e11, 20), toHex(0xb11, 20)]
const { wrappedNative: WHYPE } = shippedChain
const { router: ROUTER, code: routerCode } = routerDeployment(WHYPE)
const { executor, code: executorCode } = executorDeployment(ROUTER, WHYPE)
export const EXECUTOR = executor.address
export { ROUTER }

const CODES = new Map<string, Hex>([
  [ROUTER, routerCode],
  [EXECUTOR, executorCode],
  [WHYPE, '0x01'],
  ['0x914d7fec6aac8cd542e72bca78b30650d45643d7', '0x01'],
])
/** The program of a swap through one pool, by what is sold. */
export const PROGRAMS = new Map<Address, Hex>(
  [NATIVE, SOLD].map((sold) => {
    const tokenIn = sold === NATIVE ? WHYPE : sold
    const pool: Pool = {
      ...{ family: 'uniswapV2', id: toHex(0xf00, 20), venue: 'v', tokens: [BOUGHT, tokenIn] },
      ...{ reserves: [1n, 1n], feePpm: 3000 },
    }
    const hop = { pool, direction: { in: 1, out: 0 }, share: 0 } as const
    return [sold, encodeProgram([hop], { tokenIn, tokenOut: BOUGHT })]
  }),
)

export const PRICE = 10n ** 9n
const GAS = 150_000n
const domain = { name: 'Sold', version: '1', chainId: 999, verifyingContract: SOLD }
const SEPARATOR = domainSeparator({ domain })
const EVENT_WORDS = parseAbiParameters('address, address, uint256, uint256')

type Mined = {
  readonly tx: ReturnType<typeof shown>
  readonly receipt: object
  readonly isSwap: boolean
}
type Block = { readonly hash: Hex; readonly timestamp: number; readonly mined: readonly Mined[] }
/** An error of a revert, as nodes throw it. */
const revert = () => Object.assign(new Error('execution reverted'), { code: 3, data: '0x' })
const quantity = (of: bigint | number) => numberToHex(of)

/** A signed transaction as nodes show it. */
function shown(raw: Hex) {
  const { to, data = '0x', value = 0n, nonce = 0, gas = 0n, r, s, ...of } = parseTransaction(raw)
  const parity = quantity(of.yParity ?? 0)
  return {
    ...{
      hash: keccak256(raw),
      from: PAYER,
      to: to!,
      input: data,
      r,
      s,
      yParity: parity,
      v: parity,
    },
    ...{ value: quantity(value), gas: quantity(gas), nonce: quantity(nonce), type: '0x2' },
    ...{ chainId: quantity(of.chainId ?? 0), accessList: [] },
    maxFeePerGas: quantity(of.maxFeePerGas ?? 0n),
    maxPriorityFeePerGas: quantity(of.maxPriorityFeePerGas ?? 0n),
    ...{ blockHash: null as Hex | null, blockNumber: null as Hex | null },
  }
}

/** Starts a chain at the time of the clock; `rate` is how much is bought for each wei. */
export function startScriptedChain() {
  const held = { native: 10n ** 20n, sold: 10n ** 20n, bought: 0n, rate: 200n, fees: 0n }
  const allowed = new Map<Address, bigint>()
  const waiting = new Map<Hex, ReturnType<typeof shown>>()
  const later: { readonly at: number; readonly run: () => void }[] = []
  const seconds = () => Math.floor(Date.now() / 1_000)
  const start = seconds()
  const blocks: Block[] = [{ hash: toHex(1, 32), timestamp: start, mined: [] }]
  let nonce = 0
  const swaps: Hex[] = []

  /** What a call of the router pays now. Throws if it would revert. */
  const priced = (data: Hex, value: bigint, timestamp: number) => {
    const call = decodeRouterCall(data)
    const isNative = call.tokenIn === NATIVE
    const spender = call.payment?.by === 'permit2' ? PERMIT2 : ROUTER
    const isPaid = call.payment?.by === 'permit' || (allowed.get(spender) ?? 0n) >= call.amountIn
    const amountOut = (call.amountIn * held.rate) / 100n
    const balance = isNative ? held.native : held.sold
    const isFine =
      BigInt(timestamp) <= call.deadline &&
      balance >= call.amountIn &&
      amountOut >= call.minAmountOut
    if (!isFine || (isNative ? value !== call.amountIn : !isPaid)) throw revert()
    return { call, amountOut, spender, isNative }
  }
  /** Performs a call; returns the data of the router's event if it was a swap. */
  const perform = (to: Hex, data: Hex, value: bigint, timestamp: number): Hex | undefined => {
    if (to === SOLD) {
      const { args } = decodeFunctionData({ abi: erc20Abi, data })
      allowed.set((args as [Address])[0].toLowerCase() as Address, (args as [Hex, bigint])[1])
    }
    if (to !== ROUTER) return undefined
    const { call, amountOut, spender, isNative } = priced(data, value, timestamp)
    if (isNative) held.native -= call.amountIn
    else held.sold -= call.amountIn
    if (!isNative && call.payment?.by !== 'permit') {
      allowed.set(spender, (allowed.get(spender) ?? 0n) - call.amountIn)
    }
    held.bought += amountOut
    return encodeAbiParameters(EVENT_WORDS, [call.tokenIn, call.tokenOut, call.amountIn, amountOut])
  }
  const topics = encodeEventTopics({
    ...{ abi: routerAbi, eventName: 'Swap', args: { payer: PAYER, receiver: PAYER } },
  })
  const mine = (timestamp: number) => {
    const blockNumber = quantity(blocks.length)
    const hash = toHex(0xb10c_0000 + blocks.length, 32)
    const mined: Mined[] = []
    for (let next = true; next; ) {
      const fits = [...waiting.values()].filter((each) => Number(each.nonce) === nonce)
      const tx = fits.sort((a, b) => Number(b.maxFeePerGas) - Number(a.maxFeePerGas))[0]
      next = tx !== undefined
      if (!tx) break
      for (const each of fits) waiting.delete(each.hash)
      nonce++
      held.native -= GAS * PRICE
      held.fees += GAS * PRICE
      let [status, data] = ['0x1', undefined as Hex | undefined]
      try {
        // A bundle is a call of the account itself, which has every call in its input.
        const calls = bundles.get(tx.input) ?? [
          { to: tx.to, data: tx.input, value: BigInt(tx.value) },
        ]
        for (const call of calls)
          data = perform(call.to.toLowerCase() as Hex, call.data, call.value, timestamp)
      } catch {
        status = '0x0'
      }
      const at = { blockHash: hash, blockNumber, transactionHash: tx.hash }
      const log = { ...at, address: ROUTER, topics, data, logIndex: '0x0', transactionIndex: '0x0' }
      const receipt = {
        ...at,
        status,
        from: PAYER,
        to: tx.to,
        gasUsed: quantity(GAS),
        logs: data ? [log] : [],
      }
      if (data) swaps.push(tx.hash)
      mined.push({
        tx: { ...tx, blockHash: hash, blockNumber },
        receipt,
        isSwap: data !== undefined,
      })
    }
    blocks.push({ hash, timestamp, mined })
  }
  const bundles = new Map<
    Hex,
    readonly { readonly to: Hex; readonly data: Hex; readonly value: bigint }[]
  >()
  /** Mines a block for each second that has passed, and does what was planned for it. */
  const catchUp = () => {
    for (let time = blocks.at(-1)!.timestamp + 1; time <= seconds(); time++) {
      for (const each of later.filter(({ at }) => at === time)) {
        try {
          each.run()
        } catch {}
      }
      mine(time)
    }
  }
  const seen = () => blocks.flatMap(({ mined }) => mined)
  const find = (hash: unknown) => seen().find(({ tx }) => tx.hash === hash)
  const callOf = (data: Hex, to: Hex, value: bigint): Hex => {
    if (to === ROUTER) return toHex(priced(data, value, seconds()).amountOut, 32)
    const selector = data.slice(0, 10)
    const is = (text: string) => toFunctionSelector(text) === selector
    if (is('balanceOf(address)')) return toHex(to === SOLD ? held.sold : held.bought, 32)
    if (is('allowance(address,address)'))
      return toHex(allowed.get(`0x${data.slice(-40)}`) ?? 0n, 32)
    if (is('approve(address,uint256)')) return toHex(1, 32)
    if (is('nonces(address)')) return toHex(0, 32)
    if (is('DOMAIN_SEPARATOR()')) return SEPARATOR
    const text = is('name()') ? domain.name : is('version()') ? domain.version : undefined
    if (text === undefined) throw revert()
    return encodeAbiParameters(parseAbiParameters('string'), [text])
  }
  const blockAt = (at: unknown, isWhole: unknown) => {
    const number = at === 'latest' ? blocks.length - 1 : Number(at)
    const block = blocks[number]
    if (!block) return null
    const { hash, timestamp, mined } = block
    const transactions = mined.map(({ tx }) => (isWhole ? tx : tx.hash))
    return { hash, number: quantity(number), timestamp: quantity(timestamp), transactions }
  }
  const accept = (raw: Hex) => {
    const tx = shown(raw)
    if (Number(tx.nonce) < nonce) throw Object.assign(new Error('nonce too low'), { code: -32000 })
    waiting.set(tx.hash, tx)
    return tx.hash
  }
  // biome-ignore lint/suspicious/noExplicitAny: parameters of JSON-RPC are of any type.
  const answers: Record<string, (...params: any[]) => unknown> = {
    eth_chainId: () => '0x3e7',
    eth_blockNumber: () => quantity(blocks.length - 1),
    eth_gasPrice: () => quantity(PRICE),
    eth_getCode: (address: Hex) => CODES.get(address.toLowerCase()) ?? '0x',
    eth_getBalance: () => quantity(held.native),
    // As HyperEVM's, it does not count what waits.
    eth_getTransactionCount: () => quantity(nonce),
    eth_getBlockByNumber: blockAt,
    eth_getTransactionByHash: (hash) => find(hash)?.tx ?? waiting.get(hash) ?? null,
    eth_getTransactionReceipt: (hash) => find(hash)?.receipt ?? null,
    eth_getLogs: ({ fromBlock, toBlock }) =>
      blocks
        .slice(Number(fromBlock), Number(toBlock) + 1)
        .flatMap(({ mined }) =>
          mined.flatMap(({ receipt }) => (receipt as { logs: object[] }).logs),
        ),
    eth_call: ({ to, data, value }) => callOf(data, to.toLowerCase(), BigInt(value ?? 0)),
    eth_estimateGas: ({ to, data, value }) => {
      if (to.toLowerCase() === ROUTER) priced(data, BigInt(value ?? 0), seconds())
      return quantity(GAS)
    },
    eth_sendRawTransaction: accept,
  }
  return {
    ...{ held, swaps, catchUp, accept, seconds },
    nextNonce: () => nonce,
    hashOf: keccak256 as (raw: Hex) => Hex,
    read: (raw: Hex) => {
      const { nonce: of = 0, to } = parseTransaction(raw)
      return { nonce: of, to: to?.toLowerCase() }
    },
    /** The input by which the account itself executes calls, all or nothing. */
    bundle: (
      calls: readonly { readonly to: Hex; readonly data?: Hex; readonly value?: Hex }[],
    ): Hex => {
      const plain = calls.map(({ to, data = '0x', value = '0x0' }) => {
        return { to: to.toLowerCase() as Hex, data, value: BigInt(value) }
      })
      const input: Hex = `0x${plain.map(({ data }) => data.slice(2)).join('')}`
      bundles.set(input, plain)
      return input
    },
    /** Does something so many seconds later. What the node refuses then is lost. */
    plan: (afterSeconds: number, run: () => void) =>
      later.push({ at: seconds() + afterSeconds, run }),
    ask: (method: string, params: readonly unknown[]): unknown => {
      catchUp()
      const answer = answers[method]
      if (!answer) throw Object.assign(new Error(`no ${method}`), { code: -32601 })
      return answer(...params)
    },
  }
}
