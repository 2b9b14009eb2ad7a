import type { Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { type CurveCryptoPool, curveCrypto, getAmountOut } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { wordAt } from '../../reads/abiWords.js'
import { type Answers, answering, runLoad, words } from '../../testing/loaderAnswers.js'
import type { LoadErrorCode } from '../loadError.js'
import type { PoolRef } from '../loader.js'
import * as abi from './abi.js'
import { applyLog, load } from './load.js'

const E18 = 10n ** 18n
const ref: PoolRef = {
  ...{ id: toHex(0xabc, 20), family: 'curveCrypto', venue: 'test', factory: toHex(0xf, 20) },
  tokens: [toHex(0xa, 20), toHex(0xb, 20)],
}
const two: CurveCryptoPool = {
  ...{ family: 'curveCrypto', id: ref.id, venue: ref.venue, tokens: ref.tokens },
  ...{ version: '2.1.0', balances: [1_000_000n * E18, 600_000n * 10n ** 6n] },
  ...{
    precisions: [1n, 10n ** 12n],
    priceScales: [2n * E18],
    D: 2_182_614_123_456_789n * 10n ** 9n,
  },
  ...{ A: 20_000_000n, gamma: 10n ** 15n, midFee: 3_000_000n, outFee: 30_000_000n },
  ...{ feeGamma: 5n * 10n ** 15n, virtualPrice: E18, totalSupply: 700_000n * E18 },
  ...{ xcpProfit: E18, allowedExtraProfit: 10n ** 12n },
}
const three: CurveCryptoPool = {
  ...two,
  ...{ version: '2.0.0', tokens: [...ref.tokens, toHex(0xc, 20)], D: 3_000_000n * E18 },
  balances: [1_000_000n * E18, 500_000n * 10n ** 6n, 1_000n * 10n ** 18n],
  ...{ precisions: [1n, 10n ** 12n, 1n], priceScales: [2n * E18, 1_000n * E18], A: 2_700_000n },
}

const textOf = (value: string): Hex => {
  const hex = [...value].map((char) => char.charCodeAt(0).toString(16)).join('')
  return `${words(32, value.length)}${hex.padEnd(64, '0')}` as Hex
}

/** Answers of a pool and of its mathematics, by selector. */
function answersOf(pool: CurveCryptoPool): Answers {
  const packed = (A: bigint, gamma: bigint) => words((A << 128n) | gamma)
  const { ramp } = pool
  const { ramp: _, quotedAt: __, ...settled } = pool
  const view: CurveCryptoPool = { ...settled, virtualPrice: 1n }
  const fee = (data: Hex) =>
    words(
      curveCrypto.feeOf(
        pool,
        pool.tokens.map((_, k) => wordAt(data, k)),
      ),
    )
  return {
    [abi.OF_POOL.A]: words(pool.A),
    [abi.OF_POOL.gamma]: words(pool.gamma),
    [abi.OF_POOL.D]: words(pool.D),
    [abi.OF_POOL.mid_fee]: words(pool.midFee),
    [abi.OF_POOL.out_fee]: words(pool.outFee),
    [abi.OF_POOL.fee_gamma]: words(pool.feeGamma),
    [abi.OF_POOL.virtual_price]: words(pool.virtualPrice),
    [abi.OF_POOL.totalSupply]: words(pool.totalSupply),
    [abi.OF_POOL.xcp_profit]: words(pool.xcpProfit),
    [abi.OF_POOL.allowed_extra_profit]: words(pool.allowedExtraProfit),
    [abi.OF_POOL.initial_A_gamma]: packed(
      ramp?.initialA ?? pool.A,
      ramp?.initialGamma ?? pool.gamma,
    ),
    [abi.OF_POOL.future_A_gamma]: packed(pool.A, pool.gamma),
    [abi.OF_POOL.initial_A_gamma_time]: words(ramp?.initialTime ?? 0n),
    [abi.OF_POOL.future_A_gamma_time]: words(ramp?.futureTime ?? 0n),
    [abi.BALANCES]: (data) => words(pool.balances[Number(wordAt(data, 0))]!),
    [abi.PRECISIONS]: words(...pool.precisions),
    [abi.PRICE_SCALE]: words(pool.priceScales[0]!),
    [abi.PRICE_SCALE_AT]: (data) => words(pool.priceScales[Number(wordAt(data, 0))]!),
    [abi.OF_POOL.MATH]: words(0xdefn),
    [abi.GET_Y]: (data) => {
      const [A, gamma, x, y, D, j] = Array.from({ length: 6 }, (_, k) => wordAt(data, k))
      const form = { A: A!, gamma: gamma!, version: pool.version }
      const asked = { j: Number(j), D: D! }
      const found = curveCrypto.cryptoBalanceOf([x!, y!], asked, form)
      return found ? words(found.y, found.K0) : '0x'
    },
    [abi.VERSION]: textOf(pool.version === '2.0.0' ? 'v2.0.0' : '2.1.0'),
    [abi.FEE_CALC[2]]: fee,
    [abi.FEE_CALC[3]]: fee,
    [abi.SHARE_VALUE]: words(pool.totalSupply === 0n ? 0n : curveCrypto.shareValueOf(pool)),
    [abi.GET_DY]: (data) => {
      const direction = { in: Number(wordAt(data, 0)), out: Number(wordAt(data, 1)) }
      return words(getAmountOut(view, direction, wordAt(data, 2)))
    },
  }
}

function run(answers: Answers, tokens: PoolRef['tokens'] = ref.tokens): CurveCryptoPool {
  return runLoad(load({ ...ref, tokens }), answering(answers))
}

function codeOf(answers: Answers): LoadErrorCode | undefined {
  try {
    run(answers)
  } catch (error) {
    return (error as { readonly code: LoadErrorCode }).code
  }
  return undefined
}

describe('the state of a CryptoSwap pool', () => {
  it('is read of two and of three coins, and with a change of A and γ', () => {
    expect(run(answersOf(two))).toEqual(two)
    expect(run(answersOf(three), three.tokens)).toEqual(three)
    const ramp = { initialA: 10_000_000n, initialGamma: two.gamma, initialTime: 1n, futureTime: 9n }
    expect(run(answersOf({ ...two, ramp, quotedAt: 10n }))).toEqual({ ...two, ramp, quotedAt: 0n })
    const stopped = { ...ramp, initialA: two.A, initialTime: 9n }
    const pool = { ...two, ramp: stopped, quotedAt: 10n }
    expect(run(answersOf(pool))).toEqual({ ...pool, quotedAt: 0n })
  })

  it('is read of an empty pool, which has no fee and no quote', () => {
    const empty = { ...two, balances: [0n, 0n], D: 0n, totalSupply: 0n, virtualPrice: 0n }
    const answers = { ...answersOf(empty), [abi.FEE_CALC[2]]: '0x', [abi.GET_DY]: '0x' } as Answers
    expect(run(answers)).toEqual(empty)
  })

  it('is refused of another version, even with the same functions', () => {
    for (const version of ['2.1.0d', 'v3.0.0', '']) {
      const other = { ...answersOf(two), [abi.VERSION]: textOf(version) }
      const named = { got: `version ${version}`, wanted: 'version 2.0.0, or 2.1.0 of two coins' }
      expect(() => run(other)).toThrow(
        expect.objectContaining({ code: 'POOL_FORM_UNKNOWN', details: { pool: two.id, ...named } }),
      )
    }
  })

  it('has the bounds of the mathematics that it calls, whatever version it states', () => {
    const narrow: CurveCryptoPool = { ...two, version: '2.0.0' }
    for (const text of ['v2.0.0', '2.1.0']) {
      const stated = { [abi.VERSION]: textOf(text) }
      expect(run({ ...answersOf(two), ...stated }).version).toBe('2.1.0')
      expect(run({ ...answersOf(narrow), ...stated }).version).toBe('2.0.0')
    }
    expect(codeOf({ ...answersOf(two), [abi.GET_Y]: '0x' })).toBe('POOL_FORM_UNKNOWN')
  })

  it('is refused with the fee γk / (γk + 1 − k), which other contracts of version 2.1.0 charge', () => {
    const { midFee, outFee, feeGamma } = two
    const fee = (data: Hex) => {
      const [x, y] = [wordAt(data, 0), wordAt(data, 1)]
      const k = (((E18 * 4n * x) / (x + y)) * y) / (x + y)
      const g = (feeGamma * k) / ((feeGamma * k) / E18 + E18 - k)
      return words((midFee * g + outFee * (E18 - g)) / E18)
    }
    expect(codeOf({ ...answersOf(two), [abi.FEE_CALC[2]]: fee })).toBe('POOL_FEE_UNKNOWN')
  })

  it('is refused if a quote, a fee or the value of a share differs from ours by one', () => {
    const answers = answersOf(two)
    const oneMore = (selector: Hex) => ({
      ...answers,
      [selector]: (data: Hex) =>
        words(wordAt((answers[selector] as (data: Hex) => Hex)(data), 0) + 1n),
    })
    expect(codeOf(oneMore(abi.GET_DY))).toBe('POOL_FORM_UNKNOWN')
    expect(codeOf(oneMore(abi.FEE_CALC[2]))).toBe('POOL_FEE_UNKNOWN')
    const worth = wordAt(answers[abi.SHARE_VALUE] as Hex, 0)
    for (const other of [words(worth + 1n), words(worth - 2n), '0x'] as const) {
      expect(codeOf({ ...answers, [abi.SHARE_VALUE]: other })).toBe('POOL_FORM_UNKNOWN')
    }
  })

  it('is refused outside the ranges of the contract', () => {
    const wrong: Answers = { [abi.OF_POOL.future_A_gamma]: words((1n << 128n) | two.gamma) }
    expect(codeOf({ ...answersOf(two), ...wrong })).toBe('POOL_OUT_OF_RANGE')
    expect(codeOf({ ...answersOf(two), [abi.OF_POOL.fee_gamma]: words(0n) })).toBe(
      'POOL_OUT_OF_RANGE',
    )
    expect(codeOf({ ...answersOf(two), [abi.OF_POOL.mid_fee]: words(1n, 2n) })).toBe(
      'POOL_FEE_UNKNOWN',
    )
  })

  it('is read again after each of its logs', () => {
    expect(applyLog(two, { topics: [abi.TOKEN_EXCHANGE], data: '0x' })).toBe('reload')
  })
})
