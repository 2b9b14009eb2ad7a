import { describeAdaptive } from './differential/adaptiveVenue.js'
import { createAlgebraPools } from './differential/algebraIntegralPools.js'
import { algebraSlidingSpare } from './differential/tickGas.js'

describeAdaptive({
  title: 'Algebra Integral, unmodified and with its sliding fee',
  ...{ family: 'algebraIntegral', traders: 4 },
  create: (bare) => createAlgebraPools(bare, 'sliding'),
  mostSpare: algebraSlidingSpare,
  // The model allows for a full ring buffer, and these pools are young.
  medianOver: 1.4,
})
