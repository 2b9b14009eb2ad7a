/**
 * Sends one transaction of the payer and waits until it is mined. A hash is no promise: wallets return
 * it before the network has the transaction, and users replace or cancel it.
 */
import type { Address, Hex } from '@braid-swap/core'
import { TransactionNotFoundError, TransactionReceiptNotFoundError } from 'viem'
import { getTransaction, getTransactionReceipt, sendTransaction } from 'viem/actions'
import type { PageConfig } from '../pageConfig.js'
import { chainOf, requireChain } from '../wallet/chain.js'
import type { Payer } from '../wallet/payer.js'
import { WalletError, walletErrorOf } from '../wallet/walletError.js'

/** A transaction to send. Fields of the network fee are for the demo account only. */
export type Sending = {
  readonly to: Address
  readonly data: Hex
  /** In wei. */
  readonly value: bigint
  /** Wei per gas, as the API read it. */
  readonly gasPrice: bigint
  /** The wallet estimates it if it is absent. */
  readonly gas?: bigint
}

/** The receipt of a mined transaction. */
export type Mined = {
  readonly hash: Hex
  readonly blockNumber: bigint
  readonly gasUsed: bigint
  /** Wei per gas; absent if the wallet does not report it. */
  readonly effectiveGasPrice?: bigint
  readonly logs: readonly {
    readonly address: Address
    readonly topics: readonly Hex[]
    readonly data: Hex
  }[]
}

const POLL_MS = 500
/** A transaction that the node does not know for so long was dropped or never sent. */
const DROPPED_MS = 10_000

/** Sends a transaction and returns its hash. Throws WALLET_…. */
export async function sendFrom(payer: Payer, config: PageConfig, sending: Sending): Promise<Hex> {
  const { to, data, value, gas, gasPrice } = sending
  const { client, address: account, kind } = payer
  const call = { to, data, value, ...(gas !== undefined && { gas }) }
  try {
    if (kind === 'demo') {
      // The next block's base fee may be higher than the quoted one.
      const fees = { maxFeePerGas: gasPrice * 2n, maxPriorityFeePerGas: 0n }
      return await sendTransaction(client, { ...call, ...fees, account, chain: null })
    }
    await requireChain(client, config)
    return await sendTransaction(client, { ...call, account, chain: chainOf(config) })
  } catch (error) {
    throw walletErrorOf(error)
  }
}

/** Waits for the receipt. Throws TX_REVERTED, TX_DROPPED, WALLET_…. */
export async function waitUntilMined({ client }: Payer, hash: Hex): Promise<Mined> {
  let knownMs = performance.now()
  for (;;) {
    const receipt = await orAbsent(
      getTransactionReceipt(client, { hash }),
      TransactionReceiptNotFoundError,
    )
    if (receipt?.status === 'success') return { ...receipt, hash }
    if (receipt) {
      const message = 'The transaction was mined, but it reverted: no tokens were swapped.'
      throw new WalletError('TX_REVERTED', message, { details: { hash } })
    }
    const isKnown = await orAbsent(getTransaction(client, { hash }), TransactionNotFoundError)
    if (isKnown) knownMs = performance.now()
    if (performance.now() - knownMs > DROPPED_MS) {
      throw new WalletError('TX_DROPPED', 'The network does not know the transaction.', {
        details: { hash },
      })
    }
    await pause(POLL_MS)
  }
}

/** Waits some milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** The answer, or undefined if the node says that there is none. */
async function orAbsent<T>(
  answer: Promise<T>,
  Absent: abstract new (...args: never[]) => Error,
): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Absent) return undefined
    throw walletErrorOf(error)
  }
}
