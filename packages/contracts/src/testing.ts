export {
  /** A factory of Camelot's pairs, written by us for tests. */
  camelotFactoryDoubleAbi,
  /** Creation code; the constructor takes nothing. */
  camelotFactoryDoubleBytecode,
} from './generated/camelotFactoryDouble.js'
export {
  /** A registry of Curve Twocrypto and Tricrypto pools, written by us for tests. */
  curveCryptoFactoryDoubleAbi,
  /** Creation code; the constructor takes nothing. */
  curveCryptoFactoryDoubleBytecode,
} from './generated/curveCryptoFactoryDouble.js'
export {
  /** A registry of Curve StableSwap pools, written by us for tests. */
  curveFactoryDoubleAbi,
  /** Creation code; the constructor takes nothing. */
  curveFactoryDoubleBytecode,
} from './generated/curveFactoryDouble.js'
export {
  /** A list of pools priced from outside, written by us for tests. */
  ladderFactoryDoubleAbi,
  /** Creation code; the constructor takes nothing. */
  ladderFactoryDoubleBytecode,
} from './generated/ladderFactoryDouble.js'
export {
  /** A registry of Liquidity Book pairs, written by us for tests. */
  liquidityBookFactoryDoubleAbi,
  /** Creation code; the constructor takes nothing. */
  liquidityBookFactoryDoubleBytecode,
} from './generated/liquidityBookFactoryDouble.js'
export {
  pancakeV3PoolDeployerAbi,
  /** Creation code; the constructor takes a PancakeV3Pool's creation code. */
  pancakeV3PoolDeployerBytecode,
} from './generated/pancakeV3PoolDeployer.js'
export {
  /** Mints, burns and swaps in pools of the Uniswap V3 kind, paid by its caller's approval. */
  poolCallerAbi,
  /** Creation code; the constructor takes nothing. */
  poolCallerBytecode,
} from './generated/poolCaller.js'
export {
  /** A factory of Solidly-style pairs, written by us for tests. */
  solidlyFactoryDoubleAbi,
  /** Creation code; the constructor takes the kind of pair: 0 Solidly, 1 Ramses, 2 Velodrome v2. */
  solidlyFactoryDoubleBytecode,
} from './generated/solidlyFactoryDouble.js'
export {
  /** A staking manager that unstakes at once, written by us for tests. */
  stakingManagerDoubleAbi,
  /** Creation code; the constructor takes the staked token. */
  stakingManagerDoubleBytecode,
} from './generated/stakingManagerDouble.js'
export {
  /** A registry of Valantis Stake Exchange pools, written by us for tests. */
  stexFactoryDoubleAbi,
  /** Creation code; the constructor takes nothing. */
  stexFactoryDoubleBytecode,
} from './generated/stexFactoryDouble.js'
export {
  /** An ERC-20 that anyone may mint; `initialize` sets its name once. */
  testTokenAbi,
  /** Creation code; the constructor takes nothing. */
  testTokenBytecode,
  /** Runtime code, to be placed at any address of a test chain. */
  testTokenDeployedBytecode,
} from './generated/testToken.js'
