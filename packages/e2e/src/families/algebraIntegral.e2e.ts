import { describeAdaptive } from './differential/adaptiveVenue.js'
import { anyAlgebraMove } from './differential/algebraIntegralMoves.js'
import { createAlgebraPools } from './differential/algebraIntegralPools.js'
import { algebraIntegralSpare } from './differential/tickGas.js'

describeAdaptive({
  title: 'Algebra Integral, unmodified and with its plugin',
  ...{ family: 'algebraIntegral', traders: 7, create: createAlgebraPools, anyMove: anyAlgebraMove },
  moves: [
    'Swap(address,address,int256,int256,uint160,uint128,int24)',
    'Mint(address,address,int24,int24,uint128,uint256,uint256)',
    'Burn(address,int24,int24,uint128,uint256,uint256)',
    'Fee(uint16)',
    'TickSpacing(int24)',
    'FeeConfiguration((uint16,uint16,uint32,uint32,uint16,uint16,uint16))',
  ],
  movedBlocks: 150,
  mostSpare: algebraIntegralSpare,
})
