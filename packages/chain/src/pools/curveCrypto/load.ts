// Loads a Curve Twocrypto or Tricrypto pool, and proves its formulas by the pool's own fees and quotes.

import type { Hex } from '@braid-swap/core'
import { type CryptoRamp, type CurveCryptoPool, curveCrypto } from '@braid-swap/core/families'
import { addressOf, callData, wordAt } from '../../reads/abiWords.js'
import type { LogBody } from '../../reads/log.js'
import { IGNORED_TOPICS } from '../curveStableSwap/abi.js'
import { feeWords } from '../feeWords.js'
import { balancesGlance } from '../glance.js'
import { inRange, LoadError } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import * as abi from './abi.js'
import { provePool } from './prove.js'

/** `TokenExchange`. */
export const topics: readonly Hex[] = [abi.TOKEN_EXCHANGE]
/** None: a swap's log has amounts, not balances. */
export const replacingTopics: readonly Hex[] = []
/** Transfers and approvals of the LP token. */
export const ignoredTopics: readonly Hex[] = IGNORED_TOPICS

const E10 = 10n ** 10n
const E18 = 10n ** 18n
const MAX_UINT128 = (1n << 128n) - 1n
const MAX_UINT256 = (1n << 256n) - 1n

/** Reads the state, and proves that the pool charges and quotes as we do. */
export function* load(ref: PoolRef): Load<CurveCryptoPool> {
  const { id, tokens } = ref
  const count = tokens.length
  if (count !== 2 && count !== 3) throw unknownForm(ref, `${count} coins`, '2 or 3 coins')
  const own = Object.entries(abi.OF_POOL)
  const data = [
    ...own.map(([, selector]) => selector),
    ...tokens.map((_, k) => callData(abi.BALANCES, k)),
    ...(count === 2
      ? [abi.PRICE_SCALE]
      : [callData(abi.PRICE_SCALE_AT, 0), callData(abi.PRICE_SCALE_AT, 1)]),
    ...[abi.PRECISIONS, abi.VERSION],
  ]
  const answers = yield data.map((data) => ({ to: id, data }))
  const rest = answers.slice(own.length)
  const answerOf = (name: keyof typeof abi.OF_POOL) =>
    answers[own.findIndex(([key]) => key === name)]!
  const word = (name: keyof typeof abi.OF_POOL, max = MAX_UINT128, min = 0n) =>
    inRange(wordAt(answerOf(name), 0), { pool: id, field: name, min, max })
  const fee = (name: 'mid_fee' | 'out_fee' | 'fee_gamma') =>
    feeWords(answerOf(name), { pool: id, field: `${name}()`, count: 1 })
  for (const name of ['mid_fee', 'out_fee', 'fee_gamma'] as const) fee(name)
  refuseOtherVersions(ref, rest.at(-1)!)
  const version = count === 2 ? '2.1.0' : '2.0.0'
  const within = (field: string, value: bigint, min: bigint, max: bigint) =>
    inRange(value, { pool: id, field, min, max })
  // The wider bounds: those of the pool's own version are part of the proof.
  const bounds = curveCrypto.boundsOf(count, version)
  const form = (field: 'initial_A_gamma' | 'future_A_gamma') => {
    const packed = word(field, MAX_UINT256)
    return {
      A: within(field, packed >> 128n, bounds.A.least, bounds.A.most),
      gamma: within(field, packed & MAX_UINT128, bounds.gamma.least, bounds.gamma.most),
    }
  }
  const initial = form('initial_A_gamma')
  const future = form('future_A_gamma')
  const pool: CurveCryptoPool = {
    ...{ family: 'curveCrypto', id, venue: ref.venue, tokens, version },
    balances: tokens.map((_, k) => wordAt(rest[k]!, 0)),
    precisions: tokens.map((_, k) => {
      const field = `precisions(${k})`
      return within(field, wordAt(rest.at(-2)!, k), 1n, E18)
    }),
    priceScales: tokens.slice(1).map((_, k) => {
      const value = wordAt(rest[count + k]!, 0)
      return within(`price_scale(${k})`, value, 1n, MAX_UINT128)
    }),
    ...{ D: word('D'), ...future },
    ...{ midFee: word('mid_fee', E10), outFee: word('out_fee', E10) },
    feeGamma: word('fee_gamma', E18, 1n),
    ...{ virtualPrice: word('virtual_price'), totalSupply: word('totalSupply') },
    ...{ xcpProfit: word('xcp_profit'), allowedExtraProfit: word('allowed_extra_profit') },
    ...rampOf(ref, {
      initial,
      from: word('initial_A_gamma_time'),
      to: word('future_A_gamma_time'),
    }),
  }
  const current = { A: word('A'), gamma: word('gamma') }
  return yield* provePool(pool, { ...current, math: addressOf(word('MATH', MAX_UINT256)) })
}

/**
 * Later versions move their price scales otherwise, under the same functions. What the text does not tell,
 * because contracts of different formulas state the same, the pool proves by its answers.
 */
function refuseOtherVersions(ref: PoolRef, answer: Hex): void {
  const length = Number(
    inRange(wordAt(answer, 1), { pool: ref.id, field: 'version', min: 0n, max: 32n }),
  )
  const bytes = answer.slice(130, 130 + 2 * length).match(/../g) ?? []
  const text = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)))
  const version = text.replace(/^v/, '')
  if (version === '2.0.0' || (version === '2.1.0' && ref.tokens.length === 2)) return
  throw unknownForm(ref, `version ${text}`, 'version 2.0.0, or 2.1.0 of two coins')
}

function unknownForm({ id }: PoolRef, got: string, wanted: string): LoadError {
  return new LoadError('POOL_FORM_UNKNOWN', `pool ${id} has ${got}`, { pool: id, got, wanted })
}

type Form = Pick<CurveCryptoPool, 'A' | 'gamma'>

/**
 * The last change of A and γ, also if it is over: no log says when it ends. Also if it was stopped, which sets
 * both ends to that moment: the pool keeps the D of the last swap before.
 */
function rampOf(
  { id }: PoolRef,
  change: {
    readonly initial: Form
    readonly from: bigint
    readonly to: bigint
  },
): { readonly ramp?: CryptoRamp; readonly quotedAt?: bigint } {
  const { initial, from, to } = change
  if (to === 0n) return {}
  const bounds = { pool: id, field: 'future_A_gamma_time', min: from, max: MAX_UINT128 }
  const ramp = { initialA: initial.A, initialGamma: initial.gamma, initialTime: from }
  return { ramp: { ...ramp, futureTime: inRange(to, bounds) }, quotedAt: 0n }
}

/**
 * Always `reload`: a swap moves the invariant, and may move the price scales by averages of prices that
 * the state does not have.
 */
export function applyLog(_pool: CurveCryptoPool, _log: LogBody): 'reload' {
  return 'reload'
}

/** The pool's balances. */
export const glance = balancesGlance
