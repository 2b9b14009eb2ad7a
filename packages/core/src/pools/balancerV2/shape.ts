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
  faultOfTime,
  faultOfTokens,
  firstFault,
  hash,
  poolFields,
  powerOfTen,
  ratedFrom,
  seconds,
  severalTokens,
} from '../poolFields.js'
import { ampRamp, faultOfWeights } from '../weightedStable.js'
import type { BalancerV2Pool, ComposableStableForm, TokenRate, WeightedForm } from './pool.js'

const ONE = 10n ** 18n
const amp = integer(1_000n, 5_000_000n)
const rate = integer(10n ** 12n, 10n ** 27n)

const weighted = record<WeightedForm>(
  {
    kind: choice('weighted'),
    normalizedWeights: list(integer(10n ** 16n, ONE), 2, 8),
  },
  faultOfWeights,
)

const ramp = ampRamp(amp, uint(64))

const tokenRate = record<TokenRate>(
  {
    cached: rate,
    renewal: optional(
      record<NonNullable<TokenRate['renewal']>>({ expires: uint(64), current: rate }),
    ),
  },
  ({ cached, renewal }) =>
    renewal || cached === ONE
      ? undefined
      : { field: 'cached', got: `${cached}`, wanted: `${ONE}, the rate without a provider` },
)

const composableStable = record<ComposableStableForm>({
  kind: choice('composableStable'),
  amp,
  ramp: optional(ramp),
  rates: list(tokenRate, 2, 5),
})

/** The states that a pool of this family can have. */
export const shape: Shape<BalancerV2Pool> = record<BalancerV2Pool>(
  {
    ...poolFields,
    ratedFrom,
    quotedAt: optional(seconds),
    sampledAt: optional(seconds),
    family: choice('balancerV2'),
    tokens: severalTokens,
    poolId: hash,
    balances: list(uint(112), 2, 8),
    decimalScalingFactors: list(powerOfTen, 2, 8),
    swapFee: integer(10n ** 12n, 10n ** 17n),
    form: variants<WeightedForm | ComposableStableForm, 'kind'>('kind', {
      ...{ weighted, composableStable },
    }),
  },
  (pool) =>
    firstFault(
      faultOfTokens(pool),
      faultOfCount('balances', pool.balances, pool),
      faultOfCount('decimalScalingFactors', pool.decimalScalingFactors, pool),
      faultOfPowers('decimalScalingFactors', pool.decimalScalingFactors),
      faultOfForm(pool),
    ),
)

/** The form fits the number of tokens, and depends on time only while it changes. */
function faultOfForm(pool: BalancerV2Pool): Fault | undefined {
  const { form } = pool
  if (form.kind === 'weighted') {
    return firstFault(
      faultOfTime(pool, pool.sampledAt !== undefined),
      faultOfCount('form.normalizedWeights', form.normalizedWeights, pool),
    )
  }
  const { rates, ramp: isMoving } = form
  const hasRates = rates.some(({ renewal }) => renewal !== undefined)
  return firstFault(
    faultOfCount('form.rates', rates, pool),
    faultOfTime(pool, isMoving !== undefined || hasRates),
    faultOfSample(pool, hasRates),
  )
}

/** Rates of providers, and only these, are read in every block. */
function faultOfSample({ sampledAt }: BalancerV2Pool, hasRates: boolean): Fault | undefined {
  if (hasRates === (sampledAt !== undefined)) return undefined
  return hasRates
    ? { field: 'sampledAt', got: 'nothing', wanted: 'the time at which the rates were read' }
    : { field: 'sampledAt', got: `${sampledAt}`, wanted: 'none: no rate has a provider' }
}
