import fc from 'fast-check'
import { NATIVE } from '../../hex.js'
import { anyBits, TOKEN_A } from '../../testing/arbitrary.js'
import { describeConformance } from '../../testing/conformance.js'
import * as wrap from './index.js'

const pool: wrap.WrapPool = {
  ...{ family: 'wrap', id: TOKEN_A, venue: 'test', tokens: [NATIVE, TOKEN_A] },
}

// 1:1, so only the float of an amount above 2⁵³ is rounded.
describeConformance('wrap', wrap, fc.constant(pool), anyBits(1, 120), {
  relative: 2 ** -52,
  wei: () => 0,
})
