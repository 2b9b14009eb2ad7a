// The root of the ordered trie of a block's receipts (Ethereum yellow paper, 4.3.1 and EIP-2718), to which the
// header's hash ties every log.

import type { Hex } from '@braid-swap/core'
import { bytesToHex, concat, hexToBytes, numberToHex, type RpcLog, toRlp } from 'viem'
import { rlpInteger } from './headers.js'

/** The fields of a receipt that the root covers, and its logs with their places. */
export type Receipt = {
  readonly type?: Hex
  readonly status: Hex
  readonly cumulativeGasUsed: Hex
  readonly logsBloom: Hex
  readonly logs: readonly RpcLog[]
}

/** The root of the trie and the bloom filter of a block with these receipts, in their order. */
export async function rootOfReceipts(
  receipts: readonly Receipt[],
): Promise<{ readonly root: Hex; readonly bloom: Hex }> {
  // It is large, and a process that follows no chain needs none.
  const { createMPT } = await import('@ethereumjs/mpt')
  const trie = await createMPT()
  for (const [i, receipt] of receipts.entries()) {
    await trie.put(hexToBytes(toRlp(rlpInteger(numberToHex(i)))), hexToBytes(encoded(receipt)))
  }
  const bloom = receipts.reduce((all, { logsBloom }) => all | BigInt(logsBloom), 0n)
  return { root: bytesToHex(trie.root()), bloom: numberToHex(bloom, { size: 256 }) }
}

/** A receipt with its type before it, unless it is of the oldest kind. */
function encoded({ type, status, cumulativeGasUsed, logsBloom, logs }: Receipt): Hex {
  const body = toRlp([
    ...[rlpInteger(status), rlpInteger(cumulativeGasUsed), logsBloom],
    logs.map(({ address, topics, data }) => [address, topics, data]),
  ])
  const kind = Number(type ?? 0)
  return kind === 0 ? body : concat([numberToHex(kind, { size: 1 }), body])
}
