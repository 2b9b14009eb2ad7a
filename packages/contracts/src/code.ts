// What the deployed code is, without the bytecode.

import type { Address, Hex } from 'viem'

/** The version of this package's executor, and the pool families that it knows, as core names them. */
export const EXECUTOR = {
  version: 1,
  families: [
    ...['algebraIntegral', 'algebraV1', 'balancerBuffer', 'balancerV2', 'balancerV3', 'camelot'],
    ...['curveCrypto', 'curveStableSwap', 'erc4626', 'instantUnstake', 'ladder', 'liquidityBook'],
    ...['solidly', 'stex', 'uniswapV2', 'uniswapV3', 'uniswapV4'],
  ],
} as const

/** Keccak-256 of the router's deployed code with zeros in the place of its wrapped token. */
export const ROUTER_CODE_HASH: Hex =
  '0x7136133ccad76fd5ac409701b77ad5f3118ba378af2f8835fa2b1f93abd06412'

const WORD_DIGITS = 64

/** Deployed code with each immutable address at every place where the constructor writes it, in lower case. */
export function codeWith(
  code: Hex,
  immutables: readonly (readonly [address: Address, places: readonly number[]])[],
): Hex {
  let filled = code.slice(2).toLowerCase()
  for (const [address, places] of immutables) {
    const word = address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')
    for (const start of places) {
      filled = filled.slice(0, 2 * start) + word + filled.slice(2 * start + word.length)
    }
  }
  return `0x${filled}`
}
