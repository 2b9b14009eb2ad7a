import { type Client, readWallet } from '@braid-swap/chain'
import { routerAbi } from '@braid-swap/contracts'
import {
  type Address,
  decodeRouterCall,
  type Hex,
  NATIVE,
  ownValue,
  sizeOfHex,
  withGasMargin,
} from '@braid-swap/core'
import {
  createWalletClient,
  custom,
  decodeErrorResult,
  ExecutionRevertedError,
  encodeFunctionData,
  erc20Abi,
  parseEventLogs,
  type TransactionReceipt,
  BaseError as ViemError,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { BalanceError, PriceMovedError, RevertedError, UsageError } from '../errors.js'
import { callNode } from '../sources/node.js'
import type { Terminal } from '../terminal.js'
import type { SwapTransaction } from './transaction.js'

/** The account that signs, and the node that it sends through. */
export type Signer = { readonly account: PrivateKeyAccount; readonly client: Client }

/** A mined swap. */
export type Sent = {
  readonly hash: Hex
  readonly block: bigint
  readonly gasUsed: bigint
  /** The output that the router measured at the receiver, in wei. */
  readonly amountOut: bigint
}

/** The account of a private key in an environment variable; a command line never contains the key. */
export function readAccount(variable: string | undefined, terminal: Terminal): PrivateKeyAccount {
  const key = variable === undefined ? undefined : ownValue(terminal.env, variable)
  if (key === undefined || !/^0x[0-9a-fA-F]{64}$/.test(key)) {
    throw new UsageError('--send needs a private key', {
      got: variable === undefined ? 'nothing' : `${variable} without one`,
      wanted: '--private-key-env VARIABLE, with 0x and 64 hex digits as its value',
    })
  }
  return privateKeyToAccount(key as Hex)
}

/**
 * Ensures that the spender, if there is one, may take the amount. Approves exactly the amount if the
 * allowance is too low, and reports it. Returns whether it approved. Throws BALANCE_INSUFFICIENT,
 * RPC_FAILED, REVERTED.
 */
export async function ensureAllowance(
  { account, client }: Signer,
  of: { readonly token: Address; readonly amount: bigint; readonly spender: Address | undefined },
  terminal: Terminal,
): Promise<boolean> {
  const { token, amount, spender } = of
  const owner = account.address
  const wallet = await callNode(() =>
    readWallet(client, { owner, token, spender: spender ?? owner }),
  )
  if (wallet.balance < amount) throw new BalanceError(owner, wallet.balance, amount)
  if (spender === undefined || token === NATIVE || wallet.allowance >= amount) return false
  terminal.err(`approving exactly ${amount} wei of ${token} for ${spender}`)
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [spender, amount],
  })
  await sendAndWait({ account, client }, { to: token, data, value: 0n, gas: undefined })
  return true
}

/**
 * Simulates a swap on the node's newest block, sends it and waits for its block. Throws PRICE_MOVED if
 * the market no longer pays the floor, REVERTED, RPC_FAILED.
 */
export async function sendSwap(signer: Signer, tx: SwapTransaction): Promise<Sent> {
  await trySwap(signer, tx)
  const { to, data, value, gas } = tx
  const receipt = await sendAndWait(signer, { to, data, value, gas })
  const events = parseEventLogs({ abi: routerAbi, eventName: 'Swap', logs: receipt.logs })
  const event = events.find((log) => log.address.toLowerCase() === to)
  if (!event)
    throw new RevertedError('the router reported no swap', { hash: receipt.transactionHash })
  return {
    hash: receipt.transactionHash,
    block: receipt.blockNumber,
    gasUsed: receipt.gasUsed,
    amountOut: event.args.amountOut,
  }
}

// HyperEVM has a block a second, and public nodes limit requests.
const POLL_MS = 1_000
const WORD_BYTES = 32

/** Checks the return value too, because a call to an address without code succeeds and returns nothing. */
async function trySwap(
  { account, client }: Signer,
  { to, data, value }: SwapTransaction,
): Promise<void> {
  const call = { account: account.address, to, data, value }
  const { data: answer = '0x' } = await askOrRevert(to, () => client.call(call))
  const { minAmountOut } = decodeRouterCall(data)
  if (sizeOfHex(answer) !== WORD_BYTES || BigInt(answer) < minAmountOut) {
    throw new RevertedError('the swap returns less than its floor in simulation', {
      ...{ router: to, got: answer.slice(0, 66), wanted: `at least ${minAmountOut} wei` },
    })
  }
}

/** Calls a node, and converts a revert by its reason. Throws PRICE_MOVED, REVERTED, RPC_FAILED. */
async function askOrRevert<T>(to: Address, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const reason = error instanceof ViemError ? revertDataOf(error) : undefined
    if (reason === undefined) return callNode(() => Promise.reject(error))
    const name = nameRevert(reason)
    const details = { to, got: name, wanted: 'a new quote' }
    if (name.startsWith('AmountOutTooLow(')) throw new PriceMovedError(details, error)
    throw new RevertedError(`the transaction would revert: ${name}`, details, error)
  }
}

/** The data of a revert; `undefined` for any other failure of the node. */
function revertDataOf(error: ViemError): Hex | undefined {
  const isRevert = error.walk((cause) => cause instanceof ExecutionRevertedError) !== null
  const cause = error.walk() as { readonly data?: Hex | { readonly data?: Hex } }
  const data = typeof cause.data === 'object' ? cause.data.data : cause.data
  return data ?? (isRevert ? '0x' : undefined)
}

/** The name and arguments of a revert's error, by the router's ABI, which includes the executor's. */
function nameRevert(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi: routerAbi, data })
    return `${errorName}(${args?.join(', ') ?? ''})`
  } catch {
    return `without a known reason (${data})`
  }
}

async function sendAndWait(
  { account, client }: Signer,
  tx: {
    readonly to: Address
    readonly data: Hex
    readonly value: bigint
    readonly gas: bigint | undefined
  },
): Promise<TransactionReceipt> {
  const { to, data, value } = tx
  const wallet = createWalletClient({ account, chain: client.chain, transport: custom(client) })
  const call = { account: account.address, to, data, value }
  // The market may have moved in a new block since the simulation.
  const estimate = await askOrRevert(to, () => client.estimateGas(call))
  const receipt = await callNode(async () => {
    const least = withGasMargin(estimate)
    const gas = tx.gas !== undefined && tx.gas > least ? tx.gas : least
    const gasPrice = await client.getGasPrice()
    // The base fee may rise before the block; the unneeded part is not paid. HyperEVM burns tips.
    const fees = { maxFeePerGas: gasPrice * 2n, maxPriorityFeePerGas: 0n }
    const hash = await wallet.sendTransaction({ to, data, value, gas, ...fees })
    return client.waitForTransactionReceipt({ hash, pollingInterval: POLL_MS })
  })
  if (receipt.status !== 'success') {
    throw new RevertedError('the transaction was mined and failed', {
      ...{ hash: receipt.transactionHash, wanted: 'a new quote' },
    })
  }
  return receipt
}
