import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import {
  applySwap,
  type Bin,
  getAmountOut,
  type LiquidityBookPool,
} from '@braid-swap/core/families'
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { wordAt } from '../../reads/abiWords.js'
import { CLOCK } from '../../reads/clock.js'
import { type Answers, answering, words } from '../../testing/loaderAnswers.js'
import type { LoadErrorCode } from '../loadError.js'
import type { PoolRef } from '../loader.js'
import * as abi from './abi.js'
import { applyLog } from './applyLog.js'
import { load } from './load.js'

const [ACTIVE, NOW, MAX_ID] = [1 << 23, 1_700_000_100n, (1 << 24) - 1]
const ref: PoolRef = {
  ...{ id: toHex(0xabc, 20), family: 'liquidityBook', venue: 'test' },
  tokens: [toHex(0xb, 20), toHex(0xa, 20)],
}
const binAt = (offset: number): Bin => {
  const amount = 10n ** 20n + BigInt(offset + 5_000)
  return { id: ACTIVE + offset, reserves: [offset < 0 ? 0n : amount, offset > 0 ? 0n : amount] }
}
const pair: LiquidityBookPool = {
  ...{ family: 'liquidityBook', id: ref.id, venue: ref.venue },
  tokens: ref.tokens as readonly [Address, Address],
  ...{ binStep: 20, activeId: ACTIVE, quotedAt: 0n },
  // Neighbours, and bins beyond gaps and beyond the first window.
  bins: [-4_000, -33, -32, -31, -2, -1, 0, 1, 3, 64, 900].map(binAt),
  staticFee: {
    ...{ baseFactor: 8_000n, filterPeriod: 30n, decayPeriod: 600n, reductionFactor: 5_000n },
    ...{ variableFeeControl: 20_000n, protocolShare: 1_000n, maxVolatilityAccumulator: 350_000n },
  },
  variableFee: {
    ...{ volatilityAccumulator: 40_001n, volatilityReference: 10_001n },
    ...{ idReference: ACTIVE + 3, timeOfLastUpdate: NOW - 31n },
  },
}

/** The answers of a pair, by selector. */
function answersOf(pool: LiquidityBookPool): Answers {
  const { staticFee, variableFee: memory } = pool
  const reservesOf = (id: number) => pool.bins.find((bin) => bin.id === id)?.reserves ?? [0n, 0n]
  return {
    [abi.BIN_STEP]: words(pool.binStep),
    [abi.ACTIVE_ID]: words(pool.activeId),
    [abi.STATIC_FEE]: words(...Object.values(staticFee)),
    [abi.VARIABLE_FEE]: words(
      ...[memory.volatilityAccumulator, memory.volatilityReference],
      ...[memory.idReference, memory.timeOfLastUpdate],
    ),
    [abi.BIN]: (args) => words(...reservesOf(Number(wordAt(args, 0)))),
    [abi.NEXT_BIN]: (args) => {
      const [isBelow, id] = [wordAt(args, 0) === 1n, Number(wordAt(args, 1))]
      const ids = pool.bins.map((bin) => bin.id)
      const next = isBelow ? ids.findLast((at) => at < id) : ids.find((at) => at > id)
      return words(next ?? (isBelow ? 0 : MAX_ID))
    },
    [CLOCK.data]: words(NOW),
    [abi.SWAP_OUT]: (args) => {
      const direction = wordAt(args, 1) === 1n ? { in: 0, out: 1 } : { in: 1, out: 0 }
      const paid = getAmountOut({ ...pool, quotedAt: NOW }, direction, wordAt(args, 0))
      return words(paid === 0n ? 1 : 0, paid, 0)
    },
  }
}

function run(answers: Answers): { readonly pool: LiquidityBookPool; readonly rounds: number } {
  const answer = answering(answers)
  const reads = load(ref)
  let rounds = 1
  let step = reads.next()
  for (; !step.done; rounds++) step = reads.next(step.value.map(answer))
  return { pool: step.value, rounds }
}

function refused(answers: Answers, code: LoadErrorCode) {
  expect(() => run(answers)).toThrow(expect.objectContaining({ code }))
}

