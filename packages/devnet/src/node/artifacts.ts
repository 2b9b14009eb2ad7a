import { createRequire } from 'node:module'
import type { Hex } from '@braid-swap/core'
import { keccak256 } from 'viem'

const require = createRequire(import.meta.url)

/** Creation code of third-party contracts from their npm packages, unmodified except one router. */
export const creationCode = {
  uniswapV2Factory: () => solc(require('@uniswap/v2-core/build/UniswapV2Factory.json')),
  uniswapV2Router: () => solc(require('@uniswap/v2-periphery/build/UniswapV2Router02.json')),
  joeFactory: () =>
    hardhat(
      require('@traderjoe-xyz/core/artifacts/contracts/traderjoe/JoeFactory.sol/JoeFactory.json'),
    ),
  joeRouter,
  uniswapV3Factory: () =>
    hardhat(
      require('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
    ),
  positionManager: () =>
    hardhat(
      require('@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json'),
    ),
  uniswapV3Router: () =>
    hardhat(require('@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json')),
  uniswapV3Quoter: () =>
    hardhat(require('@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json')),
  pancakeV3Factory: () =>
    hardhat(
      require('@pancakeswap/v3-core/artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json'),
    ),
  pancakeV3Pool: () =>
    hardhat(
      require('@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json'),
    ),
  algebraFactory: () => algebra('core', 'AlgebraFactory'),
  algebraPoolDeployer: () => algebra('core', 'AlgebraPoolDeployer'),
  algebraAdaptiveFactory: () => algebra('base-plugin', 'BasePluginV1Factory'),
  algebraSlidingFactory: () => algebra('base-plugin', 'BasePluginV2Factory'),
  algebraPositionManager: () => algebra('periphery', 'NonfungiblePositionManager'),
  algebraRouter: () => algebra('periphery', 'SwapRouter'),
  algebraV1Factory: () => algebraV1('AlgebraFactory'),
  algebraV1PoolDeployer: () => algebraV1('AlgebraPoolDeployer'),
  algebraV1Pool: () => algebraV1('AlgebraPool'),
} as const satisfies Record<string, () => Hex>

/** Creation code hash of the pairs on Avalanche; the published router derives addresses from it. */
const JOE_PAIR_HASH = '0bbca9af0511ad1a1da383135cf3a8d2ac620e549ef9f6ae3a4c33c2fed0af91'

/**
 * Trader Joe's router. The pair in the same package has another hash than those on Avalanche, so the
 * router's hash is replaced. Factory and pair are unmodified.
 */
function joeRouter(): Hex {
  const folder = '@traderjoe-xyz/core/artifacts/contracts/traderjoe'
  const pair = hardhat(require(`${folder}/JoePair.sol/JoePair.json`))
  const router = hardhat(require(`${folder}/JoeRouter02.sol/JoeRouter02.json`))
  return router.replace(JOE_PAIR_HASH, keccak256(pair).slice(2)) as Hex
}

/** Runtime code of canonical-weth, used for the wrapped native token. */
export function wrappedNativeCode(): Hex {
  return require('canonical-weth/build/contracts/WETH9.json').deployedBytecode
}

function solc(artifact: { readonly evm: { readonly bytecode: { readonly object: string } } }): Hex {
  return `0x${artifact.evm.bytecode.object}`
}

function algebra(part: 'core' | 'base-plugin' | 'periphery', name: string): Hex {
  const folder = `@cryptoalgebra/integral-${part}/artifacts/contracts`
  return hardhat(require(`${folder}/${name}.sol/${name}.json`))
}

function algebraV1(name: string): Hex {
  return hardhat(require(`@cryptoalgebra/v1-core/artifacts/contracts/${name}.sol/${name}.json`))
}

function hardhat(artifact: { readonly bytecode: Hex }): Hex {
  return artifact.bytecode
}
