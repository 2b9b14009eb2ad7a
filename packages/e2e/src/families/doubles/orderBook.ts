// Doubles of HyperCore's precompiles for the best bid and offer, for spot pairs and for tokens. Not the
// real ones, which read the exchange's own state.
import type { Address } from '@braid-swap/core'
import type { Chain } from '@braid-swap/devnet'
import { type Hex, toHex } from 'viem'

const BEST_BID_AND_OFFER: Address = '0x000000000000000000000000000000000000080e'
const SPOT_INFO: Address = '0x000000000000000000000000000000000000080b'
const TOKEN_INFO: Address = '0x000000000000000000000000000000000000080c'

const CODES: readonly (readonly [Address, Hex])[] = [
  // sload(calldataload(0)) as bid << 64 | offer; returns both as words.
  [BEST_BID_AND_OFFER, '0x5f35548060401c5f5267ffffffffffffffff1660205260405ff3'],
  // Returns an empty name and the tokens (calldataload(0), 0): a pair's base token has the pair's number.
  [SPOT_INFO, '0x60205f5260606020525f3560405260a05ff3'],
  // Returns zeros and, as the sixth field of the token, sload(calldataload(0)): its size decimals.
  [TOKEN_INFO, '0x60205f525f355460c0526101605ff3'],
]

/** Puts the doubles in the places of the precompiles. */
export async function deployOrderBook({ client }: Chain): Promise<void> {
  for (const [address, bytecode] of CODES) await client.setCode({ address, bytecode })
}

/** Removes the doubles, so that the chain has no such precompiles. */
export async function removeOrderBook({ client }: Chain): Promise<void> {
  for (const [address] of CODES) await client.setCode({ address, bytecode: '0x' })
}

/** Sets the size decimals of the base token of a pair, by its asset. */
export async function setSizeDecimals(
  { client }: Chain,
  asset: number,
  decimals: number,
): Promise<void> {
  const [index, value] = [asset - 10_000, decimals].map((word) => toHex(word, { size: 32 }))
  await client.setStorageAt({ address: TOKEN_INFO, index: index!, value: value! })
}

/** Sets best bid and offer of an asset; both 0: the book is empty. */
export async function setBook(
  { client }: Chain,
  asset: number,
  { bid, offer }: { readonly bid: bigint; readonly offer: bigint },
): Promise<void> {
  const value = toHex((bid << 64n) | offer, { size: 32 })
  const index = toHex(asset, { size: 32 })
  await client.setStorageAt({ address: BEST_BID_AND_OFFER, index, value })
}