describe('the loader of Liquidity Book pairs', () => {
  it('finds every bin, over gaps and windows, and the fee’s memory', () => {
    const { pool, rounds } = run(answersOf(pair))
    expect(pool).toEqual(pair)
    expect(rounds).toBeLessThan(10)
  })

  it('refuses a quote that differs by a wei, and hooks', () => {
    const answers = answersOf(pair)
    const quote = answers[abi.SWAP_OUT] as (args: Hex) => Hex
    const off = (args: Hex) => words(0, wordAt(quote(args), 1) + 1n, 0)
    refused({ ...answers, [abi.SWAP_OUT]: off }, 'POOL_FORM_UNKNOWN')
    refused({ ...answers, [abi.HOOKS]: words(1n << 160n) }, 'POOL_FORM_UNKNOWN')
    expect(run({ ...answers, [abi.HOOKS]: words(0n) }).pool).toEqual(pair)
  })

  it('refuses answers of another shape, and a search that does not go outwards', () => {
    const answers = answersOf(pair)
    refused({ ...answers, [abi.STATIC_FEE]: words(1, 2, 3) }, 'POOL_FEE_UNKNOWN')
    refused({ ...answers, [abi.VARIABLE_FEE]: words(1, 2, 3, 4, 5) }, 'POOL_FEE_UNKNOWN')
    refused({ ...answers, [abi.NEXT_BIN]: words(ACTIVE) }, 'POOL_FORM_UNKNOWN')
    refused({ ...answers, [abi.BIN_STEP]: words(0) }, 'POOL_OUT_OF_RANGE')
    refused({ ...answers, [abi.BIN]: words(1n << 128n, 0n) }, 'POOL_OUT_OF_RANGE')
  })

  it('refuses bins with a gap after each of them, in place of reading for ever', () => {
    const answers = answersOf(pair)
    const next = (args: Hex) => {
      const [isBelow, id] = [wordAt(args, 0) === 1n, Number(wordAt(args, 1))]
      return words(isBelow ? id - 1_000 : id + 1_000)
    }
    refused({ ...answers, [abi.NEXT_BIN]: next }, 'POOL_FORM_UNKNOWN')
  })
})

const packed = ([x, y]: readonly [bigint, bigint]): Hex => words(x | (y << 128n))

/** The logs of a swap, bin by bin, with the volatility that each bin reports. */
function logsOf(before: LiquidityBookPool, after: LiquidityBookPool) {
  const touched = after.bins.filter(
    ({ reserves }, k) => String(reserves) !== String(before.bins[k]!.reserves),
  )
  return touched.reverse().map(({ id, reserves: [x, y] }) => {
    const [x0, y0] = before.bins.find((bin) => bin.id === id)!.reserves
    const distance = BigInt(Math.abs(id - after.variableFee.idReference))
    const volatility = after.variableFee.volatilityReference + distance * 10_000n
    return {
      topics: [abi.PAIR_TOPICS[0]!, words(1), words(2)],
      data: words(...[BigInt(id), (x - x0) | 0n, (y0 - y) << 128n, volatility, 0n, 0n]),
      timestamp: NOW,
    }
  })
}

describe('the logs of a Liquidity Book pair', () => {
  const sold = 25n * 10n ** 19n
  const after = applySwap({ ...pair, quotedAt: NOW }, { in: 0, out: 1 }, sold)
  const logs = logsOf(pair, after)

  it('of a swap over three bins give the state after it', () => {
    expect(logs).toHaveLength(3)
    const followed = logs.reduce<LiquidityBookPool | 'reload'>(
      (pool, log) => (pool === 'reload' ? pool : applyLog(pool, log)),
      pair,
    )
    expect(followed).toEqual({ ...after, quotedAt: pair.quotedAt })
  })

  it('reload the pair if the volatility is not ours, or the time unknown', () => {
    const [first] = logs
    const { timestamp: _, ...untimed } = first!
    expect(applyLog(pair, untimed)).toBe('reload')
    expect(applyLog(pair, { ...first!, timestamp: NOW - 30n })).toBe('reload')
    const unfiltered = { ...pair, staticFee: { ...pair.staticFee, filterPeriod: 0n } }
    expect(applyLog(unfiltered, first!)).toBe('reload')
  })

  it('of liquidity change the bins, create them and remove them', () => {
    const log = (
      topic: Hex,
      ids: readonly number[],
      amounts: readonly (readonly [bigint, bigint])[],
    ) => ({
      topics: [topic, words(1), words(2)],
      data: encodeAbiParameters(parseAbiParameters('uint256[], bytes32[]'), [
        ids.map(BigInt),
        amounts.map(packed),
      ]),
    })
    const [, deposited, withdrawn] = abi.PAIR_TOPICS as [Hex, Hex, Hex]
    const more = applyLog(
      pair,
      log(
        deposited,
        [ACTIVE + 2, ACTIVE],
        [
          [7n, 0n],
          [1n, 2n],
        ],
      ),
    )
    const [x, y] = binAt(0).reserves
    expect(more).toMatchObject({
      bins: expect.arrayContaining([
        { id: ACTIVE + 2, reserves: [7n, 0n] },
        { id: ACTIVE, reserves: [x + 1n, y + 2n] },
      ]),
    })
    const back = log(
      withdrawn,
      [ACTIVE, ACTIVE + 2],
      [
        [1n, 2n],
        [7n, 0n],
      ],
    )
    expect(applyLog(more as LiquidityBookPool, back)).toEqual(pair)
    expect(applyLog(pair, back)).toBe('reload')
    expect(applyLog(pair, { topics: [words(7)], data: '0x' })).toBe('reload')
  })
})
