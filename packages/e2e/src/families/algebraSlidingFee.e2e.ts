import { describeAdaptive } from './differential/adaptiveVenue.js'
import { anyAlgebraMove } from './differential/algebraIntegralMoves.js'
import { createAlgebraPools } from './differential/algebraIntegralPools.js'
import { algebraSlidingSpare } from './differential/tickGas.js'

describeAdaptive({
  title: 'Algebra Integral, unmodified and with its sliding fee',
  ...{ family: 'algebraIntegral', traders: 4, anyMove: anyAlgebraMove },
  create: (bare) => createAlgebraPools(bare, 'sliding'),
  moves: [
    'Swap(address,address,int256,int256,uint160,uint128,int24)',
    'SwapFee(address,uint24,uint24)',
    'Mint(address,address,int24,int24,uint128,uint256,uint256)',
    'BaseFee(uint16)',
    'PriceChangeFactor(uint256)',
  ],
  movedBlocks: 150,
  mostSpare: algebraSlidingSpare,
  // The model allows for a full ring buffer, and these pools are young.
  medianOver: 1.4,
})
