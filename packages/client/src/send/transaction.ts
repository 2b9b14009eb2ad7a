/**
 * Tries, prices, signs and sends one transaction of the wallet. With a key of ours the hash is known before
 * anybody else sees the transaction, so a lost answer loses nothing.
 */

import { routerAbi } from '@braid-swap/contracts'
import { type Address, decodeRouterCall, type Hex, NATIVE } from '@braid-swap/core'
import { MAX_TIP_OVER_BASE, sizeOfHex, txFeesOf, withGasMargin } from '@braid-swap/core/advanced'
import { decodeErrorResult, keccak256, numberToHex } from 'viem'
import {
  estimateGas,
  call as ethCall,
  getBalance,
  getGasPrice,
  getTransactionCount,
  sendRawTransaction,
} from 'viem/actions'
import { type CheckedTransaction, least as min, type OwnTerms } from '../verifySwap.js'
import { SendError } from './errors.js'
import { revertDataOf } from './failures.js'
import { addressOf, requireChain, type WalletClient } from './wallet.js'

/** The parts of a transaction that determine its effect; `value` in wei. */
export type Call = Pick<CheckedTransaction, 'to' | 'data' | 'value'>
/** What decides the fees of a call: its value, and what its builder said of them. */
export type Priced = Pick<CheckedTransaction, 'value'> &
  Partial<Pick<CheckedTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>>

/** What the caller allows for gas, in wei, and the tip for each gas that it asked for itself. */
export type FeeTerms = Pick<OwnTerms, 'maxNetworkFee'> & {
  readonly chainId: number
  readonly ownTip?: bigint | undefined
}

/** What the fees of a call depend on: the price of the wallet's own node, and what the account has, in wei. */
type Funds = { readonly owner: Address; readonly gasPrice: bigint; readonly balance: bigint }

async function readFunds(client: WalletClient): Promise<Funds> {
  const owner = addressOf(client)
  const [gasPrice, balance] = await Promise.all([
    getGasPrice(client),
    getBalance(client, { address: owner }),
  ])
  return { owner, gasPrice, balance }
}

/**
 * Gas and its fees: the price of the wallet's own node and the tip, with room for six full blocks or what the builder
 * said, as far as the limit and the balance allow. Throws NETWORK_FEE_TOO_HIGH, GAS_NOT_COVERED.
 */
export async function feesWithin(
  client: WalletClient,
  call: Priced & { readonly gas: bigint },
  terms: FeeTerms,
): Promise<Fees> {
  return feesFrom(await readFunds(client), call, terms)
}

/** Gas and what a transaction of type 2 pays for each, in wei. */
export type Fees = Pick<CheckedTransaction, 'gas' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>

function feesFrom(
  { owner, gasPrice, balance }: Funds,
  { gas, value, ...asked }: Priced & { readonly gas: bigint },
  { maxNetworkFee, ownTip }: FeeTerms,
): Fees {
  // A builder's word on the tip is not enough for any, and never against the caller's own.
  const tip = ownTip ?? min(asked.maxPriorityFeePerGas ?? 0n, MAX_TIP_OVER_BASE * gasPrice)
  const cost = gas * (gasPrice + tip)
  if (cost > maxNetworkFee) {
    throw new SendError('NETWORK_FEE_TOO_HIGH', 'gas would cost more than your limit', {
      ...{ got: `${cost} wei`, wanted: `at most ${maxNetworkFee} wei` },
    })
  }
  const fees = txFeesOf(gasPrice, tip)
  if (value + cost > balance) {
    const left = balance - gas * fees.gasPrice
    const message = `the balance of ${owner} does not also cover the gas`
    throw new SendError('GAS_NOT_COVERED', message, {
      ...{ token: NATIVE, available: `${balance}`, required: `${value + cost}` },
      ...(value > 0n && { most: `${max(left, 0n)}` }),
    })
  }
  const wanted = max(fees.maxFeePerGas, asked.maxFeePerGas ?? 0n)
  const maxFeePerGas = min(wanted, min(maxNetworkFee, balance - value) / (gas || 1n))
  return { gas, maxFeePerGas, maxPriorityFeePerGas: tip }
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * Asks a node about a call at the price that its transaction pays, because a contract sees whether gas costs something;
 * without a price if the node refuses it, as it does where the account cannot pay for all the gas that the node tries.
 */
async function askPriced<T>(
  { maxFeePerGas, maxPriorityFeePerGas }: Fees,
  ask: (fees: Partial<Fees>) => Promise<T>,
): Promise<T> {
  try {
    return await ask({ maxFeePerGas, maxPriorityFeePerGas })
  } catch (error) {
    if (revertDataOf(error) !== undefined) throw error
    return ask({})
  }
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
 * Calls the swap on the wallet's node, with the fees that it is to pay. The return value counts, because code that is
 * no router returns none. Throws REVERTED or PRICE_MOVED.
 */
export async function trySwap(
  client: WalletClient,
  { to, data, value }: Call,
  fees: Fees,
): Promise<void> {
  const account = addressOf(client)
  const { data: got = '0x' } = await orRevert(to, () =>
    askPriced(fees, (priced) => ethCall(client, { account, to, data, value, ...priced })),
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
 * used if it is higher. Throws WRONG_CHAIN, NETWORK_FEE_TOO_HIGH, GAS_NOT_COVERED, REVERTED, PRICE_MOVED.
 */
export async function makeReady(
  client: WalletClient,
  { to, data, leastGas = 0n, ...priced }: Call & Priced & { readonly leastGas?: bigint },
  terms: FeeTerms,
): Promise<Ready> {
  const { account } = client
  const address = addressOf(client)
  const { value } = priced
  const { chainId } = terms
  const asked = { account: address, to, data, value }
  const funds = await readFunds(client)
  const offered = feesFrom(funds, { ...priced, gas: leastGas }, terms)
  const estimated = await orRevert(to, () =>
    askPriced(offered, (fees) => estimateGas(client, { ...asked, ...fees })),
  )
  const gas = max(withGasMargin(estimated), leastGas)
  const fees = feesFrom(funds, { ...priced, gas }, terms)
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
