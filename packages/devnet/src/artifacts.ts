import { createRequire } from 'node:module'
import type { Hex } from '@braid-swap/core'

const load = createRequire(import.meta.url)

/** Creation code of each third-party contract, from its own npm package, unmodified. */
export const creationCode = {
  uniswapV2Factory: () => truffle('@uniswap/v2-core/build/UniswapV2Factory.json'),
  uniswapV2Router: () => truffle('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
  uniswapV3Factory: () => v3('core', 'UniswapV3Factory'),
  positionManager: () => v3('periphery', 'NonfungiblePositionManager'),
  uniswapV3Router: () => v3('periphery', 'SwapRouter'),
  uniswapV3Quoter: () => v3('periphery', 'lens/QuoterV2'),
} as const satisfies Record<string, () => Hex>

/** Runtime code of canonical-weth, which the wrapped native token runs. */
export function wrappedNativeCode(): Hex {
  return load('canonical-weth/build/contracts/WETH9.json').deployedBytecode
}

/** Creation code of Multicall3, which viem carries for deployless calls but does not export. */
export function multicall3Code(): Hex {
  return createRequire(load.resolve('viem'))('./constants/contracts.js').multicall3Bytecode
}

function truffle(path: string): Hex {
  return `0x${load(path).evm.bytecode.object}`
}

function v3(part: 'core' | 'periphery', name: string): Hex {
  const file = name.split('/').at(-1)
  return load(`@uniswap/v3-${part}/artifacts/contracts/${name}.sol/${file}.json`).bytecode
}
