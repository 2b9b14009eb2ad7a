// A double of HyperCore's precompile for the best bid and offer: it returns the two halves of the
// storage word whose slot is the asset. Not the real one, which reads the exchange's own state.
import type { Address } from '@braid-swap/core'
import type { Chain } from '@braid-swap/devnet'
import { toHex } from 'viem'

const PRECOMPILE: Address = '0x000000000000000000000000000000000000080e'
// sload(calldataload(0)) as bid << 64 | offer; returns both as words.
const CODE = '0x5f35548060401c5f5267ffffffffffffffff1660205260405ff3'

/** Puts the double in the place of the precompile. */
export async function deployOrderBook({ client }: Chain): Promise<void> {
  await client.setCode({ address: PRECOMPILE, bytecode: CODE })
}

/** Removes the double, so that the chain has no such precompile. */
export async function removeOrderBook({ client }: Chain): Promise<void> {
  await client.setCode({ address: PRECOMPILE, bytecode: '0x' })
}

/** Sets best bid and offer of an asset; both 0: the book is empty. */
export async function setBook(
  { client }: Chain,
  asset: number,
  { bid, offer }: { readonly bid: bigint; readonly offer: bigint },
): Promise<void> {
  const value = toHex((bid << 64n) | offer, { size: 32 })
  await client.setStorageAt({ address: PRECOMPILE, index: toHex(asset, { size: 32 }), value })
}
