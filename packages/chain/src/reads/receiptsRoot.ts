// The ordered tries of a block's receipts and transactions (Ethereum yellow paper, 4.3.1 and EIP-2718), to whose roots
// the header's hash ties every log and every call.

import type { Hex } from '@braid-swap/core'
import { bytesToHex, concat, hexToBytes, keccak256, numberToHex, type RpcLog, toRlp } from 'viem'
import { rlpInteger } from './headers.js'

/** The fields of a receipt that the root covers. */
type SealedReceipt = {
  readonly type?: Hex
  readonly status: Hex
  readonly cumulativeGasUsed: Hex
  readonly logsBloom: Hex
  readonly logs: readonly {
    readonly address: Hex
    readonly topics: readonly Hex[]
    readonly data: Hex
  }[]
}

/** A receipt, its logs with their places. */
export type Receipt = SealedReceipt & { readonly logs: readonly RpcLog[] }

/** The root of the trie and the bloom filter of a block with these receipts, in their order. */
export async function rootOfReceipts(
  receipts: readonly Receipt[],
): Promise<{ readonly root: Hex; readonly bloom: Hex }> {
  const trie = await trieOf(receipts.map(encoded))
  const bloom = receipts.reduce((all, { logsBloom }) => all | BigInt(logsBloom), 0n)
  return { root: bytesToHex(trie.root()), bloom: numberToHex(bloom, { size: 256 }) }
}

/** The root of the trie of these values, and its nodes from there to the one at a place. */
export async function proofIn(values: readonly Hex[], index: number) {
  const trie = await trieOf(values)
  const { createMerkleProof } = await import('@ethereumjs/mpt')
  const proof = await createMerkleProof(trie, keyOf(index))
  return { root: bytesToHex(trie.root()), proof: proof.map((node) => bytesToHex(node)) }
}

/** The value to which nodes lead from a root at a place; `undefined` if to none. */
export async function valueIn(
  root: Hex,
  { index, proof }: { readonly index: number; readonly proof: readonly Hex[] },
): Promise<Hex | undefined> {
  if (!proof[0] || keccak256(proof[0]) !== root) return undefined
  const { verifyMerkleProof } = await import('@ethereumjs/mpt')
  const nodes = proof.map((node) => hexToBytes(node))
  const found = await verifyMerkleProof(keyOf(index), nodes).catch(() => null)
  return found === null ? undefined : bytesToHex(found)
}

const keyOf = (index: number) => hexToBytes(toRlp(rlpInteger(numberToHex(index))))

async function trieOf(values: readonly Hex[]) {
  // It is large, and a process that follows no chain needs none.
  const { createMPT } = await import('@ethereumjs/mpt')
  const trie = await createMPT()
  for (const [i, value] of values.entries()) await trie.put(keyOf(i), hexToBytes(value))
  return trie
}

/** A receipt with its type before it, unless it is of the oldest kind. */
export function encoded({ type, status, cumulativeGasUsed, logsBloom, logs }: SealedReceipt): Hex {
  const body = toRlp([
    ...[rlpInteger(status), rlpInteger(cumulativeGasUsed), logsBloom],
    logs.map(({ address, topics, data }) => [address, topics, data]),
  ])
  const kind = Number(type ?? 0)
  return kind === 0 ? body : concat([numberToHex(kind, { size: 1 }), body])
}
