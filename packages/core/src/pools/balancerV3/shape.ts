import {
  choice,
  type Fault,
  integer,
  list,
  optional,
  record,
  type Shape,
  uint,
  variants,
} from '../../shape/shape.js'
import {
  faultOfCount,
  faultOfPowers,
  faultOfSorting,
  faultOfTime,
  firstFault,
  poolFields,
  powerOfTen,
  ratedFrom,
  seconds,
  severalTokens,
} from '../poolFields.js'
import { ampRamp, faultOfWeights } from '../weightedStable.js'
import { eclp } from './eclpShape.js'
import type { BalancerV3Pool, EclpForm, StableForm, WeightedForm } from './pool.js'

const ONE = 10n ** 18n
const amp = integer(1_000n, 50_000_000n)

const weighted = record<WeightedForm>(
  {
    kind: choice('weighted'),
    normalizedWeights: list(integer(10n ** 16n, ONE), 2, 8),
    minTokenBalances: optional(list(uint(256), 2, 8)),
  },
  faultOfWeights,
)

const ramp = ampRamp(amp, seconds)

const stable = record<StableForm>({ kind: choice('stable'), amp, ramp: optional(ramp) })

/** The states that a pool of this family can have. */
export const shape: Shape<BalancerV3Pool> = record<BalancerV3Pool>(
  {
    ...poolFields,
    ratedFrom,
    quotedAt: optional(seconds),
    sampledAt: optional(seconds),
    family: choice('balancerV3'),
    tokens: severalTokens,
    balancesRaw: list(uint(128), 2, 8),
    decimalScalingFactors: list(powerOfTen, 2, 8),
    tokenRates: list(integer(10n ** 12n, 10n ** 27n), 2, 8),
    swapFee: integer(0n, ONE - 1n),
    aggregateSwapFee: integer(0n, ONE),
    minTradeAmount: integer(0n, ONE),
    form: variants<WeightedForm | StableForm | EclpForm, 'kind'>('kind', {
      ...{ weighted, stable, eclp },
    }),
  },
  (pool) =>
    firstFault(
      faultOfSorting(pool),
      faultOfCount('balancesRaw', pool.balancesRaw, pool),
      faultOfCount('decimalScalingFactors', pool.decimalScalingFactors, pool),
      faultOfCount('tokenRates', pool.tokenRates, pool),
      faultOfPowers('decimalScalingFactors', pool.decimalScalingFactors),
      faultOfForm(pool),
    ),
)

/** The form fits the number of tokens, and depends on time only while it changes. */
function faultOfForm(pool: BalancerV3Pool): Fault | undefined {
  const { form, sampledAt } = pool
  const isRamp = form.kind === 'stable' && form.ramp !== undefined
  const ofTime = faultOfTime(pool, isRamp || sampledAt !== undefined)
  if (form.kind === 'stable') return ofTime
  if (form.kind === 'eclp') return ofTime ?? faultOfTwo(pool)
  const { normalizedWeights, minTokenBalances } = form
  return firstFault(
    ofTime,
    faultOfCount('form.normalizedWeights', normalizedWeights, pool),
    minTokenBalances && faultOfCount('form.minTokenBalances', minTokenBalances, pool),
  )
}

function faultOfTwo({ tokens }: BalancerV3Pool): Fault | undefined {
  if (tokens.length === 2) return undefined
  return { field: 'tokens', got: `a list of ${tokens.length}`, wanted: 'two tokens on an ellipse' }
}
