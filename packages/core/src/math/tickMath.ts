import { TWO_256 } from './fullMath.js'

/** Lowest tick, with √price near 2^-64. TickMath.MIN_TICK */
export const MIN_TICK = -887272
/** Highest tick. TickMath.MAX_TICK */
export const MAX_TICK = 887272
/** √price at {@link MIN_TICK}, X96. TickMath.MIN_SQRT_RATIO */
export const MIN_SQRT_PRICE_X96 = 4295128739n
/** √price at {@link MAX_TICK}, X96. TickMath.MAX_SQRT_RATIO */
export const MAX_SQRT_PRICE_X96 = 1461446703485210103287273052203988822378723970342n

/**
 * √(1.0001^tick) as Q64.96, rounded up from the contract's own Q128.128 product. Throws a
 * RangeError outside [MIN_TICK, MAX_TICK].
 *
 * ratio = Π 1.0001^(-2^i/2) over the set bits i of |tick|, truncated to Q128.128 after every
 * product, and inverted for positive ticks. TickMath.getSqrtRatioAtTick, v3-core@1.0.1
 */
export function getSqrtPriceAtTick(tick: number): bigint {
  if (!Number.isInteger(tick) || tick < MIN_TICK || tick > MAX_TICK) {
    throw new RangeError(`tick ${tick} is outside [${MIN_TICK}, ${MAX_TICK}]`)
  }
  const absTick = Math.abs(tick)
  let ratioX128 = 1n << 128n
  for (let bit = 0; bit < FACTORS_X128.length; bit++) {
    if (absTick & (1 << bit)) ratioX128 = (ratioX128 * FACTORS_X128[bit]!) >> 128n
  }
  if (tick > 0) ratioX128 = (TWO_256 - 1n) / ratioX128
  return (ratioX128 + 0xffffffffn) >> 32n
}

// Pools and blocks share the ticks where a swap can stop, initialised ones and ends of words, so few are kept.
const pricesAtStops = new Map<number, bigint>()

/** {@link getSqrtPriceAtTick} of a tick where a swap can stop, cached. */
export function sqrtPriceAtStop(tick: number): bigint {
  const known = pricesAtStops.get(tick)
  if (known !== undefined) return known
  const sqrtPriceX96 = getSqrtPriceAtTick(tick)
  pricesAtStops.set(tick, sqrtPriceX96)
  return sqrtPriceX96
}

/**
 * The greatest tick whose √price is at most `sqrtPriceX96`. Throws a RangeError outside
 * [MIN_SQRT_PRICE_X96, MAX_SQRT_PRICE_X96). Same result as TickMath.getTickAtSqrtRatio.
 */
export function getTickAtSqrtPrice(sqrtPriceX96: bigint): number {
  if (sqrtPriceX96 < MIN_SQRT_PRICE_X96 || sqrtPriceX96 >= MAX_SQRT_PRICE_X96) {
    throw new RangeError(`sqrtPriceX96 ${sqrtPriceX96} is outside the range of ticks`)
  }
  // The float guess is within one tick of the answer; the exact prices decide.
  const guess = Math.floor((2 * Math.log(Number(sqrtPriceX96) / 2 ** 96)) / Math.log(1.0001))
  let tick = Math.min(MAX_TICK, Math.max(MIN_TICK, guess))
  while (tick > MIN_TICK && getSqrtPriceAtTick(tick) > sqrtPriceX96) tick--
  while (tick < MAX_TICK && getSqrtPriceAtTick(tick + 1) <= sqrtPriceX96) tick++
  return tick
}

// 1.0001^(-2^i / 2) in Q128.128 for i = 0 … 19, as TickMath's constants.
const FACTORS_X128: readonly bigint[] = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
]
