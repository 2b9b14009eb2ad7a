// Block headers, and chains of headers linked by parent hash: the way to detect reorganisations.

import { BaseError, type Hex } from '@braid-swap/core'
import { keccak256, toRlp, trim } from 'viem'
import type { Client } from '../transport/client.js'

/** A block of the followed chain. */
export type Point = { readonly number: bigint; readonly hash: Hex }

/** The fields of a block header that Braid uses. */
export type Header = {
  readonly number: bigint
  readonly hash: Hex
  readonly parentHash: Hex
  /** Unix seconds. */
  readonly timestamp: bigint
  /** Seconds to the next block; absent if it is one. */
  readonly nextSeconds?: bigint
  readonly gasLimit: bigint
  /** Absent if the node omits it. */
  readonly gasUsed?: bigint
  /** Wei; absent if the chain has no base fee. */
  readonly baseFee?: bigint
  /** Bloom filter of the block's logs; absent unless the hash covers it. */
  readonly logsBloom?: Hex
  /** The fields that the hash covers, in its order; absent if the node omits some. */
  readonly fields?: readonly Hex[]
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
    ...(secondsOf(client) > 1n && { nextSeconds: secondsOf(client) }),
    gasLimit: BigInt(block.gasLimit),
    ...(block.gasUsed != null && { gasUsed: BigInt(block.gasUsed) }),
    ...(block.baseFeePerGas != null && { baseFee: BigInt(block.baseFeePerGas) }),
    ...sealOf(block),
  }
}

/** Whole seconds between the blocks of a client's chain, at least 1. */
export function secondsOf({ chain: { blockTime = 1_000 } }: Pick<Client, 'chain'>): bigint {
  return BigInt(Math.max(1, Math.round(blockTime / 1_000)))
}

/** The fields that every header has, in the order of its hash, and those that later forks appended. */
const FIRST = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot'],
  ...['logsBloom', 'difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData'],
  ...['mixHash', 'nonce'],
] as const
const LATER = [
  ...['baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas'],
  ...['parentBeaconBlockRoot', 'requestsHash'],
] as const
/** Integers, which RLP writes without leading zeros; all other fields are bytes. */
const INTEGERS: ReadonlySet<string> = new Set([
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'],
  ...['baseFeePerGas', 'blobGasUsed', 'excessBlobGas'],
])
const [RECEIPTS_ROOT, LOGS_BLOOM] = [FIRST.indexOf('receiptsRoot'), FIRST.indexOf('logsBloom')]

/** An integer as RLP writes it. */
export function rlpInteger(value: Hex): Hex {
  return /^0x0*$/.test(value) ? '0x' : trim(value)
}

function sealOf(block: object): Pick<Header, 'fields' | 'logsBloom'> {
  const values = new Map<string, unknown>(Object.entries(block))
  const fieldOf = (name: string) => {
    const value = values.get(name)
    if (typeof value !== 'string') return undefined
    return INTEGERS.has(name) ? rlpInteger(value as Hex) : (value.toLowerCase() as Hex)
  }
  const all = [...FIRST, ...LATER].map(fieldOf)
  const missing = all.indexOf(undefined)
  if (missing !== -1 && missing < FIRST.length) return {}
  const fields = all.slice(0, missing === -1 ? all.length : missing) as readonly Hex[]
  const isSealed = keccak256(toRlp(fields)) === values.get('hash')
  return { fields, ...(isSealed && { logsBloom: fields[LOGS_BLOOM]! }) }
}

/**
 * The fields of a header with this root and bloom filter of receipts, if its hash covers them (yellow paper, 4.3). What
 * the node says of the two does not matter: some count the logs of system transactions into the filter.
 */
export function fieldsCovering(
  { fields, hash }: Header,
  { root, bloom }: { readonly root: Hex; readonly bloom: Hex },
): readonly Hex[] | undefined {
  const own = fields?.with(RECEIPTS_ROOT, root).with(LOGS_BLOOM, bloom)
  return own && keccak256(toRlp(own)) === hash ? own : undefined
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
