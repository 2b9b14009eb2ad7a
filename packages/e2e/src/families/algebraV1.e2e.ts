import { describeAdaptive } from './differential/adaptiveVenue.js'
import { createAlgebraV1Pools } from './differential/algebraV1Pools.js'
import { algebraV1Spare } from './differential/tickGas.js'

describeAdaptive({
  title: 'Algebra V1, unmodified',
  ...{ family: 'algebraV1', traders: 6, create: createAlgebraV1Pools },
  mostSpare: algebraV1Spare,
})
