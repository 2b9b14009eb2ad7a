/** Curve's pools of volatile coins: Twocrypto-NG of two, Tricrypto-NG of three. */

export { cryptoBalanceOf } from '../../math/cryptoSwap.js'
export { boundsOf } from '../../math/cryptoSwapBounds.js'
export { feeRate, toCurve } from './curve.js'
export { applySwap, feeOf, getAmountOut, isEmpty, scaledBalances, shareValueOf } from './exact.js'
export type { CryptoRamp, CurveCryptoPool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
