/** The compiler settings. `foundry.toml` repeats them; a Foundry test compares the bytecode. */
export const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: {
    '*': {
      '': ['ast'],
      '*': [
        'abi',
        'evm.bytecode.object',
        'evm.deployedBytecode.object',
        'evm.deployedBytecode.immutableReferences',
      ],
    },
  },
}

/** The contracts whose ABI and bytecode are published: contract name by source file. */
export const CONTRACTS = {
  'src/Router.sol': 'Router',
  'src/Executor.sol': 'Executor',
  'src/asking/PoolAsker.sol': 'PoolAsker',
  'src/testing/PancakeV3PoolDeployer.sol': 'PancakeV3PoolDeployer',
  'src/testing/PoolCaller.sol': 'PoolCaller',
  'src/testing/TestToken.sol': 'TestToken',
  'src/testing/SolidlyDouble.sol': 'SolidlyFactoryDouble',
  'src/testing/CamelotDouble.sol': 'CamelotFactoryDouble',
  'src/testing/LadderDouble.sol': 'LadderFactoryDouble',
  'src/testing/StexDouble.sol': 'StexFactoryDouble',
  'src/testing/StakingManagerDouble.sol': 'StakingManagerDouble',
  'src/testing/CurveStableSwapDouble.sol': 'CurveFactoryDouble',
  'src/testing/CurveCryptoDouble.sol': 'CurveCryptoFactoryDouble',
  'src/testing/LiquidityBookDouble.sol': 'LiquidityBookFactoryDouble',
}
