import {
  boolean,
  choice,
  type Fault,
  integer,
  list,
  number,
  pair,
  record,
  type Shape,
  uint,
  variants,
} from '../../shape/shape.js'
import { faultOfTokens, firstFault, sampledFields, twoTokens } from '../poolFields.js'
import type { RatioFee, StepsFee, StexPool } from './pool.js'

const feeBips = number(0, 4_999)
const ratioBips = number(0, 2 ** 32 - 1)

const ratio = record<RatioFee>(
  {
    kind: choice('ratio'),
    minThresholdRatioBips: ratioBips,
    maxThresholdRatioBips: ratioBips,
    feeMinBips: feeBips,
    feeMaxBips: feeBips,
  },
  (fee) =>
    firstFault(
      above('maxThresholdRatioBips', fee.maxThresholdRatioBips, fee.minThresholdRatioBips + 1),
      above('feeMaxBips', fee.feeMaxBips, fee.feeMinBips),
    ),
)

const steps = record<StepsFee>(
  {
    kind: choice('steps'),
    minThresholdToken1: integer(1n, (1n << 128n) - 1n),
    maxThresholdToken1: integer(1n, (1n << 128n) - 1n),
    stepsBips: list(feeBips, 1, 1_000),
  },
  ({ minThresholdToken1, maxThresholdToken1, stepsBips }) => {
    const at = stepsBips.findIndex((bips, i) => bips < (stepsBips[i - 1] ?? 0))
    return firstFault(
      above('maxThresholdToken1', maxThresholdToken1, minThresholdToken1 + 1n),
      at === -1 ? undefined : above(`stepsBips[${at}]`, stepsBips[at]!, stepsBips[at - 1]!),
    )
  },
)

/** The states that a pool of this family can have. */
export const shape: Shape<StexPool> = record<StexPool>(
  {
    ...sampledFields,
    family: choice('stex'),
    tokens: twoTokens,
    reserves: pair(uint(128)),
    rate: integer(1n, (1n << 128n) - 1n),
    amountToken0PendingUnstaking: uint(128),
    amountToken1PendingLPWithdrawal: uint(128),
    amountToken1LendingPool: uint(128),
    fee: variants<RatioFee | StepsFee, 'kind'>('kind', { ratio, steps }),
    poolManagerFeeBips: number(0, 5_000),
    isPaused: boolean,
  },
  faultOfTokens,
)

function above<N extends number | bigint>(field: string, value: N, least: N): Fault | undefined {
  return value >= least ? undefined : { field, got: `${value}`, wanted: `at least ${least}` }
}
