/**
 * What a node shows of a swap that was handed over: done, certainly not, or neither. An absence proves
 * nothing before the deadline. Proofs are the router's event in a receipt for these very bytes, a transaction
 * that its owner signed in the place of ours, one of ours that failed, and a block after the deadline.
 */
import { routerAbi } from '@braid-swap/contracts'
import { type Address, decodeRouterCall, type Hex } from '@braid-swap/core'
import { ZERO_ADDRESS } from '@braid-swap/core/advanced'
import {
  type Client,
  getAbiItem,
  keccak256,
  type Log,
  parseEventLogs,
  recoverTransactionAddress,
  serializeTransaction,
  type Transaction,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem'
import {
  getBlock,
  getBlockNumber,
  getChainId,
  getLogs,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
  sendRawTransaction,
} from 'viem/actions'
import { lower } from '../verifySwap.js'
import type { Outcome, SentSwap } from './memory.js'
import { readBalance } from './wallet.js'

/** Why nobody can say how a swap ended. */
export type Doubt = 'absent' | 'elsewhere' | 'silent' | 'waiting' | 'contradicted'
/** What one look shows. */
export type Seen = Outcome | { readonly is: 'unknown'; readonly why: Doubt }

const unknown = (why: Doubt): Seen => ({ is: 'unknown', why })

/** Seconds by which clocks, and nodes behind one address, may be apart. */
const APART = 60

/** Returns the function that looks once. It repeats `raw`, our own bytes, where the node does not have them. */
export function createSight(client: Client, sent: SentSwap, raw?: Hex): () => Promise<Seen> {
  const isHere = async () => (await getChainId(client)) === sent.chainId
  const look = createLook(client, sent, raw)
  // A node may be gone for a while, and a wallet be switched to another chain: neither denies anything.
  return async () => {
    try {
      const seen = (await isHere()) && (await look())
      return seen && (await isHere()) ? seen : unknown('elsewhere')
    } catch {
      return unknown('silent')
    }
  }
}

function createLook(client: Client, sent: SentSwap, raw?: Hex): () => Promise<Seen> {
  const { deadline } = decodeRouterCall(sent.data)
  const walk = createWalk(client, sent, deadline)
  let { hash, nonce } = sent
  return async () => {
    const found = hash && (await find(client, sent, hash))
    const own = found && found.is !== 'foreign' ? found : undefined
    if (own?.done) return own.done
    const isSigned = own?.signer === sent.from
    // The nonce of a wallet is known once its transaction was seen.
    if (isSigned) nonce = own.tx.nonce
    if (own?.is === 'waiting' && Date.now() / 1_000 <= deadline) return unknown('waiting')
    const { hashes, isOver } = await searchEvents(client, sent, deadline)
    // In a block after the deadline it would only cost gas.
    if (!own && raw && !isOver) {
      await sendRawTransaction(client, { serializedTransaction: raw }).catch(() => {})
    }
    for (const each of hashes) {
      const reported = await find(client, sent, each)
      if (reported?.done) return reported.done
      // The event of another swap says nothing of this one; one without its transaction may be ours.
      if (reported?.is !== 'foreign') return unknown('contradicted')
    }
    const ended = { is: 'not', ...(hash && { hash }) } as const
    if (isSigned && own.is === 'reverted') return { ...ended, code: 'REVERTED' }
    if (isSigned && own.is === 'mined') return unknown('contradicted')
    const isUsed = !own && nonce !== undefined && (await countOf(client, sent)) > nonce
    if (isUsed || (isOver && (await isTouched(client, sent)))) {
      const judged = own && own.is !== 'waiting' ? hash : undefined
      const { tx, isThrough } = await walk(nonce, judged)
      if (tx && !holds(tx, sent)) return { ...ended, code: 'REPLACED', other: tx.hash }
      // Sped up by its owner, or found without a hash: the next look judges it.
      if (tx) hash = tx.hash
      if (tx || !isThrough) return unknown(tx || own ? 'waiting' : 'absent')
    }
    return isOver ? { ...ended, code: 'EXPIRED' } : unknown(own ? 'waiting' : 'absent')
  }
}

type Found = {
  readonly tx: Transaction
  /** Who signed it; absent if its fields are not those of its hash. */
  readonly signer: Address | undefined
  readonly is: 'waiting' | 'mined' | 'reverted' | 'foreign'
  readonly done?: Outcome
}

/** A transaction and what became of it; `foreign` if it is another swap, or one from before. */
async function find(client: Client, sent: SentSwap, hash: Hex): Promise<Found | undefined> {
  const tx = await getTransaction(client, { hash }).catch(orAbsent)
  if (tx?.hash !== hash) return undefined
  const signer = await signerOf(tx)
  const seen = { tx, signer } as const
  // What is not called directly may have the bytes in a form of its own.
  if (!holds(tx, sent)) {
    return signer && lower(tx.to ?? '0x') === sent.router ? { ...seen, is: 'foreign' } : undefined
  }
  const receipt = await getTransactionReceipt(client, { hash }).catch(orAbsent)
  if (!receipt || receipt.transactionHash !== hash) return { ...seen, is: 'waiting' }
  // A receipt counts while its block is the one of the chain.
  const { blockNumber, blockHash, logs, gasUsed } = receipt
  const block = await getBlock(client, { blockNumber }).catch(orAbsent)
  if (blockNumber <= BigInt(sent.block)) return { ...seen, is: 'foreign' }
  const isMined = block?.hash === blockHash && tx.blockHash === blockHash
  if (!isMined || !block?.transactions.includes(hash)) return { ...seen, is: 'waiting' }
  if (receipt.status === 'reverted') return { ...seen, is: 'reverted' }
  const args = eventsOf(logs, sent)[0]?.args
  if (!args) return { ...seen, is: 'mined' }
  const { amountIn, amountOut } = args
  const done = { hash, blockNumber, gasUsed, amountIn, amountOut, quoted: BigInt(sent.quoted) }
  return { ...seen, is: 'mined', done: { is: 'done', done } }
}

/** Absent is an answer; any other failure is none, and is thrown. */
function orAbsent(error: unknown): undefined {
  if (/NotFoundError$/.test((error as { readonly name?: string }).name ?? '')) return undefined
  throw error
}

/** True if the bytes of a swap are in a transaction: all of it, or a call of an account that is a contract. */
function holds({ input }: Transaction, { data }: SentSwap): boolean {
  return input.toLowerCase().includes(data.slice(2).toLowerCase())
}

/** The signer of a transaction, whose fields no node can invent; undefined if they do not fit its hash. */
async function signerOf(tx: Transaction): Promise<Address | undefined> {
  try {
    const { r, s, v, yParity } = tx
    const fields = { ...tx, data: tx.input } as unknown as TransactionSerializable
    const serializedTransaction = serializeTransaction(fields, { r, s, v, yParity } as never)
    if (keccak256(serializedTransaction) !== tx.hash) return undefined
    const by = serializedTransaction as TransactionSerialized
    return lower(await recoverTransactionAddress({ serializedTransaction: by }))
  } catch {
    return undefined
  }
}

const SWAP = getAbiItem({ abi: routerAbi, name: 'Swap' })

/** The router's events that report a swap: its payer, receiver, tokens and amount, and at least its floor. */
function eventsOf(logs: readonly Log[], { router, from, data }: SentSwap) {
  const { tokenIn, tokenOut, amountIn, minAmountOut, receiver } = decodeRouterCall(data)
  const wanted = { payer: from, receiver: receiver === ZERO_ADDRESS ? from : receiver }
  const own = logs.filter(({ address }) => lower(address) === router)
  return parseEventLogs({ abi: routerAbi, eventName: 'Swap', logs: own }).filter(
    ({ args }) =>
      lower(args.payer) === wanted.payer &&
      lower(args.receiver) === wanted.receiver &&
      lower(args.tokenIn) === tokenIn &&
      lower(args.tokenOut) === tokenOut &&
      args.amountIn === amountIn &&
      args.amountOut >= minAmountOut,
  )
}

/** Blocks in one request for logs: what most nodes answer. */
const [SPAN, LEAST_SPAN] = [1_000n, 50n]

/** The transactions with such an event since a swap was handed over, until a block that is after its deadline. */
async function searchEvents(client: Client, sent: SentSwap, deadline: bigint) {
  const filter = { address: sent.router, event: SWAP, args: { payer: sent.from } } as const
  const head = await getBlockNumber(client, { cacheTime: 0 })
  const hashes: Hex[] = []
  for (let [from, span] = [BigInt(sent.block) + 1n, SPAN]; from <= head; ) {
    const to = from + span > head ? head : from + span - 1n
    const logs = await getLogs(client, { ...filter, fromBlock: from, toBlock: to }).catch(
      (error) => {
        if (span === LEAST_SPAN) throw error
        span = LEAST_SPAN
      },
    )
    if (!logs) continue
    for (const { transactionHash } of eventsOf(logs, sent)) hashes.push(transactionHash)
    if (isAfter(deadline, await getBlock(client, { blockNumber: to }))) {
      return { hashes, isOver: true }
    }
    from = to + 1n
  }
  return { hashes, isOver: false }
}

/** True of a block that is certainly after the deadline. One of the future proves nothing. */
function isAfter(deadline: bigint, { timestamp }: { readonly timestamp: bigint }): boolean {
  return timestamp > Number(deadline) + APART && timestamp < Date.now() / 1_000 + APART
}

const countOf = (client: Client, { from }: SentSwap) =>
  getTransactionCount(client, { address: from })

/** True if the payer may have paid, by its balance or by what it sent since. */
async function isTouched(client: Client, sent: SentSwap): Promise<boolean> {
  const { tokenIn: token, amountIn } = decodeRouterCall(sent.data)
  if ((await countOf(client, sent)) > sent.count) return true
  const balance = await readBalance(client, { token, owner: sent.from })
  return balance + amountIn <= BigInt(sent.balance)
}

/**
 * Returns a search of all blocks since then until one after the deadline, which goes on where it ended: for the
 * bytes of the swap in another transaction than `but`, and for what ends it in its place. Our own nonce is in
 * no other bytes. A wallet may sign the same swap again with the next one, unless its owner cancelled it.
 */
function createWalk(client: Client, sent: SentSwap, deadline: bigint) {
  const { from, chainId, block, nonce: signed } = sent
  let [next, isThrough] = [BigInt(block) + 1n, false]
  const isCancel = ({ to, input }: Transaction) => lower(to ?? '0x') === from && input === '0x'
  return async (nonce: number | undefined, but: Hex | undefined) => {
    const isInPlace = async (tx: Transaction) =>
      lower(tx.from) === from &&
      tx.nonce === nonce &&
      tx.chainId === chainId &&
      (signed !== undefined || isCancel(tx)) &&
      (await signerOf(tx)) === from
    const head = await getBlockNumber(client, { cacheTime: 0 })
    for (; next <= head && !isThrough; next++) {
      const asked = { blockNumber: next, includeTransactions: true } as const
      const found = await getBlock(client, asked)
      if (found.number !== next) break
      for (const tx of found.transactions) {
        if (tx.hash !== but && (holds(tx, sent) || (await isInPlace(tx)))) return { tx, isThrough }
      }
      isThrough = isAfter(deadline, found)
    }
    return { tx: undefined, isThrough }
  }
}
