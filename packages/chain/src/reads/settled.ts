// A transaction with its receipt, and what ties both to the header of its block: the nodes of the tries of receipts and
// of transactions that lead to one place.

import type { Hex } from '@braid-swap/core'
import type { Settled } from '@braid-swap/core/advanced'
import {
  formatTransaction,
  keccak256,
  numberToHex,
  parseTransaction,
  type RpcTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
  type TransactionSerialized,
  toRlp,
} from 'viem'
import type { Client } from '../transport/client.js'
import { isRefusal } from '../transport/rpcErrors.js'
import { readReceipts } from './blockReceipts.js'
import { BlockUnavailableError, fieldsCovering, type Header, readHeader } from './headers.js'
import { encoded, proofIn, type Receipt, rootOfReceipts, valueIn } from './receiptsRoot.js'

type MinedReceipt = Receipt & { readonly blockNumber: Hex; readonly blockHash: Hex }

const ask = <T>(client: Client, method: string, params: readonly unknown[]) =>
  client.request<{ Method: string; Parameters: readonly unknown[]; ReturnType: T | null }>({
    ...{ method, params },
  })

/**
 * A transaction of a known contract as evidence has it, with the proofs of its receipt and of itself where the node gives
 * all those of its block. Throws a BlockUnavailableError if the node knows no such transaction in a block.
 */
export async function readSettled(client: Client, hash: Hex): Promise<Settled> {
  const [tx, receipt] = await Promise.all([
    ask<RpcTransaction>(client, 'eth_getTransactionByHash', [hash]),
    ask<MinedReceipt>(client, 'eth_getTransactionReceipt', [hash]),
  ])
  if (!tx?.to || !receipt) throw new BlockUnavailableError(`of the transaction ${hash}`)
  const header = await readHeader(client, BigInt(receipt.blockNumber))
  if (header.hash !== receipt.blockHash) throw new BlockUnavailableError(receipt.blockHash)
  const { number } = header
  const proved = await proofsIn(client, header, receipt)
  return {
    transaction: {
      ...{ hash, from: lower(tx.from), to: lower(tx.to), input: tx.input, value: BigInt(tx.value) },
    },
    block: { number, hash: header.hash, ...(proved && { fields: proved.fields }) },
    receipt: { index: proved?.index ?? 0, ...shownOf(receipt) },
    ...proved?.proofs,
  }
}

const lower = (text: Hex) => text.toLowerCase() as Hex

function shownOf({ type = '0x0', status, cumulativeGasUsed, logsBloom, logs }: Receipt) {
  const shown = logs.map(({ address, topics, data }) => ({ address: lower(address), topics, data }))
  return { type, status, cumulativeGasUsed, logsBloom, logs: shown }
}

/** A receipt's place in a block, and the proofs; undefined where the node does not show them, or they do not fit. */
async function proofsIn(client: Client, header: Header, receipt: Receipt) {
  const all = await orNull(readReceipts(client, header))
  // Those of system transactions use no gas, and no root counts them.
  const own = all?.filter(({ cumulativeGasUsed }) => BigInt(cumulativeGasUsed) > 0n) ?? []
  const index = own.findIndex(({ cumulativeGasUsed: used }) => used === receipt.cumulativeGasUsed)
  const fields = index === -1 ? undefined : fieldsCovering(header, await rootOfReceipts(own))
  if (!fields) return undefined
  const { proof } = await proofIn(own.map(encoded), index)
  const sent = await sentIn(client, header, new Set(own.map((one) => one.transactionHash)))
  const tied = index < sent.length ? await proofIn(sent, index) : undefined
  const transactionProof = tied?.root === fields[TRANSACTIONS] ? tied?.proof : undefined
  return { index, fields, proofs: { proof, ...(transactionProof && { transactionProof }) } }
}

/** What a node answers; null if it refuses. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error) => {
    if (isRefusal(error)) return null
    throw error
  })
}

/** The signed bytes of a block's transactions; none where the node shows one that has no such form. */
async function sentIn(client: Client, { number }: Header, wanted: ReadonlySet<Hex>) {
  const read = ask<{ readonly transactions: readonly RpcTransaction[] }>
  const block = await orNull(read(client, 'eth_getBlockByNumber', [numberToHex(number), true]))
  const sent = block?.transactions.filter(({ hash }) => wanted.has(hash)) ?? []
  try {
    return sent.map((one) => {
      const { input: data, ...fields } = formatTransaction(one)
      return serializeTransaction({ ...fields, data } as TransactionSerializable, fields)
    })
  } catch {
    return []
  }
}

/**
 * True if a receipt is proved: the header has its hash, and the trie of receipts under the header's root has this one
 * at its place. Needs no node.
 */
export async function isSettledProved(settled: Settled): Promise<boolean> {
  // What cannot be encoded is in no block.
  return isProved(settled).catch(() => false)
}

async function isProved({ block, receipt, proof }: Settled): Promise<boolean> {
  const root = rootIn(block, RECEIPTS)
  if (!root || !proof) return false
  return (await valueIn(root, { index: receipt.index, proof })) === encoded(receipt)
}

/**
 * True if the trie of transactions under the header's root has this one, signed by its sender, at the receipt's place.
 * Needs no node.
 */
export async function isSettledTied(settled: Settled): Promise<boolean> {
  return isTied(settled).catch(() => false)
}

async function isTied({ block, receipt, transaction, transactionProof }: Settled) {
  const root = rootIn(block, TRANSACTIONS)
  if (!root || !transactionProof) return false
  const signed = await valueIn(root, { index: receipt.index, proof: transactionProof })
  if (!signed || keccak256(signed) !== transaction.hash) return false
  const { to, data = '0x', value = 0n } = parseTransaction(signed)
  const serializedTransaction = signed as TransactionSerialized
  const from = await recoverTransactionAddress({ serializedTransaction })
  const { input, ...told } = transaction
  const isSame = lower(from) === told.from && to?.toLowerCase() === told.to
  return isSame && data === input && value === told.value
}

/** A root among the fields of a header, if they have its hash and its height. */
function rootIn({ hash, number, fields }: Settled['block'], place: number): Hex | undefined {
  const isWhole = fields && keccak256(toRlp(fields)) === hash && BigInt(fields[NUMBER]!) === number
  return isWhole ? fields[place] : undefined
}

/** Places among the fields of a header (yellow paper, 4.3). */
const [TRANSACTIONS, RECEIPTS, NUMBER] = [4, 5, 8]
