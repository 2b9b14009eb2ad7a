/**
 * Tries, prices, signs and sends one transaction of the wallet. With a key of ours the hash is known before
 * anybody else sees the transaction, so a lost answer loses nothing.
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
import { decodeErrorResult, keccak256, numberToHex } from 'viem'
import {
  estimateGas,
  call as ethCall,
  getGasPrice,
  getTransactionCount,
  sendRawTransaction,
} from 'viem/actions'
import { type CheckedTransaction, feesOf } from '../verifySwap.js'
import { SendError } from './errors.js'
import { revertDataOf } from './failures.js'
import { addressOf, requireChain, type WalletClient } from './wallet.js'

/** The parts of a transaction that determine its effect; `value` in wei. */
export type Call = Pick<CheckedTransaction, 'to' | 'data' | 'value'>

/** Gas, and the price of the wallet's own node, within the caller's limit. Throws NETWORK_FEE_TOO_HIGH. */
export async function feesWithin(client: WalletClient, gas: bigint, maxNetworkFee: bigint) {
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
export async function trySwap(client: WalletClient, { to, data, value }: Call): Promise<void> {
  const account = addressOf(client)
  const { data: got = '0x' } = await orRevert(to, () =>
    ethCall(client, { account, to, data, value }),
  )
  const { minAmountOut } = decodeRouterCall(data)
  if (sizeOfHex(got) === WORD_BYTES && BigInt(got) >= minAmountOut) return
  throw new SendError('REVERTED', 'the swap returns less than its floor in simulation', {
    ...{ router: to, got: got.slice(0, 66), wanted: `at least ${minAmountOut} wei` },
  })
}

/** A transaction that is ready to leave: with the bytes, if a key of ours signed it. */
export type Ready = CheckedTransaction & {
  readonly chainId: number
  readonly own?: { readonly hash: Hex; readonly nonce: number; readonly raw: Hex }
}

/**
 * Estimates, prices and, with a key of ours, signs a call. `leastGas` is an estimate made elsewhere, which is
 * used if it is higher. Throws WRONG_CHAIN, NETWORK_FEE_TOO_HIGH, REVERTED, PRICE_MOVED.
 */
export async function makeReady(
  client: WalletClient,
  { to, data, value, leastGas = 0n }: Call & { readonly leastGas?: bigint },
  { chainId, maxNetworkFee }: { readonly chainId: number; readonly maxNetworkFee: bigint },
): Promise<Ready> {
  const { account } = client
  const address = addressOf(client)
  const asked = { account: address, to, data, value }
  const margin = withGasMargin(await orRevert(to, () => estimateGas(client, asked)))
  const fees = await feesWithin(client, margin > leastGas ? margin : leastGas, maxNetworkFee)
  const tx = { to, data, value, chainId, ...fees }
  await requireChain(client, chainId)
  if (account.type !== 'local') return tx
  const nonce = await getTransactionCount(client, { address, blockTag: 'pending' })
  const raw = await account.signTransaction({ ...tx, nonce, type: 'eip1559' })
  return { ...tx, own: { hash: keccak256(raw), nonce, raw } }
}

/**
 * Hands a transaction over: our bytes to the node, or the request to the wallet, which gets the chain's id, so
 * that one that was switched meanwhile refuses it. Returns its hash. Throws what they throw, which is no
 * proof that it was not sent.
 */
export async function handOver(client: WalletClient, ready: Ready): Promise<Hex> {
  const { own, to, data, ...numbers } = ready
  if (own) return sendRawTransaction(client, { serializedTransaction: own.raw })
  const quantities = Object.entries(numbers).map(([name, of]) => [name, numberToHex(of)])
  const tx = { from: addressOf(client), to, data, ...Object.fromEntries(quantities) }
  return client.request({ method: 'eth_sendTransaction', params: [tx] })
}
