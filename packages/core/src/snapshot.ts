import type { Address, Hex } from './hex.js'
import type { Pool } from './pools/index.js'

/** The block a snapshot was read at. */
export type Block = {
  readonly number: bigint
  readonly hash: Hex
  /** Unix seconds. */
  readonly timestamp: bigint
  /** Wei per gas that a transaction in the next block pays (`eth_gasPrice`). */
  readonly gasPrice: bigint
  /** Gas limit of an ordinary (small) block. */
  readonly gasLimit: bigint
}

/** A token as far as maths goes; symbols and names are loaded apart and joined at the edge. */
export type Token = { readonly address: Address; readonly decimals: number }

/** The whole market at one block: immutable, plain and JSON-serialisable. */
export type Snapshot = {
  readonly chainId: number
  readonly block: Block
  readonly wrappedNative: Address
  readonly tokens: readonly Token[]
  /** One entry per pool id, the wrapping pool among them. */
  readonly pools: readonly Pool[]
}
