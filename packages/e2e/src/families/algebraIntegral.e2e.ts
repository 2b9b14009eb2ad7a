import { describeAdaptive } from './differential/adaptiveVenue.js'
import { createAlgebraPools } from './differential/algebraIntegralPools.js'
import { algebraIntegralSpare } from './differential/tickGas.js'

describeAdaptive({
  title: 'Algebra Integral, unmodified and with its plugin',
  ...{ family: 'algebraIntegral', traders: 7, create: createAlgebraPools },
  mostSpare: algebraIntegralSpare,
})
