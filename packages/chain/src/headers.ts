import { BaseError, type Hex } from '@braid-swap/core'
import type { Client } from './client.js'

/** What we keep of a block header. */
export type Header = {
  readonly number: bigint
  readonly hash: Hex
  readonly parentHash: Hex
  /** Unix seconds. */
  readonly timestamp: bigint
  readonly gasLimit: bigint
  /** Wei; absent where the chain has none. */
  readonly baseFee?: bigint
  /** What the block's logs add up to; absent where the node does not tell. */
  readonly logsBloom?: Hex
}

/**
 * The header of a block by number, or of the newest; throws a BlockUnavailableError if there is none,
 * or the node answers with another.
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
    ...(block.baseFeePerGas != null && { baseFee: BigInt(block.baseFeePerGas) }),
    ...(block.logsBloom != null && { logsBloom: block.logsBloom.toLowerCase() as Hex }),
  }
}

/** The node does not have a block it was asked for. */
export class BlockUnavailableError extends BaseError {
  readonly code = 'BLOCK_UNAVAILABLE'

  constructor(block: bigint | string) {
    super(`the node has no block ${block}`, { block: `${block}` })
  }
}

/** Blocks caught up with at most; what is further behind is loaded afresh instead. */
export const MAX_CATCH_UP = 10_000n

/** Blocks whose headers are read one by one; of a longer stretch, the newest. */
export const LINKED = 64n

/**
 * The headers after `from` up to `target`, oldest first, each the parent of the next; of a stretch
 * longer than {@link LINKED} only the newest, after a look whether `from` is still on the chain.
 * Throws a NotContinuousError where they do not connect, a TooFarBehindError past
 * {@link MAX_CATCH_UP}.
 */
export async function headersBetween(
  client: Client,
  from: { readonly number: bigint; readonly hash: Hex },
  target: Header,
): Promise<readonly Header[]> {
  const count = target.number - from.number
  if (count > MAX_CATCH_UP) throw new TooFarBehindError(count)
  const first = count > LINKED ? target.number - LINKED + 1n : from.number + 1n
  const numbers = Array.from({ length: Math.max(0, Number(target.number - first)) }, (_, i) => i)
  const [base, ...between] = await Promise.all([
    count > LINKED ? readHeader(client, from.number) : from,
    ...numbers.map((i) => readHeader(client, first + BigInt(i))),
  ])
  const headers = [...between, target]
  if (base.hash !== from.hash) throw new NotContinuousError(headers[0]!)
  let parent = count > LINKED ? headers[0]!.parentHash : from.hash
  for (const header of headers) {
    if (header.parentHash !== parent) throw new NotContinuousError(header)
    parent = header.hash
  }
  return headers
}

/** Whether these blocks are still the chain's. */
export async function areOnChain(
  client: Client,
  blocks: readonly { readonly number: bigint; readonly hash: Hex }[],
): Promise<boolean> {
  const headers = await Promise.all(blocks.map(({ number }) => readHeader(client, number)))
  return headers.every(({ hash }, i) => hash === blocks[i]!.hash)
}

/** A block's parent is not the block before it: the chain was reorganised. */
export class NotContinuousError extends BaseError {
  readonly code = 'NOT_CONTINUOUS'

  constructor({ number, parentHash }: Header) {
    super(`block ${number} has another parent than the block before it: ${parentHash}`, {
      block: `${number}`,
      parentHash,
    })
  }
}

/** More blocks went by than are worth following one by one. */
export class TooFarBehindError extends BaseError {
  readonly code = 'TOO_FAR_BEHIND'

  constructor(blocks: bigint) {
    super(`${blocks} blocks behind, at most ${MAX_CATCH_UP} are followed`, { blocks: `${blocks}` })
  }
}
