import type { Address, Hex } from '@braid-swap/core'
import { numberToHex, type TransactionReceipt } from 'viem'
import { TransactionRevertedError, TransactionStuckError } from '../errors.js'
import type { ChainClient } from './client.js'

/** A transaction to send. Any sender is accepted: the node signs for every address. */
export type Call = {
  /** A description for error messages. */
  readonly label: string
  readonly from: Address
  /** The recipient; absent to create a contract. */
  readonly to?: Address
  readonly data?: Hex
  /** Wei of the native token. */
  readonly value?: bigint
  /** The gas limit. It is required, because estimates cost a call each and limits fill a block. */
  readonly gas: bigint
}

/** Sends transactions and mines blocks, one request at a time. */
export type Ledger = {
  /**
   * Adds transactions to the pool in order, for a later block, and returns their hashes. If they
   * exceed a block's gas, the rest waits, but only if the gas limits of a sender are equal;
   * otherwise the node drops it.
   */
  readonly send: (calls: readonly Call[]) => Promise<readonly Hex[]>
  /**
   * Mines `blocks` blocks (1 by default). The base fee follows the gas of small blocks, down to
   * {@link BASE_FEE}; big blocks leave it there.
   */
  readonly mine: (blocks?: number) => Promise<void>
  /**
   * Sends, mines until every transaction is in a block, and returns the receipts in order.
   * Throws TRANSACTION_REVERTED, TRANSACTION_STUCK.
   */
  readonly execute: (calls: readonly Call[]) => Promise<readonly TransactionReceipt[]>
}

/** The lowest base fee, in wei per gas: 0.1 gwei, as on a chain whose blocks have room. */
export const BASE_FEE = 100_000_000n

/** Gas limit of a big block, which deployments need. */
export const BIG_BLOCK_GAS = 30_000_000n

/** What the devnet's own transactions pay at most, in wei per gas: more than any base fee met on the chain. */
const MOST_PER_GAS = 10_000n * 10n ** 9n

/** The number of blocks that `execute` mines per batch, because other transactions may delay it. */
const SPARE_BLOCKS = 8

/**
 * Creates the ledger of a node without automatic mining. `hold` runs a step that is atomic for all
 * other clients of the node.
 */
export function createLedger(
  client: ChainClient,
  hold: (step: () => Promise<void>) => Promise<void>,
): Ledger {
  const inTurn = createTurns()
  const send = (calls: readonly Call[]) => inTurn(() => sendAll(client, calls))
  const mine = (blocks = 1) => inTurn(() => mineBlocks(client, blocks, hold))
  const execute = async (calls: readonly Call[]) => {
    const { gasLimit, number } = await client.getBlock()
    const receipts: TransactionReceipt[] = []
    let seen = number
    for (const blockful of pack(calls, gasLimit)) {
      const hashes = await send(blockful)
      seen = await settle({ client, mine }, blockful, hashes, seen)
      receipts.push(...(await readReceipts(client, blockful, hashes)))
    }
    return receipts
  }
  return { send, mine, execute }
}

async function sendAll(client: ChainClient, calls: readonly Call[]): Promise<readonly Hex[]> {
  const senders = [...new Set(calls.map((call) => call.from))]
  const counts = await Promise.all(
    senders.map((address) => client.getTransactionCount({ address, blockTag: 'pending' })),
  )
  const nonces = new Map(senders.map((sender, i) => [sender, counts[i] ?? 0]))
  return Promise.all(
    calls.map((call) => {
      const nonce = nonces.get(call.from) ?? 0
      nonces.set(call.from, nonce + 1)
      return client.request({
        method: 'eth_sendTransaction',
        params: [
          {
            from: call.from,
            ...(call.to === undefined ? {} : { to: call.to }),
            ...(call.data === undefined ? {} : { data: call.data }),
            value: numberToHex(call.value ?? 0n),
            gas: numberToHex(call.gas),
            nonce: numberToHex(nonce),
            maxFeePerGas: numberToHex(MOST_PER_GAS),
            maxPriorityFeePerGas: '0x0',
          },
        ],
      })
    }),
  )
}

async function mineBlocks(
  client: ChainClient,
  blocks: number,
  hold: (step: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (let i = 0; i < blocks; i++) {
    await hold(async () => {
      await client.mine({ blocks: 1 })
      // The node follows EIP-1559 without the chain's floor, and knows no fee of big blocks. A client
      // that asked before this is set would get a wrong price.
      const [{ gasLimit }, { baseFeePerGas }] = await Promise.all([
        client.getBlock(),
        client.getFeeHistory({ blockCount: 1, rewardPercentiles: [] }),
      ])
      if (gasLimit === BIG_BLOCK_GAS || baseFeePerGas.at(-1)! < BASE_FEE) {
        await client.setNextBlockBaseFeePerGas({ baseFeePerGas: BASE_FEE })
      }
    })
  }
}

/**
 * Splits calls into batches that fit in a block, because the node drops a sender's next transaction
 * if the one before it did not fit.
 */
function pack(calls: readonly Call[], gasLimit: bigint): readonly (readonly Call[])[] {
  const runs: Call[][] = []
  let room = 0n
  for (const call of calls) {
    if (room < call.gas) {
      runs.push([])
      room = gasLimit
    }
    runs.at(-1)!.push(call)
    room -= call.gas
  }
  return runs
}

/** Mines until blocks after `seen` contain all transactions; returns the last block read. */
async function settle(
  node: { readonly client: ChainClient; readonly mine: () => Promise<void> },
  calls: readonly Call[],
  hashes: readonly Hex[],
  seen: bigint,
): Promise<bigint> {
  const missing = new Set(hashes)
  let last = seen
  for (let blocks = 0; missing.size > 0; blocks++) {
    if (blocks === SPARE_BLOCKS) {
      const first = calls[hashes.findIndex((hash) => missing.has(hash))]!.label
      throw new TransactionStuckError({ pending: missing.size, minedBlocks: blocks, first })
    }
    await node.mine()
    // Another caller may have mined too, so all blocks since are read.
    for (const head = await node.client.getBlockNumber(); last < head; ) {
      last += 1n
      const block = await node.client.getBlock({ blockNumber: last })
      for (const hash of block.transactions) missing.delete(hash)
    }
  }
  return last
}

async function readReceipts(
  client: ChainClient,
  calls: readonly Call[],
  hashes: readonly Hex[],
): Promise<readonly TransactionReceipt[]> {
  const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })))
  for (const [i, receipt] of receipts.entries()) {
    if (receipt.status !== 'success') throw await reverted(client, calls[i]!, receipt)
  }
  return receipts
}

async function reverted(
  client: ChainClient,
  call: Call,
  receipt: TransactionReceipt,
): Promise<TransactionRevertedError> {
  const { from: account, to, data, value, gas, label } = call
  const replay = { account, gas, blockNumber: receipt.blockNumber - 1n }
  const reason = await client
    .call({ ...replay, to: to ?? null, data: data ?? '0x', value: value ?? 0n })
    .then(() => 'no reason: it passes on the block before')
    .catch((error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''))
  return new TransactionRevertedError({
    label,
    hash: receipt.transactionHash,
    gasUsed: `${receipt.gasUsed}`,
    gas: `${gas}`,
    reason,
  })
}

/** Runs asynchronous steps one at a time, in the order of the calls. */
function createTurns(): <T>(step: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (step) => {
    const turn = last.then(step)
    last = turn.catch(() => {})
    return turn
  }
}
