/**
 * Every answer that determines a fee, one word longer and one byte shorter than in known contracts.
 * Such a pool may have another rule, so its fee is unknown, whatever its current fee is.
 */
import type { Hex, Pool } from '@braid-swap/core'
import { concatHex, toHex } from '@braid-swap/core/advanced'
import { getSqrtPriceAtTick } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { callData } from '../reads/abiWords.js'
import type { Call } from '../reads/call.js'
import { CLOCK } from '../reads/clock.js'
import { words } from '../testing/loaderAnswers.js'
import * as integralAbi from './algebraIntegral/abi.js'
import { load as loadIntegral } from './algebraIntegral/load.js'
import * as v1Abi from './algebraV1/abi.js'
import { load as loadV1 } from './algebraV1/load.js'
import * as camelotAbi from './camelot/abi.js'
import { load as loadCamelot } from './camelot/load.js'
import { BASE_PLUGIN_V1, BASE_PLUGIN_V2 } from './knownModules.js'
import type { Load, PoolRef } from './loader.js'
import * as solidlyAbi from './solidly/abi.js'
import { load as loadSolidly } from './solidly/load.js'
import * as v3Abi from './uniswapV3/abi.js'
import { load as loadV3 } from './uniswapV3/load.js'

const POOL = '0x00000000000000000000000000000000000000a1'
const FACTORY = '0x00000000000000000000000000000000000000fa'
const MODULE = '0x00000000000000000000000000000000000000da'
const PRICE = getSqrtPriceAtTick(7)

type Answers = Readonly<Record<string, Hex>>
type Case = {
  readonly title: string
  readonly load: (ref: PoolRef) => Load<Pool>
  readonly ref: Partial<PoolRef>
  readonly answers: Answers
  /** The answers that determine the fee. */
  readonly ofFee: readonly string[]
}

/** Runs a load on answers by `to data`; other calls fail if they may, or return 0. */
function run({ load, ref, answers }: Pick<Case, 'load' | 'ref' | 'answers'>): Pool {
  const whole: PoolRef = {
    ...{ id: POOL, family: 'uniswapV3', venue: 'test', factory: FACTORY },
    tokens: [
      '0x00000000000000000000000000000000000000aa',
      '0x00000000000000000000000000000000000000bb',
    ],
    ...ref,
  }
  const loading = load(whole)
  let step = loading.next()
  const answer = ({ to, data, mayFail }: Call) =>
    answers[`${to} ${data}`] ?? (mayFail ? '0x' : words(0))
  while (!step.done) step = loading.next(step.value.map(answer))
  return step.value
}

const codeOf = (given: Pick<Case, 'load' | 'ref' | 'answers'>) => {
  try {
    run(given)
    return 'loaded'
  } catch (error) {
    return (error as { readonly code?: string }).code
  }
}

const poolOf = (selector: Hex) => `${POOL} ${selector}`
const TIER = `${FACTORY} ${callData(v3Abi.TICK_SPACING_TO_FEE, 50)}`
const CONFIG = `${MODULE} ${callData(v3Abi.DYNAMIC_FEE_CONFIG, BigInt(POOL))}`
const CUSTOM = `${MODULE} ${callData(v3Abi.CUSTOM_FEE, BigInt(POOL))}`
const SCALING = `${MODULE} ${v3Abi.DEFAULT_SCALING_FACTOR}`
const CAP = `${MODULE} ${v3Abi.DEFAULT_FEE_CAP}`
const SECONDS = `${MODULE} ${v3Abi.SECONDS_AGO}`

