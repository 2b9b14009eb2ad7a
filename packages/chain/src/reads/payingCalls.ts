// Calls that code cannot tell from transactions by what they pay: somebody sends them, gas has the block's price, and
// the block has its base fee, which nodes leave out of calls without a price.

import { randomBytes } from 'node:crypto'
import type { Address, Hex } from '@braid-swap/core'
import { txFeesOf } from '@braid-swap/core/advanced'
import { numberToHex, type RpcStateOverride } from 'viem'
import { type Client, mayOverride, profilesOf } from '../transport/client.js'
import { MAX_CALL_GAS } from '../transport/profile.js'
import type { Header } from './headers.js'

/** What a reader's calls have beside their data. */
export type CallTerms = {
  readonly sender?: { readonly from: Address } & Readonly<Record<string, Hex>>
  readonly overrides?: RpcStateOverride | undefined
}

export const randomAddress = (): Address => `0x${randomBytes(20).toString('hex')}`

/** The price where a header has none: what matters is that gas costs something. */
const SOME_PRICE = 1_000_000_000n
/** What the sender has beside its gas, in wei: as much as 0.04 to 4 whole native tokens. */
const savings = () => BigInt(`0x${randomBytes(7).toString('hex')}`) * 56n + 4n * 10n ** 16n

/**
 * Terms by which a sender that nobody knows pays the next block's price, by a price or, as often, by a maximum and a tip.
 * Only a state override lets it pay, so where the node takes none, calls stay free.
 */
export function payingTerms(
  client: Client,
  { baseFee = SOME_PRICE }: Pick<Header, 'baseFee'>,
  overrides?: RpcStateOverride,
): CallTerms {
  if (!(overrides ? mayOverride(client) : doesOverride(client))) return { overrides }
  const from = randomAddress()
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = txFeesOf(baseFee, 0n)
  const fees = isHeads()
    ? { gasPrice: numberToHex(gasPrice) }
    : {
        maxFeePerGas: numberToHex(maxFeePerGas),
        maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
      }
  const balance = numberToHex(MAX_CALL_GAS * maxFeePerGas + savings())
  return { sender: { from, ...fees }, overrides: { ...overrides, [from]: { balance } } }
}

/** Of an endpoint without a profile it is not known. */
const doesOverride = (client: Client) => profilesOf(client).length > 0 && mayOverride(client)

const isHeads = () => randomBytes(1)[0]! % 2 === 0
