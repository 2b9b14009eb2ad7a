export type { PricedToken } from './chains/tokenList.js'
export { type Devnet, type DevnetOptions, SMALL_BLOCK_GAS, startDevnet } from './devnet.js'
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
export { type Deployment, swapCall } from './market/deployment.js'
export { createRandom, type Random } from './market/random.js'
export { deployRouter } from './market/seedMarket.js'
export { createTokens, type DevnetToken, type TokenSpec } from './market/tokens.js'
export type { Account } from './node/accounts.js'
export { type Chain, type ChainOptions, startChain } from './node/chain.js'
export { type ChainClient, createChainClient } from './node/client.js'
export { sortTokens } from './node/deploy.js'
export { approveCall, mintCalls } from './node/erc20.js'
export type { Call, Ledger } from './node/transactions.js'
export {
  type AlgebraIntegral,
  algebraCreateCall,
  algebraMintCall,
  algebraSwapCall,
  deployAlgebraIntegral,
  readAlgebraPool,
} from './pools/algebraIntegral.js'
export {
  type AlgebraV1,
  type AlgebraV1PoolSpec,
  algebraV1PoolCalls,
  algebraV1PoolOf,
  deployAlgebraV1,
} from './pools/algebraV1.js'
export {
  deployPancakeV3,
  type PancakeV3,
  pancakePoolCalls,
} from './pools/pancakeV3.js'
export type { DevnetPool, PoolSwap } from './pools/pool.js'
export { callerSwapCall } from './pools/poolCaller.js'
export { amountsOf, fullRange, type Position, toSqrtPriceX96 } from './pools/position.js'
export {
  deployUniswapV2,
  readV2Pool,
  type UniswapV2,
  type V2Maker,
  type V2PoolSpec,
  v2PoolCalls,
  v2SwapCall,
} from './pools/uniswapV2.js'
export {
  deployUniswapV3,
  type UniswapV3,
  type V3PoolSpec,
  v3PoolCalls,
  v3SwapCall,
} from './pools/uniswapV3.js'
