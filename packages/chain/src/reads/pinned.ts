// The block that a read names. Nodes differ in which of them they can read: by hash, by number, or only their
// newest one.

import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { ExactPartial, RpcStateOverride, RpcTransactionRequest } from 'viem'
import { type Client, profilesOf } from '../transport/client.js'
import { memoryOf } from '../transport/memory.js'
import { isPassing, isTooLarge, rpcErrorOf } from '../transport/rpcErrors.js'
import { BATCH_GAS, type BatchSize } from './batchSize.js'
import type { BlockSeen } from './call.js'
import type { Header } from './headers.js'
import type { CallTerms } from './payingCalls.js'

/** How a read names its block. */
type Pin = 'hash' | 'number' | 'latest'
/** The block parameter of a request. */
export type Place = { readonly blockHash: Hex } | Hex | 'latest'
/** The terms of a reader's requests. */
export type Reading = {
  readonly client: Client
  readonly terms: CallTerms
  readonly at: (pin: Pin) => Place
  readonly size: BatchSize
  /** A refusal is then the call's own. */
  readonly isPinKnown?: true
  pin: Pin
}

const noPin = (): { last?: Pin } => ({})

/** The pin that worked last at a client. */
export function lastPin(client: Client): Pin | undefined {
  return memoryOf(client, noPin).last
}

/** The block parameter of a read of a header's block. */
export function placeOf(header: Pick<Header, 'number' | 'hash'> | 'latest', pin: Pin): Place {
  if (header === 'latest' || pin === 'latest') return 'latest'
  return pin === 'hash' ? { blockHash: header.hash } : `0x${header.number.toString(16)}`
}

/** The parameters of an `eth_call` on these terms. */
export function callParams(
  call: { readonly to?: Address; readonly data: Hex },
  place: Place,
  { sender, overrides }: CallTerms,
):
  | [ExactPartial<RpcTransactionRequest>, Place]
  | [ExactPartial<RpcTransactionRequest>, Place, RpcStateOverride] {
  const asked = { ...call, gas: BATCH_GAS, ...sender }
  return overrides ? [asked, place, overrides] : [asked, place]
}

/** Returns false if every endpoint is known to answer calls from its newest state alone. */
export function isPinned(client: Client): boolean {
  const profiles = profilesOf(client)
  return profiles.length === 0 || profiles.some(({ pastState }) => pastState === 'pinned')
}

/**
 * Tries the strictest block pin that has worked so far, then weaker ones if the node refuses it.
 */
export async function readPinned<T>(
  reading: Reading,
  readAt: (place: Place) => Promise<T>,
): Promise<T> {
  const all: readonly Pin[] = ['hash', 'number', 'latest']
  const first = all.indexOf(reading.pin)
  let refusal: unknown
  for (const pin of all.slice(first, reading.isPinKnown ? first + 1 : undefined)) {
    try {
      const answer = await readAt(reading.at(pin))
      reading.pin = pin
      memoryOf(reading.client, noPin).last = pin
      return answer
    } catch (error) {
      // A busy node or a request that is too large says nothing about the pin.
      if (!rpcErrorOf(error) || isPassing(error) || isTooLarge(error)) throw error
      refusal ??= error
    }
  }
  throw refusal
}

/** The block that reports its number, its parent's hash and its time. */
export function seenIn([number, parentHash, timestamp]: readonly bigint[]): BlockSeen {
  // A string of its own: a part of the answer would keep the whole answer in memory.
  return { number: number!, parentHash: toHex(parentHash!, 32), timestamp: timestamp! }
}
