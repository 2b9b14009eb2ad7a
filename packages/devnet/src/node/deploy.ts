import type { Address, Hex } from '@braid-swap/core'
import { concatHex, toHex } from '@braid-swap/core/advanced'
import { TokenOrderError } from '../errors.js'
import { lower } from './accounts.js'
import type { Chain } from './chain.js'

/** A contract to create. All constructors here take addresses only. */
export type Creation = {
  readonly label: string
  readonly code: Hex
  readonly args: readonly Address[]
  readonly gas: bigint
}

/** Deploys contracts from the deployer in one batch and returns their addresses in order. */
export async function deploy(
  chain: Chain,
  creations: readonly Creation[],
): Promise<readonly Address[]> {
  const receipts = await chain.execute(
    creations.map(({ label, code, args, gas }) => ({
      label: `deploy ${label}`,
      from: chain.deployer,
      data: concatHex(code, ...args.map((address) => toHex(BigInt(address), 32))),
      gas,
    })),
  )
  return receipts.map((receipt) => lower(receipt.contractAddress!))
}

/**
 * The gas limit of every swap sent by the devnet. It is the same for all, because the node drops a
 * sender's later transaction if an earlier one with a larger limit does not fit in a block.
 */
export const SWAP_GAS = 600_000n

/** A deadline that never expires. */
export const NO_DEADLINE = 2n ** 64n

/** Checks the order of a pool's tokens; throws TOKEN_ORDER unless ascending and lower case. */
export function checkTokenOrder([token0, token1]: readonly [Address, Address]): void {
  if (!(token0 < token1) || token0 !== lower(token0) || token1 !== lower(token1)) {
    throw new TokenOrderError({ token0, token1 })
  }
}

/** Two addresses in the order of a pool's tokens. */
export function sortTokens(a: Address, b: Address): readonly [Address, Address] {
  return lower(a) < lower(b) ? [lower(a), lower(b)] : [lower(b), lower(a)]
}
