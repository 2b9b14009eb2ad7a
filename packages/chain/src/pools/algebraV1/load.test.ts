import type { Hex } from '@braid-swap/core'
import { type AlgebraV1Pool, updateVolumeFee } from '@braid-swap/core/families'
import { expect, it } from 'vitest'
import { callData } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { words } from '../../testing/loaderAnswers.js'
import type { PoolRef } from '../loader.js'
import {
  DATA_STORAGE_OPERATOR,
  DEFAULT_COMMUNITY_FEE,
  FACTORY,
  FEE_CONFIG,
  GLOBAL_STATE,
  LIQUIDITY,
  TICK_TABLE,
  TICKS,
  TIMEPOINTS,
} from './abi.js'
import { load } from './load.js'

const POOL = '0x00000000000000000000000000000000000000a1'
const FACTORY_AT = '0x00000000000000000000000000000000000000fa'
const OPERATOR = '0x00000000000000000000000000000000000000da'
const ref: PoolRef = {
  ...{ id: POOL, family: 'algebraV1', venue: 'test' },
  tokens: [
    '0x00000000000000000000000000000000000000aa',
    '0x00000000000000000000000000000000000000bb',
  ],
}

const [price, tick, fee, index, liquidity, volume] = [1n << 96n, -7, 500, 1, 1_000n, 99n]
const packed =
  price | (BigInt.asUintN(24, BigInt(tick)) << 160n) | (BigInt(fee) << 184n) | (1n << 200n)

/** Answers of a pool of version 1.9 with one position from −300 to 123, and of its contracts. */
function answersOf(changes: Readonly<Record<string, Hex>> = {}): Readonly<Record<string, Hex>> {
  return {
    [`${POOL} ${GLOBAL_STATE}`]: words(price, tick, fee, index, 0, 0, 1),
    [`${POOL} ${LIQUIDITY}`]: words(liquidity),
    [`${POOL} ${DATA_STORAGE_OPERATOR}`]: words(BigInt(OPERATOR)),
    [`${POOL} ${FACTORY}`]: words(BigInt(FACTORY_AT)),
    [`${FACTORY_AT} ${DEFAULT_COMMUNITY_FEE}`]: words(0),
    [`${OPERATOR} ${FEE_CONFIG}`]: words(2900, 12_000, 360, 60_000, 59, 8500, 0, 10, 100),
    [`${POOL} 0x2`]: words(packed | (1n << 232n)),
    [`${POOL} 0x3`]: words((volume << 128n) | liquidity),
    // Bit 212 of row −2 is tick −300, bit 123 of row 0 is tick 123.
    [`${POOL} ${callData(TICK_TABLE, -2)}`]: words(1n << 212n),
    [`${POOL} ${callData(TICK_TABLE, 0)}`]: words(1n << 123n),
    [`${POOL} ${callData(TICKS, -300)}`]: words(liquidity, liquidity, 0, 0, 0, 0, 0, 1),
    [`${POOL} ${callData(TICKS, 123)}`]: words(liquidity, -liquidity, 0, 0, 0, 0, 0, 1),
    [`${OPERATOR} ${callData(TIMEPOINTS, 0)}`]: words(1, 900, 0, 0, 0, -7, 0),
    [`${OPERATOR} ${callData(TIMEPOINTS, 1)}`]: words(1, 1000, -700, 0, 33, -6, 44),
    ...changes,
  }
}

/** Runs the load on these answers; any other read returns 0. */
function run(answers: Readonly<Record<string, Hex>>): AlgebraV1Pool {
  const answer = ({ to, data }: Call) => answers[`${to} ${data}`] ?? words(0, 0, 0, 0, 0, 0, 0)
  const loading = load(ref)
  let step = loading.next()
  while (!step.done) step = loading.next(step.value.map(answer))
  return step.value
}

it('reads one bit per tick for a factory of 1.9, and the volume from its slot', () => {
  expect(run(answersOf())).toMatchObject({
    ...{ ticksPerBit: 1, feePpm: fee, sqrtPriceX96: price, tick, liquidity },
    ticks: [
      { index: -300, liquidityNet: liquidity },
      { index: 123, liquidityNet: -liquidity },
    ],
    oracle: {
      ...{ averageTick: -6, volumePerLiquidityX64: volume },
      timepoints: [{ timestamp: 900 }, { timestamp: 1000, volumePerLiquidityCumulative: 44n }],
    },
  })
})

it('orders fields like a followed pool, so that both have the same JSON and id', () => {
  const pool = run(answersOf())
  const written = updateVolumeFee({ ...pool, quotedAt: 2_000n })
  expect(written.oracle.timepoints).not.toEqual(pool.oracle.timepoints)
  expect(Object.keys(written)).toEqual(Object.keys(pool))
  expect(Object.keys(written.oracle)).toEqual(Object.keys(pool.oracle))
  const timepoints = [pool, written].map(({ oracle }) => Object.keys(oracle.timepoints.at(-1)!))
  expect(timepoints[0]).toEqual(timepoints[1])
})

it.each([
  [60, 100],
  [3_600, 25],
])('reads timepoints %s seconds apart back to a day, or to the first: %s', (seconds, kept) => {
  const count = 100
  const timepoints = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `${OPERATOR} ${callData(TIMEPOINTS, i)}`,
      words(1, 1_000_000 + i * seconds, 0, 0, i, 0, 0),
    ]),
  )
  const last = BigInt(count - 1)
  const pool = run({
    ...answersOf(timepoints),
    [`${POOL} ${GLOBAL_STATE}`]: words(price, tick, fee, last, 0, 0, 1),
    [`${POOL} 0x2`]: words(packed + ((last - 1n) << 200n)),
  })
  const read = pool.oracle.timepoints.map(({ volatilityCumulative }) =>
    Number(volatilityCumulative),
  )
  expect(read).toEqual(Array.from({ length: kept }, (_, i) => count - kept + i))
})

it.each([
  ['rows of 1.9 taken for those of 1.0', { [`${FACTORY_AT} ${DEFAULT_COMMUNITY_FEE}`]: '0x' }],
  ['a fee for each direction', { [`${POOL} ${GLOBAL_STATE}`]: words(price, 0, 1, 2, 3, 4, 5, 1) }],
  ['a state that its slot does not hold', { [`${POOL} 0x2`]: words(packed ^ (1n << 184n)) }],
  ['a liquidity that its slot does not hold', { [`${POOL} 0x3`]: words(liquidity + 1n) }],
  [
    'a liquidity that its ticks do not add up to',
    { [`${POOL} ${callData(TICKS, -300)}`]: words(5, 5) },
  ],
  ['no price yet', { [`${POOL} ${GLOBAL_STATE}`]: words(0, 0, 0, 0, 0, 0, 0) }],
  [
    'a sigmoid without a width',
    { [`${OPERATOR} ${FEE_CONFIG}`]: words(1, 1, 1, 1, 0, 1, 1, 1, 1) },
  ],
] as const)('refuses %s', (_, changes) => {
  expect(() => run(answersOf(changes))).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^POOL_/) }),
  )
})
