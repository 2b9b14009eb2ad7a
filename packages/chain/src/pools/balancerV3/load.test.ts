import type { Direction, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import {
  applySwap,
  type BalancerV3Pool,
  type EclpForm,
  getAmountOut,
} from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { wordAt } from '../../reads/abiWords.js'
import { type Answers, answering, runLoad, words } from '../../testing/loaderAnswers.js'
import type { LoadErrorCode } from '../loadError.js'
import type { PoolRef } from '../loader.js'
import type { Venue } from '../venue.js'
import * as abi from './abi.js'
import { refOf, subjectOf } from './discover.js'
import { applyLog, load } from './load.js'
import { listAt } from './poolData.js'

const E18 = 10n ** 18n
const VAULT = toHex(0xf, 20)
const ref: PoolRef = {
  ...{ id: toHex(0xabc, 20), family: 'balancerV3', venue: 'test', factory: VAULT },
  tokens: [toHex(0xa, 20), toHex(0xb, 20), toHex(0xc, 20)],
}
const weighted: BalancerV3Pool = {
  ...{ family: 'balancerV3', id: ref.id, venue: ref.venue, tokens: ref.tokens },
  balancesRaw: [1_000_000n * E18, 1_200_000n * 10n ** 6n, 800_000n * E18],
  decimalScalingFactors: [1n, 10n ** 12n, 1n],
  tokenRates: [E18, E18, E18],
  ...{ swapFee: 3n * 10n ** 15n, aggregateSwapFee: E18 / 2n, minTradeAmount: 1_000_000n },
  form: { kind: 'weighted', normalizedWeights: [E18 / 2n, E18 / 5n, (3n * E18) / 10n] },
}
const newer: BalancerV3Pool = {
  ...weighted,
  form: { ...weighted.form, minTokenBalances: [10n ** 6n, 10n ** 6n, 10n ** 6n] } as never,
}
const stable: BalancerV3Pool = { ...weighted, form: { kind: 'stable', amp: 200_000n } }

const eclp: BalancerV3Pool = {
  ...weighted,
  ...{ tokens: ref.tokens.slice(0, 2), balancesRaw: weighted.balancesRaw.slice(0, 2) },
  ...{ decimalScalingFactors: [1n, 10n ** 12n], tokenRates: [E18, E18] },
  form: symmetricEllipse(),
}

/** A struct of single words and lists, behind an offset. */
function struct(fields: readonly (bigint | readonly bigint[])[]): Hex {
  let at = 32 * fields.length
  const tail: bigint[] = []
  const head = fields.map((field) => {
    if (typeof field === 'bigint') return field
    const offset = BigInt(at)
    tail.push(BigInt(field.length), ...field)
    at += 32 * (1 + field.length)
    return offset
  })
  return words(32n, ...head, ...tail)
}

/** Answers of the vault and a pool, by selector. */
function answersOf(pool: BalancerV3Pool, kinds = [0n, 0n, 0n]): Answers {
  const { form, tokens } = pool
  const addresses = tokens.map(BigInt)
  // The list of structs has a length of its own in front, so it is written word by word.
  const data = struct([
    ...[0n, addresses, [], pool.balancesRaw, [0n, 0n, 0n], pool.tokenRates],
    pool.decimalScalingFactors,
  ])
  const info = [3n, ...kinds.flatMap((kind) => [kind, kind === 0n ? 0n : 0xeen, kind])]
  const end = (data.length - 2) / 64
  const withInfo = replaceWord(data, 1 + 2, BigInt(32 * (end - 1)))
  const config = [0n, 0n, 0n, 0n, pool.swapFee, pool.aggregateSwapFee, 0n, 0n, 0n, 1n, 1n, 0n, 0n]
  const ramp = form.kind === 'stable' ? form.ramp : undefined
  return {
    [abi.GET_VAULT]: words(BigInt(VAULT)),
    [abi.OF_VAULT.getMinimumTradeAmount]: words(pool.minTradeAmount),
    [abi.OF_VAULT.getVaultPausedState]: words(0n, 1n, 1n),
    [abi.ABOUT_POOL.getPoolConfig]: words(...config),
    [abi.ABOUT_POOL.getHooksConfig]: words(...Array<bigint>(11).fill(0n)),
    [abi.ABOUT_POOL.isPoolPaused]: words(0n),
    [abi.ABOUT_POOL.getPoolData]: `${withInfo}${words(...info).slice(2)}`,
    ...(form.kind === 'eclp' && { [abi.ECLP_PARAMS]: eclpAnswer(form) }),
    ...(form.kind === 'weighted' && {
      [abi.WEIGHTED_DATA]: struct([
        ...[addresses, pool.decimalScalingFactors, form.normalizedWeights],
        ...(form.minTokenBalances ? [form.minTokenBalances] : []),
      ]),
    }),
    ...(form.kind === 'stable' && {
      [abi.AMP_STATE]: words(
        ...[ramp?.startValue ?? form.amp, form.amp],
        ...[ramp?.startTime ?? 1n, ramp?.endTime ?? 1n, 1_000n],
      ),
      [abi.AMP_PARAMETER]: words(form.amp, 0n, 1_000n),
    }),
    [abi.ON_SWAP]: (input) => {
      const live = listAt(input, 1, 2)
      const direction: Direction = { in: Number(wordAt(input, 4)), out: Number(wordAt(input, 5)) }
      const formula = {
        ...pool,
        ...{ balancesRaw: live, decimalScalingFactors: live.map(() => 1n), swapFee: 0n },
        ...{ tokenRates: live.map(() => E18), minTradeAmount: 0n },
      }
      return words(getAmountOut(formula, direction, wordAt(input, 2)))
    },
  }
}

/** The prices 0.8 to 1.25 with a stretch of 50. */
function symmetricEllipse(): EclpForm {
  const c = 707106781186547524n
  const [x, y] = [98418332397369528999749792787999754340n, 17715299831526515219954962701839955781n]
  return {
    ...{ kind: 'eclp', c, s: c, lambda: 50n * E18, tauAlpha: { x: -x, y }, tauBeta: { x, y } },
    ...{ u: (2n * c * c * x) / E18 ** 2n, v: (2n * c * c * y) / E18 ** 2n },
    ...{ w: 0n, z: 0n, dSq: 200n * c * c },
  }
}

function eclpAnswer({ c, s, lambda, tauAlpha, tauBeta, u, v, w, z, dSq }: EclpForm): Hex {
  const taus = [tauAlpha, tauBeta].flatMap(({ x, y }) => [BigInt.asUintN(256, x), y])
  return words(8n * 10n ** 17n, 125n * 10n ** 16n, c, s, lambda, ...taus, u, v, w, z, dSq)
}

function replaceWord(data: Hex, index: number, word: bigint): Hex {
  const at = 2 + 64 * index
  return `0x${data.slice(2, at)}${words(word).slice(2)}${data.slice(at + 64)}`
}

function run(answers: Answers, of = ref): BalancerV3Pool {
  return runLoad(load(of), answering(answers))
}

function refused(answers: Answers, code: LoadErrorCode, of = ref) {
  expect(() => run(answers, of)).toThrow(expect.objectContaining({ code }))
}

describe('the loader of Balancer V3 pools', () => {
  it('reads weighted pools, older and newer, and stable ones', () => {
    for (const pool of [weighted, newer, stable]) expect(run(answersOf(pool))).toEqual(pool)
  })

  it('reads an E-CLP of two tokens, and refuses three and an ellipse that is none', () => {
    const of = { ...ref, tokens: eclp.tokens }
    const answers = answersOf(eclp)
    expect(run(answers, of)).toEqual(eclp)
    const form = eclp.form as EclpForm
    const withForm = (change: Partial<EclpForm>) => ({
      ...{ ...answers, [abi.ECLP_PARAMS]: eclpAnswer({ ...form, ...change }) },
    })
    const values = { lambda: E18 - 1n, c: E18 + 1n, u: 2n * E18 ** 3n, dSq: 1n }
    for (const [name, value] of Object.entries(values))
      refused(withForm({ [name]: value }), 'POOL_OUT_OF_RANGE', of)
    // Too small a change for the bounds shows in the pool's own answers.
    refused(withForm({ v: form.v + 10n ** 22n }), 'POOL_FORM_UNKNOWN', of)
    refused({ ...answers, [abi.ON_SWAP]: '0x' }, 'POOL_FORM_UNKNOWN', of)
    const three = { ...answersOf(stable), [abi.AMP_STATE]: '0x' as const }
    refused({ ...three, [abi.ECLP_PARAMS]: eclpAnswer(form) }, 'POOL_FORM_UNKNOWN')
  })

  it('samples a pool with a rate provider', () => {
    const sampled = { ...stable, sampledAt: 0n, quotedAt: 0n, ratedFrom: [toHex(0xee, 20)] }
    expect(run(answersOf(stable, [0n, 1n, 0n]))).toEqual(sampled)
  })

  it('reads a ramp of the amplification, under way or over', () => {
    const ramp = { startValue: 100_000n, startTime: 1_000n, endTime: 2_000n }
    const moving: BalancerV3Pool = {
      ...stable,
      form: { kind: 'stable', amp: 200_000n, ramp },
      quotedAt: 0n,
    }
    // The pool answers with the parameter of its own block, here after the ramp.
    const asked = answersOf({ ...moving, quotedAt: 2_000n })
    expect(run(asked)).toEqual(moving)
  })

  it('takes no protocol fee in recovery mode', () => {
    const config = [0n, 0n, 0n, 0n, weighted.swapFee, E18, 0n, 0n, 0n, 1n, 1n, 0n, 1n]
    const answers = { ...answersOf(weighted), [abi.ABOUT_POOL.getPoolConfig]: words(...config) }
    expect(run(answers)).toEqual({ ...weighted, aggregateSwapFee: 0n })
  })

  it('refuses any hook, another vault, other tokens and another formula', () => {
    const answers = answersOf(weighted)
    for (let word = 0; word < 11; word++) {
      const hooks = words(...Array<bigint>(11).fill(0n).with(word, 1n))
      refused({ ...answers, [abi.ABOUT_POOL.getHooksConfig]: hooks }, 'POOL_FORM_UNKNOWN')
    }
    refused({ ...answers, [abi.GET_VAULT]: words(0xeen) }, 'POOL_FORM_UNKNOWN')
    refused({ ...answers, [abi.WEIGHTED_DATA]: '0x' }, 'POOL_FORM_UNKNOWN')
    refused(answersOf({ ...weighted, tokens: [...ref.tokens].reverse() }), 'POOL_FORM_UNKNOWN')
    const light = [E18 / 2n, E18 / 5n, E18 / 5n]
    refused(
      answersOf({ ...weighted, form: { kind: 'weighted', normalizedWeights: light } }),
      'POOL_FORM_UNKNOWN',
    )
  })

  it('refuses a pool whose formula differs by a wei, and answers about fees of another length', () => {
    const answers = answersOf(stable)
    const asked = answers[abi.ON_SWAP] as (data: Hex) => Hex
    const off = (data: Hex) => words(wordAt(asked(data), 0) + 1n)
    refused({ ...answers, [abi.ON_SWAP]: off }, 'POOL_FORM_UNKNOWN')
    const { getPoolConfig, getHooksConfig } = abi.ABOUT_POOL
    for (const selector of [getPoolConfig, getHooksConfig, abi.AMP_STATE]) {
      const longer = `${answers[selector]}${'0'.repeat(64)}` as Hex
      refused({ ...answers, [selector]: longer }, 'POOL_FEE_UNKNOWN')
    }
  })

  it('refuses a pool that is paused, alone or with the whole vault, or has no first liquidity', () => {
    const answers = answersOf(weighted)
    refused({ ...answers, [abi.ABOUT_POOL.isPoolPaused]: words(1n) }, 'POOL_PAUSED')
    refused({ ...answers, [abi.OF_VAULT.getVaultPausedState]: words(1n, 0n, 0n) }, 'POOL_PAUSED')
    const config = [0n, 0n, 0n, 0n, weighted.swapFee, 0n, 0n, 0n, 0n, 1n, 0n, 0n, 0n]
    const bare = { ...answers, [abi.ABOUT_POOL.getPoolConfig]: words(...config) }
    refused(bare, 'POOL_NOT_INITIALISED')
  })

  it('refuses what no pool of Balancer has', () => {
    const range = (change: Partial<BalancerV3Pool>) =>
      refused(answersOf({ ...weighted, ...change }), 'POOL_OUT_OF_RANGE')
    range({ swapFee: E18 })
    range({ aggregateSwapFee: E18 + 1n })
    range({ balancesRaw: [1n << 128n, 1n, 1n] })
    range({ tokenRates: [E18, 10n ** 40n, E18] })
    range({ decimalScalingFactors: [1n, 10n ** 19n, 1n] })
    range({ form: { kind: 'stable', amp: 999n } })
  })
})

describe('the logs of the vault', () => {
  const direction = { in: 1, out: 2 }
  const sold = 5_000n * 10n ** 6n
  const bought = getAmountOut(weighted, direction, sold)
  const topics = [abi.SWAP, words(BigInt(ref.id)), words(0xbn), words(0xcn)]
  const log = (...values: readonly bigint[]) => ({ topics, data: words(...values) })

  it('are about the pool that their first indexed argument names, or about all', () => {
    expect(subjectOf({ topics })).toBe(ref.id)
    for (const topic of [abi.VAULT_PAUSED, abi.BUFFERS_PAUSED]) {
      expect(subjectOf({ topics: [topic] })).toBe('all')
    }
    expect(subjectOf({ topics: [abi.POOL_REGISTERED, words(BigInt(ref.id))] })).toBeUndefined()
    expect(subjectOf({ topics: [words(7n)] })).toBeUndefined()
  })

  it('announce a pool with its tokens', () => {
    const venue: Venue = { id: 'test', family: 'balancerV3', factory: VAULT }
    const fixed = Array<bigint>(19).fill(7n)
    const config = ref.tokens.flatMap((token) => [BigInt(token), 0n, 0n, 0n])
    const data = words(32n * 20n, ...fixed, 3n, ...config)
    const registered = [abi.POOL_REGISTERED, words(BigInt(ref.id)), words(1n)]
    expect(refOf(venue, { topics: registered, data })).toEqual(ref)
  })

  it('give the state after the same swap, and with another fee', () => {
    const after = applyLog(weighted, log(sold, bought, weighted.swapFee, 1n))
    expect(after).toEqual(applySwap(weighted, direction, sold))
    const changed = { topics: [abi.SWAP_FEE_CHANGED, topics[1]!], data: words(10n ** 15n) }
    expect(applyLog(weighted, changed)).toEqual({ ...weighted, swapFee: 10n ** 15n })
  })

  it('are those of the amplification at the time of their block, while it moves', () => {
    const ramp = { startValue: 50_000n, startTime: 1_000n, endTime: 2_000n }
    const form = { kind: 'stable', amp: 200_000n, ramp } as const
    const moving: BalancerV3Pool = { ...stable, form, quotedAt: 1_700n }
    const then = { ...moving, quotedAt: 1_500n }
    const paid = getAmountOut(then, direction, sold)
    expect(paid).not.toBe(getAmountOut(moving, direction, sold))
    const swapped = log(sold, paid, moving.swapFee, 1n)
    const after = { ...applySwap(then, direction, sold), quotedAt: 1_700n }
    expect(applyLog(moving, { ...swapped, timestamp: 1_500n })).toEqual(after)
    expect(applyLog(moving, swapped)).toBe('reload')
  })

  it('reload the pool if amounts or fee are not ours, if it is sampled, and for any other log', () => {
    const { swapFee } = weighted
    expect(applyLog(weighted, log(sold, bought - 1n, swapFee, 1n))).toBe('reload')
    expect(applyLog(weighted, log(sold, bought, swapFee + 1n, 1n))).toBe('reload')
    const elsewhere = { ...log(sold, bought, swapFee, 1n), topics: topics.with(3, words(0xddn)) }
    expect(applyLog(weighted, elsewhere)).toBe('reload')
    const sampled = { ...weighted, sampledAt: 4n, quotedAt: 5n }
    expect(applyLog(sampled, log(sold, bought, swapFee, 1n))).toBe('reload')
    expect(applyLog(weighted, { topics: [words(7n)], data: '0x' })).toBe('reload')
  })
})