const v3 = {
  [poolOf(v3Abi.SLOT0)]: words(PRICE, 7, 0, 1, 1, 1),
  [poolOf(v3Abi.TICK_SPACING)]: words(50),
  [poolOf(v3Abi.FEE)]: words(500),
}
/** The code of a module that only its venue knows. */
const OWN_CODE = toHex(0xc0de, 32)
const CODE: string = `${MODULE} 0x`
const slipstream = {
  ...v3,
  [CODE]: OWN_CODE,
  [poolOf(v3Abi.FACTORY)]: words(BigInt(FACTORY)),
  [`${FACTORY} ${v3Abi.SWAP_FEE_MODULE}`]: words(BigInt(MODULE)),
  [TIER]: words(500),
  [`${CLOCK.to} ${CLOCK.data}`]: words(1_000),
}
const moving = {
  ...slipstream,
  [CONFIG]: words(0, 0, 0),
  [CUSTOM]: words(0),
  [SCALING]: words(0),
  [CAP]: words(40_000),
  [SECONDS]: words(2),
  [poolOf(callData(v3Abi.OBSERVATIONS, 0))]: words(900, 0, 0, 1),
}
const ofFactory = [poolOf(v3Abi.FEE), poolOf(v3Abi.FACTORY), TIER]
const wordsOfMoving = [CONFIG, SCALING, CAP, SECONDS]
const swapFeeModule = { feeSource: 'swapFeeModule', modules: [OWN_CODE] } as const

const integralState = poolOf(integralAbi.GLOBAL_STATE)
const plugin = (selector: Hex) => `${MODULE} ${selector}`
const v1Timepoint = plugin(callData(v1Abi.TIMEPOINTS, 0))
// Price, tick, fee and index of the newest timepoint, from the lowest bit on.
const v1Slot = PRICE | (7n << 160n) | (500n << 184n)

const sliding = {
  [integralState]: words(PRICE, 7, 500, 1 | 64 | 128, 0, 1),
  [poolOf(integralAbi.PLUGIN)]: words(BigInt(MODULE)),
  [plugin(integralAbi.DEFAULT_PLUGIN_CONFIG)]: words(1 | 2 | 64 | 128),
  [plugin(integralAbi.IS_INITIALIZED)]: words(1),
  [plugin(integralAbi.TIMEPOINT_INDEX)]: words(0),
  [CODE]: BASE_PLUGIN_V2,
  [plugin(integralAbi.FEE_FACTORS)]: words(1n << 95n, 3n << 95n),
  [plugin(integralAbi.BASE_FEE)]: words(500),
  [plugin(integralAbi.PRICE_CHANGE_FACTOR)]: words(1_000),
  [plugin(callData(integralAbi.TIMEPOINTS, 0))]: words(1, 900, 0, 0, -7, 7, 0),
}

