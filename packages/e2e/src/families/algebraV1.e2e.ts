import { describeAdaptive } from './differential/adaptiveVenue.js'
import { anyAlgebraV1Move, createAlgebraV1Pools } from './differential/algebraV1Pools.js'
import { algebraV1Spare } from './differential/tickGas.js'

describeAdaptive({
  title: 'Algebra V1, unmodified',
  ...{ family: 'algebraV1', traders: 6, create: createAlgebraV1Pools, anyMove: anyAlgebraV1Move },
  moves: [
    'Swap(address,address,int256,int256,uint160,uint128,int24)',
    'Mint(address,address,int24,int24,uint128,uint256,uint256)',
    'Burn(address,int24,int24,uint128,uint256,uint256)',
    'Fee(uint16)',
    'CommunityFee(uint8,uint8)',
    'FeeConfiguration((uint16,uint16,uint32,uint32,uint16,uint16,uint32,uint16,uint16))',
  ],
  movedBlocks: 180,
  mostSpare: algebraV1Spare,
})
