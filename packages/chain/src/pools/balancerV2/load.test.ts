import type { Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { type BalancerV2Pool, getAmountOut } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { wordAt } from '../../reads/abiWords.js'
import { CLOCK } from '../../reads/clock.js'
import { type Answers, answering, runLoad, words } from '../../testing/loaderAnswers.js'
import type { LoadErrorCode } from '../loadError.js'
import type { PoolRef } from '../loader.js'
import type { Venue } from '../venue.js'
import * as abi from './abi.js'
import { refOf, subjectOf } from './discover.js'
import { applyLog, load } from './load.js'

const E18 = 10n ** 18n
const NOW = 1_500n
const VAULT = toHex(0xf, 20)
const BPT = toHex(0xabc, 20)
const ref: PoolRef = {
  ...{ id: BPT, family: 'balancerV2', venue: 'test', factory: VAULT },
  tokens: [toHex(0xa, 20), toHex(0xb, 20), toHex(0xd00, 20)],
}
const poolId: Hex = `${BPT}${'7'.padStart(24, '0')}`
const weighted: BalancerV2Pool = {
  ...{ family: 'balancerV2', id: ref.id, venue: ref.venue, tokens: ref.tokens, poolId },
  balances: [1_000_000n * E18, 1_200_000n * 10n ** 6n, 800_000n * E18],
  decimalScalingFactors: [1n, 10n ** 12n, 1n],
  swapFee: 3n * 10n ** 15n,
  form: { kind: 'weighted', normalizedWeights: [E18 / 2n, E18 / 5n, (3n * E18) / 10n] },
}
const one = { cached: E18 }
const stable: BalancerV2Pool = {
  ...weighted,
  form: { kind: 'composableStable', amp: 200_000n, rates: [one, one, one] },
}
const renewal = { expires: 1_000n, current: (12n * E18) / 10n }
const rated: BalancerV2Pool = {
  ...stable,
  form: {
    ...{ kind: 'composableStable', amp: 200_000n },
    rates: [one, one, { cached: (11n * E18) / 10n, renewal }],
  },
  ...{ sampledAt: 0n, quotedAt: 0n, ratedFrom: [toHex(0xee, 20)] },
}
const ramp = { startValue: 100_000n, startTime: 1_000n, endTime: 2_000n }
const moving: BalancerV2Pool = {
  ...stable,
  form: { kind: 'composableStable', amp: 200_000n, ramp, rates: [one, one, one] },
  quotedAt: 0n,
}

const list = (...values: readonly bigint[]) => words(32n, values.length, ...values)

/** Lists behind their offsets. */
function lists(...all: readonly (readonly bigint[])[]): Hex {
  let at = 32 * all.length
  const offsets = all.map(({ length }) => {
    at += 32 * (1 + length)
    return BigInt(at - 32 * (1 + length))
  })
  return words(...offsets, ...all.flatMap((values) => [BigInt(values.length), ...values]))
}

/** Answers of the vault and a pool, by selector; the pool's share token is the third of four. */
function answersOf(pool: BalancerV2Pool): Answers {
  const { form, tokens, balances } = pool
  const withBpt = (values: readonly bigint[], own: bigint) =>
    form.kind === 'weighted' ? values : values.toSpliced(2, 0, own)
  const rates = form.kind === 'weighted' ? [E18, E18, E18] : form.rates.map(({ cached }) => cached)
  const scaling = pool.decimalScalingFactors.map((scale, k) => scale * rates[k]!)
  const common: Answers = {
    [abi.OF_POOL.getVault]: words(BigInt(VAULT)),
    [abi.OF_POOL.getPoolId]: pool.poolId,
    [abi.OF_POOL.getPausedState]: words(0n, 1n, 1n),
    [abi.OF_POOL.inRecoveryMode]: words(0n),
    [abi.OF_POOL.getSwapFeePercentage]: words(pool.swapFee),
    [abi.OF_POOL.getScalingFactors]: list(...withBpt(scaling, E18)),
    [abi.OF_VAULT.getPoolTokens]: lists(
      withBpt(tokens.map(BigInt), BigInt(pool.id)),
      withBpt(balances, 1n << 111n),
    ),
    [abi.OF_VAULT.getPoolTokenInfo]: (data) =>
      words(balances[tokens.map(BigInt).indexOf(wordAt(data, 1))]!, 0n, 1n, 0n),
    [CLOCK.data]: words(NOW),
    [abi.QUERY_SWAP]: (data) => {
      const at = (k: number) => tokens.map(BigInt).indexOf(wordAt(data, k))
      const { sampledAt: _, ...asked } = pool
      const direction = { in: at(16), out: at(17) }
      const paid = getAmountOut({ ...asked, quotedAt: NOW }, direction, wordAt(data, 12))
      return list(wordAt(data, 12), -paid)
    },
  }
  if (form.kind === 'weighted') {
    return { ...common, [abi.OF_FORM.getNormalizedWeights]: list(...form.normalizedWeights) }
  }
  const value = form.ramp ? 150_000n : form.amp
  const { startValue, startTime, endTime } = form.ramp ?? {
    startValue: form.amp,
    startTime: 1n,
    endTime: 1n,
  }
  return {
    ...common,
    [abi.OF_FORM.getAmplificationParameter]: words(value, form.ramp ? 1n : 0n, 1_000n),
    [abi.OF_FORM.getRateProviders]: list(
      ...withBpt(
        form.rates.map(({ renewal }) => (renewal ? 0xeen : 0n)),
        0n,
      ),
    ),
    [abi.RATE_CACHE]: words(form.rates[2]!.cached, 1n, 100n, renewal.expires),
    [abi.GET_RATE]: words(renewal.current),
    slot: words(startValue | (form.amp << 64n) | (startTime << 128n) | (endTime << 192n)),
  }
}

function run(answers: Answers): BalancerV2Pool {
  return runLoad(load(ref), answering(answers))
}

function refused(answers: Answers, code: LoadErrorCode) {
  expect(() => run(answers)).toThrow(expect.objectContaining({ code }))
}

describe('the loader of Balancer V2 pools', () => {
  it('reads weighted pools, and stable ones without their share token', () => {
    for (const pool of [weighted, stable]) expect(run(answersOf(pool))).toEqual(pool)
  })

  it('samples a pool with a rate provider, and keeps both of its rates', () => {
    expect(run(answersOf(rated))).toEqual(rated)
  })

  it('reads a ramp of the amplification where the pool keeps it', () => {
    expect(run(answersOf(moving))).toEqual(moving)
  })

  it('refuses an amplification that moves otherwise than its slot says', () => {
    refused({ ...answersOf(moving), slot: words(0n) }, 'POOL_FORM_UNKNOWN')
    const value = words(150_001n, 1n, 1_000n)
    const other = { [abi.OF_FORM.getAmplificationParameter]: value }
    refused({ ...answersOf(moving), ...other }, 'POOL_FORM_UNKNOWN')
    // At rest, the slot of another factory's pool may say anything.
    expect(run({ ...answersOf(stable), slot: words(7n) })).toEqual(stable)
  })

  it('refuses another vault, another id, other tokens and another formula', () => {
    const answers = answersOf(weighted)
    refused({ ...answers, [abi.OF_POOL.getVault]: words(0xeen) }, 'POOL_FORM_UNKNOWN')
    refused({ ...answers, [abi.OF_POOL.getPoolId]: words(0xeen) }, 'POOL_FORM_UNKNOWN')
    refused({ ...answers, [abi.OF_FORM.getNormalizedWeights]: '0x' }, 'POOL_FORM_UNKNOWN')
    refused(answersOf({ ...weighted, tokens: [...ref.tokens].reverse() }), 'POOL_FORM_UNKNOWN')
    const light = [E18 / 2n, E18 / 5n, E18 / 5n]
    const form = { kind: 'weighted', normalizedWeights: light } as const
    refused(answersOf({ ...weighted, form }), 'POOL_FORM_UNKNOWN')
    const factors = list(3n * E18, E18 * 10n ** 12n, E18)
    refused({ ...answers, [abi.OF_POOL.getScalingFactors]: factors }, 'POOL_FORM_UNKNOWN')
  })

  it('refuses a pool whose formula differs by a wei, and answers about fees of another length', () => {
    for (const pool of [weighted, stable, rated]) {
      const answers = answersOf(pool)
      const asked = answers[abi.QUERY_SWAP] as (data: Hex) => Hex
      const off = (data: Hex) => list(wordAt(asked(data), 2), wordAt(asked(data), 3) - 1n)
      refused({ ...answers, [abi.QUERY_SWAP]: off }, 'POOL_FORM_UNKNOWN')
    }
    for (const selector of [
      ...[abi.OF_POOL.getSwapFeePercentage, abi.OF_FORM.getAmplificationParameter, abi.RATE_CACHE],
    ]) {
      const answers = answersOf(rated)
      const longer = `${answers[selector]}${'0'.repeat(64)}` as Hex
      refused({ ...answers, [selector]: longer }, 'POOL_FEE_UNKNOWN')
    }
  })

  it('refuses a pool that is paused, alone or with the whole vault, or in recovery mode', () => {
    const answers = answersOf(weighted)
    // Pool and vault have the same getter, so this pauses both.
    refused({ ...answers, [abi.OF_POOL.getPausedState]: words(1n, 0n, 0n) }, 'POOL_PAUSED')
    refused({ ...answers, [abi.OF_POOL.inRecoveryMode]: words(1n) }, 'POOL_PAUSED')
  })

  it('refuses tokens that an asset manager has taken', () => {
    const info = words(weighted.balances[0]!, 1n, 1n, 0xeen)
    refused({ ...answersOf(weighted), [abi.OF_VAULT.getPoolTokenInfo]: info }, 'POOL_FORM_UNKNOWN')
  })

  it('refuses what no pool of Balancer has', () => {
    const range = (change: Partial<BalancerV2Pool>, of = weighted) =>
      refused(answersOf({ ...of, ...change }), 'POOL_OUT_OF_RANGE')
    range({ swapFee: 10n ** 17n + 1n })
    range({ swapFee: 10n ** 12n - 1n })
    range({ balances: [1n << 112n, 1n, 1n] })
    range({ form: { kind: 'composableStable', amp: 999n, rates: [one, one, one] } }, stable)
    const high = { cached: 10n ** 30n, renewal }
    range({ form: { kind: 'composableStable', amp: 200_000n, rates: [one, one, high] } }, rated)
  })
})

describe('the logs of the vault of Balancer V2', () => {
  const swap = { topics: [abi.SWAP, poolId, words(0xbn), words(0xd00n)], data: words(50n, 60n) }

  it('are about the pool whose address the id begins with, or about all', () => {
    expect(subjectOf(swap)).toBe(ref.id)
    expect(subjectOf({ topics: [abi.POOL_BALANCE_CHANGED, poolId] })).toBe(ref.id)
    expect(subjectOf({ topics: [abi.PAUSED] })).toBe('all')
    expect(subjectOf({ topics: [abi.TOKENS_REGISTERED, poolId] })).toBeUndefined()
    expect(subjectOf({ topics: [words(7n), poolId] })).toBeUndefined()
  })

  it('announce a pool with its tokens, except its share token', () => {
    const venue: Venue = { id: 'test', family: 'balancerV2', factory: VAULT }
    const all = [...ref.tokens.map(BigInt).slice(0, 2), BigInt(BPT), BigInt(ref.tokens[2]!)]
    const data = lists(all, [0n, 0n, 0n, 0n])
    expect(refOf(venue, { topics: [abi.TOKENS_REGISTERED, poolId], data })).toEqual(ref)
  })

  it('move the balances by the amounts of a swap, and by liquidity without the fees', () => {
    const [x, y, z] = weighted.balances as [bigint, bigint, bigint]
    expect(applyLog(weighted, swap)).toEqual({ ...weighted, balances: [x, y + 50n, z - 60n] })
    const tokens = [...weighted.tokens.map(BigInt), BigInt(BPT)]
    const data = lists(
      tokens,
      [5n, -7n, 0n, 9n].map((n) => BigInt.asUintN(256, n)),
      [1n, 2n, 3n, 0n],
    )
    const changed = applyLog(weighted, { topics: [abi.POOL_BALANCE_CHANGED, poolId], data })
    expect(changed).toEqual({ ...weighted, balances: [x + 4n, y - 9n, z - 3n] })
  })

  it('move one balance if the other token is the pool’s own share', () => {
    const topics = [abi.SWAP, poolId, words(BigInt(BPT)), words(0xbn)]
    const [x, y, z] = stable.balances as [bigint, bigint, bigint]
    const after = { ...stable, balances: [x, y - 60n, z] }
    expect(applyLog(stable, { topics, data: words(50n, 60n) })).toEqual(after)
  })

  it('give the state with another fee', () => {
    const log = { topics: [abi.SWAP_FEE_CHANGED], data: words(10n ** 15n) }
    expect(applyLog(weighted, log)).toEqual({ ...weighted, swapFee: 10n ** 15n })
  })

  it('reload the pool if they are impossible, if it is sampled, and for any other log', () => {
    const elsewhere = { ...swap, topics: swap.topics.with(3, words(0xddn)) }
    expect(applyLog(weighted, elsewhere)).toBe('reload')
    expect(applyLog(weighted, { ...swap, data: words(50n, 1n << 110n) })).toBe('reload')
    expect(applyLog(rated, swap)).toBe('reload')
    const fee = { topics: [abi.SWAP_FEE_CHANGED], data: words(E18) }
    expect(applyLog(weighted, fee)).toBe('reload')
    expect(applyLog(weighted, { topics: [words(7n)], data: '0x' })).toBe('reload')
  })
})
