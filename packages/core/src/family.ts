/**
 * What a family of pools is made of, for families written outside: shapes of a state, curves for the
 * solver, and the parts of a hop's bytes. docs/outside-families.md explains how they fit together.
 */
export { concatHex, toHex } from './hex.js'
export { envelopeOf, type Smooth } from './math/envelope.js'
export { hullOf } from './math/hull.js'
export type { Pieces } from './math/pieces.js'
export { type Line, piecesOfLines } from './math/piecewiseLinear.js'
export {
  type Curve,
  type Direction,
  type Family,
  type Measures,
  measureCurve,
  type PoolBase,
  type SwapLayout,
} from './pools/family.js'
export { constantProductCurve, type PairReserves } from './pools/pairCurve.js'
export { hullCurve, piecesCurve } from './pools/piecesCurve.js'
export {
  address,
  faultOfSorting,
  faultOfTokens,
  feePpm,
  firstFault,
  poolFields,
  sampledFields,
  severalTokens,
  timedFields,
  twoTokens,
} from './pools/poolFields.js'
export {
  absent,
  boolean,
  choice,
  type Fault,
  int,
  integer,
  list,
  number,
  optional,
  pair,
  record,
  type Shape,
  text,
  twoOf,
  uint,
  variants,
} from './shape/shape.js'
