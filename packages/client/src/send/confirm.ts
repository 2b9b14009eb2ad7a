/**
 * Waits until a transaction is mined, whatever happens to it on the way: its owner speeds it up or
 * cancels it, the node forgets it or restarts, a block is replaced. A hash is no promise, and an answer
 * that is missing is no failure.
 */
import type { Hex } from '@braid-swap/core'
import type { Transaction, TransactionReceipt } from 'viem'
import {
  getBlock,
  getChainId,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
} from 'viem/actions'
import { OutcomeUnknownError, SendError } from './errors.js'
import { broadcast, type SentTransaction } from './transaction.js'
import type { WalletClient } from './wallet.js'

/** How long to wait, in milliseconds. */
export type Patience = {
  /** Between two looks; 1,000 by default, a block of HyperEVM. */
  readonly pollMs?: number | undefined
  /** For a transaction that the node has; 180,000 by default. */
  readonly waitMs?: number | undefined
  /** For one that the node does not know, or cannot mine without another one; 20,000 by default. */
  readonly unknownMs?: number | undefined
}

/** Blocks that are searched for a transaction in the place of ours. */
const MAX_BLOCKS = 600n

/**
 * The receipt of the transaction, or of one that its owner sped up, with the status `success`. Throws
 * REVERTED, REPLACED or OUTCOME_UNKNOWN.
 */
export async function confirmTransaction(
  client: WalletClient,
  sent: SentTransaction,
  { pollMs = 1_000, waitMs = 180_000, unknownMs = 20_000 }: Patience = {},
): Promise<TransactionReceipt> {
  const see = createSight(client, sent)
  const startMs = performance.now()
  let knownMs = startMs
  for (;;) {
    const { state, hash, receipt, other } = await see()
    if (receipt) return mined(receipt)
    if (other) throw replaced(sent, other)
    const now = performance.now()
    if (state !== 'absent' && state !== 'ahead') knownMs = now
    if (now - knownMs > unknownMs) throw new OutcomeUnknownError(hash, WHY[state])
    if (now - startMs > waitMs) throw new OutcomeUnknownError(hash, WHY[state])
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

const WHY = {
  absent: 'the node does not know it',
  ahead: 'the node misses an earlier transaction of the account',
  elsewhere: 'the wallet uses another chain',
  silent: 'the node does not answer',
  waiting: 'it waits for a block',
} as const

/**
 * Looks at a transaction, under the hash that it has now. One that the node does not know is sent again if
 * it is ours, and searched for. A node may be gone for a while, and a wallet be switched to another chain,
 * where its nonces are others: neither denies anything.
 */
function createSight(client: WalletClient, sent: SentTransaction) {
  const search = createSearch(client, sent)
  const isHere = async () => (await getChainId(client)) === sent.chainId
  // Our nonce was the node's next one, so before it none can be missing, unless the node lied or lost it.
  const isAhead = async () =>
    sent.raw !== undefined &&
    (await getTransactionCount(client, { address: sent.from, blockTag: 'pending' })) < sent.nonce
  let { hash } = sent
  const see = async (): Promise<Seen> => {
    if (!(await isHere())) return { state: 'elsewhere' }
    const seen = hash === undefined ? ABSENT : await look(client, hash)
    if (seen.state === 'waiting') return seen.receipt || !(await isAhead()) ? seen : AHEAD
    if (sent.raw) await broadcast(client, sent.raw).catch(() => {})
    const found = await search()
    if (!found) return ABSENT
    if (!isSame(found, sent)) return { ...ABSENT, other: found.hash }
    hash = found.hash
    return { state: 'waiting' }
  }
  return async () => {
    const seen = await see()
      .then(async (it): Promise<Seen> => {
        const isOver = it.receipt !== undefined || it.other !== undefined
        return isOver && !(await isHere()) ? { state: 'elsewhere' } : it
      })
      .catch((): Seen => ({ state: 'silent' }))
    return { ...seen, hash }
  }
}

type Seen = {
  readonly state: keyof typeof WHY
  readonly receipt?: TransactionReceipt
  /** The transaction that was mined in its place. */
  readonly other?: Hex
}
const ABSENT: Seen = { state: 'absent' }
const AHEAD: Seen = { state: 'ahead' }

/** What a node knows of a hash. A receipt counts only while its block is the one of the chain. */
async function look(client: WalletClient, hash: Hex): Promise<Seen> {
  const receipt = await getTransactionReceipt(client, { hash }).catch(orAbsent)
  if (!receipt) {
    const tx = await getTransaction(client, { hash }).catch(orAbsent)
    return tx ? { state: 'waiting' } : ABSENT
  }
  const { blockNumber } = receipt
  const block = await getBlock(client, { blockNumber }).catch(orAbsent)
  return block?.hash === receipt.blockHash ? { state: 'waiting', receipt } : { state: 'waiting' }
}

/** Absent is an answer; any other failure is none, and is thrown. */
function orAbsent(error: unknown): undefined {
  if (/NotFoundError$/.test((error as { readonly name?: string }).name ?? '')) return undefined
  throw error
}

/**
 * A search of the blocks since the transaction was sent for the one that was mined with its nonce, or
 * that does the same. It goes on where it ended, once the account's nonce has passed.
 */
function createSearch(client: WalletClient, { from, nonce, block, ...sent }: SentTransaction) {
  let next = BigInt(block) + 1n
  return async (): Promise<Transaction | undefined> => {
    if ((await getTransactionCount(client, { address: from })) <= nonce) return undefined
    const { number: newest } = await getBlock(client)
    if (newest - next > MAX_BLOCKS) next = newest - MAX_BLOCKS
    for (; next <= newest; next++) {
      const { transactions } = await getBlock(client, {
        ...{ blockNumber: next, includeTransactions: true },
      })
      const own = transactions.filter((tx) => tx.from.toLowerCase() === from)
      const found = own.find((tx) => isSame(tx, sent)) ?? own.find((tx) => tx.nonce === nonce)
      if (found) return found
    }
    return undefined
  }
}

function isSame(tx: Transaction, { to, data }: Pick<SentTransaction, 'to' | 'data'>): boolean {
  return tx.to?.toLowerCase() === to && tx.input === data
}

function replaced({ hash }: SentTransaction, other: Hex): SendError {
  const message =
    'another transaction of the account was mined in its place: nothing was swapped by this one'
  return new SendError('REPLACED', message, { ...(hash && { hash }), other })
}

function mined(receipt: TransactionReceipt): TransactionReceipt {
  if (receipt.status === 'success') return receipt
  throw new SendError('REVERTED', 'the transaction was mined and failed: only gas was paid', {
    ...{ hash: receipt.transactionHash, wanted: 'a new quote' },
  })
}