const cases: readonly Case[] = [
  {
    ...{ title: 'uniswapV3', load: loadV3, ref: {}, answers: v3 },
    ofFee: [poolOf(v3Abi.FEE)],
  },
  {
    ...{ title: 'uniswapV3 of Ramses', load: loadV3, ref: { feeSource: 'currentFee' } },
    answers: { ...v3, [poolOf(v3Abi.CURRENT_FEE)]: words(700) },
    ofFee: [poolOf(v3Abi.CURRENT_FEE)],
  },
  {
    ...{ title: 'uniswapV3 of Slipstream, no module', load: loadV3, ref: swapFeeModule },
    answers: { ...slipstream, [`${FACTORY} ${v3Abi.SWAP_FEE_MODULE}`]: words(0) },
    ofFee: [...ofFactory, `${FACTORY} ${v3Abi.SWAP_FEE_MODULE}`],
  },
  {
    ...{ title: 'uniswapV3 of Slipstream, a fee that is set', load: loadV3, ref: swapFeeModule },
    answers: { ...slipstream, [CUSTOM]: words(500) },
    ofFee: [...ofFactory, CUSTOM],
  },
  {
    ...{ title: 'uniswapV3 of Slipstream, a moving fee', load: loadV3, ref: swapFeeModule },
    answers: moving,
    ofFee: [
      ...[...ofFactory, ...wordsOfMoving, CUSTOM, poolOf(v3Abi.SLOT0)],
      poolOf(callData(v3Abi.OBSERVATIONS, 0)),
    ],
  },
  {
    ...{ title: 'solidly', load: loadSolidly, ref: {} },
    answers: {
      [poolOf(solidlyAbi.METADATA)]: words(1, 1, 9, 9, 0, 1, 2),
      [`${FACTORY} ${callData(solidlyAbi.GET_FEE, BigInt(POOL), 0)}`]: words(18),
    },
    ofFee: [`${FACTORY} ${callData(solidlyAbi.GET_FEE, BigInt(POOL), 0)}`],
  },
  {
    ...{ title: 'solidly of Ramses', load: loadSolidly, ref: { variant: 'ramses' } },
    answers: {
      [poolOf(solidlyAbi.METADATA)]: words(1, 1, 9, 9, 0, 1, 2),
      [poolOf(solidlyAbi.PAIR_FEE)]: words(3_000),
    },
    ofFee: [poolOf(solidlyAbi.PAIR_FEE)],
  },
  {
    ...{ title: 'camelot', load: loadCamelot, ref: {} },
    answers: {
      [poolOf(camelotAbi.GET_RESERVES)]: words(9, 9, 300, 300),
      [poolOf(camelotAbi.FEE_DENOMINATOR)]: words(100_000),
      [poolOf(camelotAbi.PRECISION_MULTIPLIERS[0])]: words(1),
      [poolOf(camelotAbi.PRECISION_MULTIPLIERS[1])]: words(1),
      [`${FACTORY} ${camelotAbi.FEE_INFO}`]: words(0, 0),
    },
    ofFee: [
      ...[poolOf(camelotAbi.GET_RESERVES), poolOf(camelotAbi.FEE_DENOMINATOR)],
      `${FACTORY} ${camelotAbi.FEE_INFO}`,
    ],
  },
  {
    ...{ title: 'algebraIntegral', load: loadIntegral, ref: {} },
    answers: {
      [integralState]: words(PRICE, 7, 500, 1 | 64 | 128, 0, 1),
      [CODE]: BASE_PLUGIN_V1,
      [poolOf(integralAbi.PLUGIN)]: words(BigInt(MODULE)),
      [plugin(integralAbi.DEFAULT_PLUGIN_CONFIG)]: words(1 | 64 | 128),
      [plugin(integralAbi.IS_INITIALIZED)]: words(1),
      [plugin(integralAbi.FEE_CONFIG)]: words(2900, 12_000, 360, 60_000, 59, 8500, 100),
      [plugin(integralAbi.TIMEPOINT_INDEX)]: words(0),
      [plugin(callData(integralAbi.TIMEPOINTS, 0))]: words(1, 900, 0, 0, 7, 7, 0),
    },
    ofFee: [
      ...[integralState, plugin(integralAbi.DEFAULT_PLUGIN_CONFIG)],
      ...[plugin(integralAbi.FEE_CONFIG), plugin(integralAbi.TIMEPOINT_INDEX)],
      ...[plugin(integralAbi.IS_INITIALIZED), plugin(callData(integralAbi.TIMEPOINTS, 0))],
    ],
  },
  {
    ...{ title: 'algebraIntegral with a sliding fee', load: loadIntegral, ref: {} },
    answers: sliding,
    ofFee: [
      ...[integralState, plugin(integralAbi.DEFAULT_PLUGIN_CONFIG)],
      ...[plugin(integralAbi.FEE_FACTORS), plugin(integralAbi.BASE_FEE)],
      ...[plugin(integralAbi.PRICE_CHANGE_FACTOR), plugin(callData(integralAbi.TIMEPOINTS, 0))],
    ],
  },
  {
    ...{ title: 'algebraV1', load: loadV1, ref: {} },
    answers: {
      [poolOf(v1Abi.GLOBAL_STATE)]: words(PRICE, 7, 500, 0, 0, 0, 1),
      [poolOf(v1Abi.DATA_STORAGE_OPERATOR)]: words(BigInt(MODULE)),
      [poolOf(v1Abi.FACTORY)]: words(BigInt(FACTORY)),
      [`${FACTORY} ${v1Abi.DEFAULT_COMMUNITY_FEE}`]: words(0),
      [plugin(v1Abi.FEE_CONFIG)]: words(2900, 12_000, 360, 60_000, 59, 8500, 0, 10, 100),
      [`${POOL} 0x2`]: words(v1Slot),
      [v1Timepoint]: words(1, 900, 0, 0, 0, 7, 0),
    },
    ofFee: [plugin(v1Abi.FEE_CONFIG), v1Timepoint, `${FACTORY} ${v1Abi.DEFAULT_COMMUNITY_FEE}`],
  },
]

