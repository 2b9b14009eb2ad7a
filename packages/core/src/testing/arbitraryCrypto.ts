import fc from 'fast-check'
import { type Address, toHex } from '../hex.js'
import { cryptoInvariantOf, cryptoMeanOf } from '../math/cryptoSwap.js'
import { boundsOf, type CryptoSwapVersion } from '../math/cryptoSwapBounds.js'
import type { CurveCryptoPool } from '../pools/curveCrypto/index.js'

const E10 = 10n ** 10n
const E18 = 10n ** 18n

const anyMovingTwocryptoPool = fc.oneof(anyPool(2, '2.0.0'), anyPool(2, '2.1.0'))

/** Pools of two coins, of both versions, whose A and γ are at rest. */
export const anyTwocryptoPool: fc.Arbitrary<CurveCryptoPool> = anyMovingTwocryptoPool.map(settled)

/** Pools of three coins, whose A and γ are at rest. */
export const anyTricryptoPool: fc.Arbitrary<CurveCryptoPool> = anyPool(3, '2.0.0').map(settled)

/** Pools of two or three coins, whose A and γ move or have moved. */
export const anyMovingCryptoPool: fc.Arbitrary<CurveCryptoPool> = fc.oneof(
  anyMovingTwocryptoPool,
  anyPool(3, '2.0.0'),
)

/** Pools of two or three coins. */
export const anyCurveCryptoPool: fc.Arbitrary<CurveCryptoPool> = fc.oneof(
  anyTwocryptoPool,
  anyTricryptoPool,
  anyMovingCryptoPool,
)

function settled({ ramp: _, quotedAt: __, ...pool }: CurveCryptoPool): CurveCryptoPool {
  return pool
}

/**
 * Pools from a thousand to 10¹⁰ of the common unit, one balance up to eight times another, of any A and
 * γ, at rest or on the move, that have earned nothing to much.
 */
function anyPool(count: 2 | 3, version: CryptoSwapVersion): fc.Arbitrary<CurveCryptoPool> {
  const bounds = boundsOf(count, version)
  const form = fc.record({
    A: anyLogOf(bounds.A.least, bounds.A.most),
    gamma: anyLogOf(bounds.gamma.least, bounds.gamma.most),
  })
  return fc
    .record({
      size: fc.double({ min: 3, max: 10, noNaN: true }),
      coins: fc.array(
        fc.record({
          decimals: fc.constantFrom(6n, 8n, 18n),
          scale: fc.double({ min: -5, max: 5, noNaN: true }),
          tilt: fc.double({ min: 0, max: 3, noNaN: true }),
        }),
        { minLength: count, maxLength: count },
      ),
      form,
      from: form,
      passed: fc.bigInt({ min: 0n, max: 90_000n }),
      midFee: anyLogOf(10n ** 5n, E10 / 50n),
      rise: anyLogOf(1n, 50n),
      feeGamma: anyLogOf(10n ** 12n, E18),
      profit: fc.bigInt({ min: 0n, max: E18 }),
      shared: fc.bigInt({ min: 0n, max: 2n * E18 }),
    })
    .map(({ size, coins, form, from, passed, midFee, rise, feeGamma, profit, shared }) => {
      const precisions = coins.map(({ decimals }) => 10n ** (18n - decimals))
      const priceScales = coins.slice(1).map(({ scale }) => decimal(scale))
      const balances = coins.map(({ tilt }, k) => {
        const value = decimal(size) * decimal(tilt * Math.log10(2))
        const own = k === 0 ? value / E18 : value / priceScales[k - 1]!
        return own / precisions[k]! + 1n
      })
      const xp = balances.map((balance, k) =>
        k === 0 ? balance * precisions[k]! : (balance * precisions[k]! * priceScales[k - 1]!) / E18,
      )
      const ramp = { initialA: from.A, initialGamma: from.gamma, initialTime: 1_000_000n }
      // A pool of other form is empty; none is drawn within these bounds.
      const D = cryptoInvariantOf(xp, { ...form, version }) ?? 0n
      const n = BigInt(count)
      const mean = cryptoMeanOf([D / n, ...priceScales.map((scale) => (D * E18) / (n * scale))])
      const totalSupply = (mean * E18) / (E18 + profit) || 1n
      const virtualPrice = (mean * E18) / totalSupply
      return {
        ...{ family: 'curveCrypto', id: '0x0000000000000000000000000000000000000abc' },
        ...{ venue: 'test-curve', version },
        tokens: coins.map((_, k): Address => toHex(0xc0 + k, 20)),
        ...{ balances, precisions, priceScales, D, ...form },
        ramp: { ...ramp, futureTime: 1_086_400n },
        quotedAt: 1_000_000n + passed,
        ...{ midFee, outFee: midFee * rise < E10 ? midFee * rise : E10, feeGamma },
        ...{ virtualPrice, totalSupply, xcpProfit: E18 + shared, allowedExtraProfit: 10n ** 12n },
      }
    })
}

/** A number with 18 decimals, by its power of ten. */
function decimal(power: number): bigint {
  return BigInt(Math.round(10 ** (power + 6))) * 10n ** 12n
}

/** From `least` to `most`, evenly over its powers of ten. */
function anyLogOf(least: bigint, most: bigint): fc.Arbitrary<bigint> {
  const [from, to] = [Math.log(Number(least)), Math.log(Number(most))]
  return fc.double({ min: from, max: to, noNaN: true }).map((power) => {
    const value = BigInt(Math.round(Math.exp(power)))
    return value < least ? least : value > most ? most : value
  })
}
