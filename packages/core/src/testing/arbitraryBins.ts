import fc from 'fast-check'
import { referencesOf, volatilityAt } from '../pools/liquidityBook/fee.js'
import type { Bin, LiquidityBookPool } from '../pools/liquidityBook/pool.js'
import { anyBits, TOKEN_A, TOKEN_B } from './arbitrary.js'

const MIDDLE_ID = 1 << 23
const MAX_FEE = 10n ** 17n

const anyBinReserves = fc.record({
  offset: fc.integer({ min: -30, max: 30 }),
  reserves: fc.tuple(anyBits(0, 104), anyBits(0, 104)),
})

/** Any settings that the factory accepts: at the highest volatility the fee is at most 10 %. */
const anyFee = fc
  .record({
    binStep: fc.oneof(fc.constantFrom(1, 5, 10, 20, 25, 50, 100), fc.integer({ min: 1, max: 200 })),
    baseFactor: fc.bigInt({ min: 0n, max: 20_000n }),
    // With no filter period, a second swap in the same block begins with the fee of the first.
    filterPeriod: fc.bigInt({ min: 1n, max: 600n }),
    decaySeconds: fc.bigInt({ min: 0n, max: 3_495n }),
    reductionFactor: fc.bigInt({ min: 0n, max: 10_000n }),
    variableFeeControl: anyBits(0, 24),
    protocolShare: fc.bigInt({ min: 0n, max: 2_500n }),
    maxVolatilityAccumulator: anyBits(0, 20),
  })
  .map(({ binStep, filterPeriod, decaySeconds, ...fee }) => {
    const step = BigInt(binStep)
    const mostBase = MAX_FEE / (step * 10n ** 10n)
    const baseFactor = fee.baseFactor < mostBase ? fee.baseFactor : mostBase
    const left = (MAX_FEE - baseFactor * step * 10n ** 10n) * 100n
    const mostControl = left / ((fee.maxVolatilityAccumulator * step) ** 2n + 1n)
    const control = fee.variableFeeControl < mostControl ? fee.variableFeeControl : mostControl
    const decayPeriod = filterPeriod + decaySeconds
    const staticFee = { ...fee, baseFactor, filterPeriod, decayPeriod, variableFeeControl: control }
    return { binStep, staticFee }
  })

/** A pair at any price, with up to twelve bins, some seconds after its last swap. */
function anyPairAfter(seconds: fc.Arbitrary<bigint>): fc.Arbitrary<LiquidityBookPool> {
  return fc
    .record({
      fee: anyFee,
      log2Price: fc.integer({ min: -60, max: 60 }),
      bins: fc.array(anyBinReserves, { minLength: 1, maxLength: 12 }),
      referenceOffset: fc.integer({ min: -40, max: 40 }),
      volatilityReference: anyBits(0, 20),
      seconds,
    })
    .map(({ fee, log2Price, bins, referenceOffset, volatilityReference, seconds }) => {
      const { binStep, staticFee } = fee
      const exponent = Math.round((log2Price * Math.LN2) / Math.log1p(binStep / 10_000))
      const activeId = MIDDLE_ID + exponent
      const most = staticFee.maxVolatilityAccumulator
      const pool: LiquidityBookPool = {
        family: 'liquidityBook',
        id: '0x0000000000000000000000000000000000000abc',
        venue: 'test-bins',
        tokens: [TOKEN_A, TOKEN_B],
        ...{ binStep, activeId, bins: binsAround(activeId, bins), staticFee },
        variableFee: {
          volatilityAccumulator: 0n,
          volatilityReference: volatilityReference < most ? volatilityReference : most,
          idReference: activeId + referenceOffset,
          timeOfLastUpdate: 1_700_000_000n,
        },
        quotedAt: 1_700_000_000n + seconds,
      }
      // The state that the last swap left.
      const volatilityAccumulator = volatilityAt(pool, pool.variableFee, activeId)
      return { ...pool, variableFee: { ...pool.variableFee, volatilityAccumulator } }
    })
}

/** Bins below the active one have only token Y, those above it only token X. */
function binsAround(
  activeId: number,
  drawn: readonly { readonly offset: number; readonly reserves: readonly [bigint, bigint] }[],
): readonly Bin[] {
  const bins = new Map<number, Bin>()
  for (const { offset, reserves } of drawn) {
    const [x, y] = [offset < 0 ? 0n : reserves[0], offset > 0 ? 0n : reserves[1]]
    const id = activeId + offset
    if (x > 0n || y > 0n) bins.set(id, { id, reserves: [x, y] })
  }
  return [...bins.values()].sort((a, b) => a.id - b.id)
}

/** A pair at any time: also within the filter period, when the fee may fall from bin to bin. */
export const anyLiquidityBookPool: fc.Arbitrary<LiquidityBookPool> = anyPairAfter(
  fc.bigInt({ min: 0n, max: 5_000n }),
)

/** A pair whose active bin is the reference of its fee, so that the fee only rises. */
export const anyRestedLiquidityBookPool: fc.Arbitrary<LiquidityBookPool> = anyLiquidityBookPool
  .map((pool) => ({
    ...pool,
    variableFee: { ...pool.variableFee, idReference: pool.activeId },
  }))
  .filter((pool) => referencesOf(pool).idReference === pool.activeId)
