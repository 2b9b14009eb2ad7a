export type { Account } from './accounts.js'
export {
  type AlgebraIntegral,
  algebraCreateCall,
  algebraMintCall,
  algebraSwapCall,
  deployAlgebraIntegral,
  readAlgebraPool,
} from './algebraIntegral.js'
export {
  type AlgebraV1,
  type AlgebraV1PoolSpec,
  algebraV1PoolCalls,
  algebraV1PoolOf,
  deployAlgebraV1,
} from './algebraV1.js'
export { type Chain, type ChainOptions, startChain } from './chain.js'
export { type ChainClient, createChainClient } from './client.js'
export { sortTokens } from './deploy.js'
export { type Deployment, swapCall } from './deployment.js'
export { type Devnet, type DevnetOptions, startDevnet } from './devnet.js'
export { approveCall, mintCalls } from './erc20.js'
export {
  AnvilStartError,
  ChainDiedError,
  ManualMiningError,
  NoAnvilBinaryError,
  TokenOrderError,
  TransactionRevertedError,
  TransactionStuckError,
  UnknownNameError,
} from './errors.js'
export type { Call, Ledger } from './ledger.js'
export {
  createPancakePool,
  deployPancakeV3,
  type PancakeV3,
  pancakePoolCalls,
} from './pancakeV3.js'
export type { DevnetPool, PoolSwap } from './pool.js'
export { callerSwapCall } from './poolCaller.js'
export { amountsOf, fullRange, type Position, toSqrtPriceX96 } from './position.js'
export { createRandom, type Random } from './random.js'
export { deployRouter } from './setUp.js'
export type { PricedToken } from './tokenList.js'
export { createToken, createTokens, type DevnetToken, type TokenSpec } from './tokens.js'
export {
  createV2Pool,
  deployUniswapV2,
  readV2Pool,
  type UniswapV2,
  type V2Maker,
  type V2PoolSpec,
  v2PoolCalls,
  v2SwapCall,
} from './uniswapV2.js'
export {
  createV3Pool,
  deployUniswapV3,
  type UniswapV3,
  type V3PoolSpec,
  v3PoolCalls,
  v3SwapCall,
} from './uniswapV3.js'