describe.each(cases)('the fee of $title', ({ load, ref, answers, ofFee }) => {
  it('is loaded if every answer has the known length', () => {
    expect(codeOf({ load, ref, answers })).toBe('loaded')
  })

  it.each(ofFee)('is unknown if %s returns one more word', (key) => {
    const longer = { ...answers, [key]: concatHex(answers[key]!, words(0)) }
    expect(codeOf({ load, ref, answers: longer })).toBe('POOL_FEE_UNKNOWN')
  })

  it.each(ofFee)('is unknown if %s ends within a word', (key) => {
    const shorter = { ...answers, [key]: answers[key]!.slice(0, -2) as Hex }
    expect(codeOf({ load, ref, answers: shorter })).toBe('POOL_FEE_UNKNOWN')
  })
})

describe('a Slipstream fee module with a constant fee', () => {
  const still = { load: loadV3, ref: swapFeeModule }

  it('is unknown with the five words of a later build, even if it charges its base fee', () => {
    for (const config of [words(0, 40_000, 0, 1, 0), words(500, 40_000, 7, 0, 0)]) {
      const answers = { ...moving, [CONFIG]: config }
      expect(codeOf({ ...still, answers })).toBe('POOL_FEE_UNKNOWN')
    }
  })

  it('is unknown if any of its settings is missing or is the only one', () => {
    for (const key of wordsOfMoving) {
      const { [key]: _, ...others } = moving
      expect(codeOf({ ...still, answers: others })).toBe('POOL_FEE_UNKNOWN')
      const alone = { ...slipstream, [CUSTOM]: words(500), [key]: moving[key]! }
      expect(codeOf({ ...still, answers: alone })).toBe('POOL_FEE_UNKNOWN')
    }
  })

  it('is unknown if it returns nothing', () => {
    expect(codeOf({ ...still, answers: slipstream })).toBe('POOL_FEE_UNKNOWN')
  })
})

describe('a plugin of Algebra with a sliding fee', () => {
  const load = { load: loadIntegral, ref: {} }

  it('is loaded with its factor, its settings and its newest timepoint', () => {
    const fee = { factorX96: 1n << 95n, baseFee: 500, priceChangeFactor: 1_000 }
    expect(run({ ...load, answers: sliding })).toMatchObject({
      ...{ slidingFee: { ...fee, timestamp: 900, tick: -7 }, watched: [MODULE], quotedAt: 0n },
    })
  })

  it('is unknown if its code is another that the venue names', () => {
    const answers = { ...sliding, [CODE]: OWN_CODE }
    const ref = { modules: [OWN_CODE] }
    expect(codeOf({ ...load, ref, answers })).toBe('POOL_FEE_UNKNOWN')
  })

  it('is refused if its factors are not 2 together', () => {
    const answers = { ...sliding, [plugin(integralAbi.FEE_FACTORS)]: words(1n << 95n, 1n << 95n) }
    expect(codeOf({ ...load, answers })).toBe('POOL_OUT_OF_RANGE')
  })
})

describe('the code of a module', () => {
  const adaptive = cases.find(({ title }) => title === 'algebraIntegral')!
  const slip = { load: loadV3, ref: swapFeeModule, answers: moving }
  it.each([
    ['a plugin', adaptive],
    ['a fee module', slip],
  ])('of %s must be known or named by its venue, whatever it answers', (_, given) => {
    const other = { ...given.answers, [CODE]: toHex(0xbad, 32) }
    const { [CODE]: __, ...none } = given.answers
    for (const answers of [other, none]) {
      expect(codeOf({ ...given, answers })).toBe('POOL_MODULE_UNKNOWN')
    }
    const ref = { ...given.ref, modules: [toHex(0xbad, 32)] }
    expect(codeOf({ ...given, ref, answers: other })).toBe('loaded')
  })

  // It has the views and the hooks of the base plugin, and trades on other pools in the middle of a route.
  it.each([...integralAbi.REFLEX])(
    'a Reflex plugin, which answers %s, is refused also if it is confirmed',
    (getter) => {
      const answers = { ...adaptive.answers, [CODE]: OWN_CODE, [plugin(getter)]: words(1) }
      expect(codeOf({ ...adaptive, answers })).toBe('POOL_MODULE_UNKNOWN')
      expect(codeOf({ ...adaptive, ref: { modules: [OWN_CODE] }, answers })).toBe(
        'POOL_HOOK_TRADES',
      )
    },
  )
})
