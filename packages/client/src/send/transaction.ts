/**
 * Sends one transaction of the wallet. With a key of ours the hash is known before anybody else sees
 * the transaction, so a lost answer loses nothing. A provider may sign and then fail to answer: the
 * blocks since then tell whether it did.
 */

import { routerAbi } from '@braid-swap/contracts'
import {
  type Address,
  decodeRouterCall,
  type Hex,
  sizeOfHex,
  withGasMargin,
  withGasPriceMargin,
} from '@braid-swap/core'
import { type Account, decodeErrorResult, keccak256, type LocalAccount } from 'viem'
import {
  estimateGas,
  call as ethCall,
  getBlockNumber,
  getGasPrice,
  getTransactionCount,
  sendRawTransaction,
  sendTransaction,
} from 'viem/actions'
import { type CheckedTransaction, feesOf } from '../verifySwap.js'
import { SendError } from './errors.js'
import { isRefusal, isSentAlready, revertDataOf } from './failures.js'
import { addressOf, requireChain, type WalletClient } from './wallet.js'

/** The parts of a transaction that determine its effect; `value` in wei. */
export type Call = Pick<CheckedTransaction, 'to' | 'data' | 'value'>

/** A transaction that was sent, as data that outlives the program; see `confirmSwap`. */
export type SentTransaction = {
  readonly chainId: number
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  /** Absent if the wallet's answer was lost. */
  readonly hash?: Hex
  /** The account's next nonce before it: its own, unless the wallet chose another. */
  readonly nonce: number
  /** The newest block before it. */
  readonly block: string
  /** Signed, to be sent again; only with a key of ours. */
  readonly raw?: Hex
}

/** The limits of every transaction of a swap. */
export type FeeLimits = { readonly chainId: number; readonly maxNetworkFee: bigint }

/** Gas, and the price of the wallet's own node, within the caller's limit. Throws NETWORK_FEE_TOO_HIGH. */
async function feesWithin(client: WalletClient, gas: bigint, maxNetworkFee: bigint) {
  const gasPrice = await getGasPrice(client)
  if (gas * gasPrice > maxNetworkFee) {
    throw new SendError('NETWORK_FEE_TOO_HIGH', 'gas would cost more than your limit', {
      ...{ got: `${gas * gasPrice} wei`, wanted: `at most ${maxNetworkFee} wei` },
    })
  }
  const [wanted, most] = [withGasPriceMargin(gasPrice), maxNetworkFee / gas]
  return { gas, ...feesOf(wanted < most ? wanted : most) }
}

/** Runs what asks a node about a call. Throws REVERTED or PRICE_MOVED by the router's reason. */
export async function orRevert<T>(to: Address, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    const got = nameRevert(data)
    const details = { to, got, wanted: 'a new quote' }
    if (/^(AmountOutTooLow|RateTooLow)\(/.test(got)) {
      const message = 'prices moved since the quote, so nothing was swapped: get a new quote'
      throw new SendError('PRICE_MOVED', message, details, error)
    }
    throw new SendError('REVERTED', `the transaction would revert: ${got}`, details, error)
  }
}

/** The name and arguments of a revert's error, by the router's ABI, which includes the executor's. */
function nameRevert(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi: routerAbi, data })
    return `${errorName}(${args?.join(', ') ?? ''})`
  } catch {
    return `without a known reason (${data.slice(0, 74)})`
  }
}

const WORD_BYTES = 32

/**
 * Calls the swap on the wallet's node. The return value counts, because code that is no router returns none.
 * Throws REVERTED or PRICE_MOVED.
 */
export async function trySwap(
  client: WalletClient,
  { to, data, value }: CheckedTransaction,
  router: Address,
): Promise<void> {
  const account = addressOf(client)
  const { data: got = '0x' } = await orRevert(to, () =>
    ethCall(client, { account, to, data, value }),
  )
  const { minAmountOut } = decodeRouterCall(data)
  if (sizeOfHex(got) === WORD_BYTES && BigInt(got) >= minAmountOut) return
  throw new SendError('REVERTED', 'the swap returns less than its floor in simulation', {
    ...{ router, got: got.slice(0, 66), wanted: `at least ${minAmountOut} wei` },
  })
}

/**
 * Estimates, prices and sends a call, on the right chain only. `leastGas` is an estimate made elsewhere,
 * which is used if it is higher; `onSending` gets the transaction right before it leaves. Throws
 * WRONG_CHAIN, NETWORK_FEE_TOO_HIGH, REVERTED, PRICE_MOVED, or what the wallet throws if it refuses.
 */
export async function sendCall(
  client: WalletClient,
  { to, data, value, leastGas = 0n }: Call & { readonly leastGas?: bigint },
  { chainId, maxNetworkFee }: FeeLimits,
  onSending: (sending: SentTransaction) => void = () => {},
): Promise<SentTransaction> {
  const from = addressOf(client)
  const estimate = await orRevert(to, () => estimateGas(client, { account: from, to, data, value }))
  const margin = withGasMargin(estimate)
  const fees = await feesWithin(client, margin > leastGas ? margin : leastGas, maxNetworkFee)
  const [nonce, block] = await Promise.all([
    getTransactionCount(client, { address: from, blockTag: 'pending' }),
    getBlockNumber(client, { cacheTime: 0 }),
  ])
  await requireChain(client, chainId)
  const sent = { chainId, from, to, data, nonce, block: `${block}` }
  const tx = { to, data, value, ...fees }
  const { account } = client
  if (isLocal(account)) {
    const raw = await account.signTransaction({ ...tx, chainId, nonce, type: 'eip1559' })
    const signed = { ...sent, raw, hash: keccak256(raw) }
    onSending(signed)
    await broadcast(client, raw)
    return signed
  }
  onSending(sent)
  try {
    return { ...sent, hash: await sendTransaction(client, { ...tx, account, chain: null }) }
  } catch (error) {
    if (isRefusal(error) && !isSentAlready(error)) throw error
    return sent
  }
}

function isLocal(account: Account): account is LocalAccount {
  return account.type === 'local'
}

/** Sends a signed transaction. Only a clear refusal is an error: after any other, it may be under way. */
export async function broadcast(client: WalletClient, raw: Hex): Promise<void> {
  try {
    await sendRawTransaction(client, { serializedTransaction: raw })
  } catch (error) {
    if (isRefusal(error) && !isSentAlready(error)) throw error
  }
}
