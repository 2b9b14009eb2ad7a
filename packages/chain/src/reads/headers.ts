// Block headers, and chains of headers linked by parent hash: the way to detect reorganisations.

import { BaseError, type Hex } from '@braid-swap/core'
import type { Client } from '../transport/client.js'

/** The fields of a block header that Braid uses. */
export type Header = {
  readonly number: bigint
  readonly hash: Hex
  readonly parentHash: Hex
  /** Unix seconds. */
  readonly timestamp: bigint
  readonly gasLimit: bigint
  /** Absent if the node omits it. */
  readonly gasUsed?: bigint
  /** Wei; absent if the chain has no base fee. */
  readonly baseFee?: bigint
  /** Bloom filter of the block's logs; absent if the node omits it. */
  readonly logsBloom?: Hex
  /** Hashes of the block's transactions; absent if the node omits them. */
  readonly transactions?: readonly Hex[]
}

/**
 * The header of a block by number, or of the newest block. Throws a BlockUnavailableError if the
 * node has no such block or answers with a different one.
 */
export async function readHeader(client: Client, at: bigint | 'latest'): Promise<Header> {
  const block = await client.request({
    method: 'eth_getBlockByNumber',
    params: [at === 'latest' ? 'latest' : `0x${at.toString(16)}`, false],
  })
  if (block?.hash == null || block.number == null) throw new BlockUnavailableError(at)
  const number = BigInt(block.number)
  if (at !== 'latest' && number !== at) throw new BlockUnavailableError(at)
  return {
    number,
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: BigInt(block.timestamp),
    gasLimit: BigInt(block.gasLimit),
    ...(block.gasUsed != null && { gasUsed: BigInt(block.gasUsed) }),
    ...(block.baseFeePerGas != null && { baseFee: BigInt(block.baseFeePerGas) }),
    ...(block.logsBloom != null && { logsBloom: block.logsBloom.toLowerCase() as Hex }),
    ...(block.transactions != null && { transactions: block.transactions as readonly Hex[] }),
  }
}

/** The node does not have the requested block. */
export class BlockUnavailableError extends BaseError {
  readonly code = 'BLOCK_UNAVAILABLE'

  constructor(block: bigint | string) {
    super(`the node has no block ${block}`, { block: `${block}` })
  }
}

/** Most blocks to follow by logs; a market further behind is loaded again in full. */
export const MAX_CATCH_UP = 10_000n

/** Returns true if all these blocks are still on the chain. */
export async function areOnChain(
  client: Client,
  blocks: readonly { readonly number: bigint; readonly hash: Hex }[],
): Promise<boolean> {
  const headers = await Promise.all(blocks.map(({ number }) => readHeader(client, number)))
  return headers.every(({ hash }, i) => hash === blocks[i]!.hash)
}

/** A block's parent is not the block known before it: the chain was reorganised. */
export class NotContinuousError extends BaseError {
  readonly code = 'NOT_CONTINUOUS'

  constructor({ number, parentHash }: Header) {
    super(`the parent of block ${number} is ${parentHash}, not the block known before it`, {
      block: `${number}`,
      parentHash,
    })
  }
}

/** More blocks were missed than are worth following by logs. */
export class TooFarBehindError extends BaseError {
  readonly code = 'TOO_FAR_BEHIND'

  constructor(blocks: bigint) {
    super(`${blocks} blocks behind; the limit is ${MAX_CATCH_UP}`, { blocks: `${blocks}` })
  }
}
