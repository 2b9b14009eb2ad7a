import { describeAdaptive } from './differential/adaptiveVenue.js'
import { anyAlgebraMove } from './differential/algebraIntegralMoves.js'
import { createAlgebraPools } from './differential/algebraIntegralPools.js'

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
  // The model charges each tick crossing as a first crossing, which costs up to 2.1 times as much; the
  // largest ratio in these draws is 2.07.
  mostOverNeed: 2.1,
})
