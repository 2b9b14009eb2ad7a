/**
 * A certificate held against a caller's own terms. Input: snapshot, order, certificate, terms. Output: whether it
 * holds for every route that the caller allows, and why not. It shares no code with the solver.
 */
import { checkNames, requireFields } from '../checkNames.js'
import { BaseError } from '../errors.js'
import { FEE_GAS, type Fee } from '../fee.js'
import type { Address, Hex } from '../hex.js'
import type { ExactOutOrder, Order } from '../order.js'
import type { Snapshot } from '../snapshot.js'
import type { Bound } from './bound.js'
import { badBound } from './checkCertificate.js'
import { recomputeBound } from './recomputeBound.js'
import { type InputBound, recomputeInputBound } from './recomputeInputBound.js'

/** The defaults of `quote`, written once more because nothing here comes from the solver. */
export const MAX_LEGS = 24
export const GAS_SHARE_OF_BLOCK = 0.8

/** What a caller asked for, and accepts; an absent term is the default of `quote`, or accepts nothing. */
export type BoundTerms = {
  readonly objective?: 'net' | 'gross'
  /** Most that gas may be taken to cost, in units of the token out per gas; 0 by default. */
  readonly gasCost?: number
  readonly maxGas?: number
  readonly maxLegs?: number
  readonly fee?: Pick<Fee, 'of' | 'ppm'>
  /** Pools, by id, that routes need not use: those that the order excluded, and those off the market. */
  readonly excludedPools?: ReadonlySet<Hex>
  readonly setAside?: ReadonlySet<Hex>
  readonly onlyIntermediates?: ReadonlySet<Address>
}

/** What a check saw: `why` names each fault, `amount` is the bound as recomputed, in wei. */
export type Checked = {
  readonly ok: boolean
  readonly why: readonly string[]
  readonly amount?: bigint
}

const TERMS: Readonly<Record<keyof BoundTerms, true>> = {
  ...{ objective: true, gasCost: true, maxGas: true, maxLegs: true, fee: true },
  ...{ excludedPools: true, setAside: true, onlyIntermediates: true },
}

/**
 * Checks the certificate of a quote, or with an {@link ExactOutOrder} that of its input, on your terms: every pool
 * that it leaves out is one of yours, and the bound that follows from its prices and the pools alone is no worse than
 * its `amount`. The native token is traded as the wrapped one. Throws BAD_ORDER, and BAD_OPTIONS for a term that is
 * unknown.
 *
 * @example
 * // The price of gas is your own: one that is copied from the certificate would accept any.
 * const { ok, why } = checkBound(snapshot, order, bound, { gasCost: 0.004 })
 */
export function checkBound(
  snapshot: Snapshot,
  order: Order | ExactOutOrder,
  certificate: Bound | InputBound,
  terms: BoundTerms = {},
): Checked {
  checkNames('terms', terms, TERMS)
  requireFields('snapshot', snapshot, ['pools', 'block', 'wrappedNative'])
  requireFields('order', order, ['tokenIn'])
  requireFields('certificate', certificate, ['amount'])
  try {
    if (typeof certificate.amount !== 'bigint')
      throw badBound('amount', certificate.amount, 'an integer')
    const isInput = 'amountOut' in order
    const amount = isInput
      ? recomputeInputBound(snapshot, order, certificate as InputBound)
      : recomputeBound(snapshot, order, certificate as Bound)
    const bound = 'bound' in certificate ? certificate.bound : certificate
    const faults = faultsOfTerms({ ...bound, ...feeOf(certificate) }, terms, snapshot)
    const isSound = isInput ? amount >= certificate.amount : amount <= certificate.amount
    const why = isSound ? faults : [...faults, `it is ${certificate.amount}, recomputed ${amount}`]
    return { ok: why.length === 0, why, amount }
  } catch (error) {
    if (!(error instanceof BaseError && error.code === 'BAD_BOUND')) throw error
    return { ok: false, why: [error.message] }
  }
}

const feeOf = ({ fee }: Bound | InputBound) => (fee ? { fee } : {})

/** The terms of a bound that are narrower than the caller's. */
function faultsOfTerms(bound: Bound, terms: BoundTerms, { block }: Snapshot): readonly string[] {
  const { objective = 'net', gasCost = 0, maxLegs = MAX_LEGS, fee } = terms
  const { maxGas = Number(block.gasLimit) * GAS_SHARE_OF_BLOCK, onlyIntermediates } = terms
  const faults: string[] = []
  const expect = (isMet: boolean, fault: string) => {
    if (!isMet) faults.push(fault)
  }
  const room = maxGas - (fee ? FEE_GAS : 0)
  expect(bound.objective === objective, `its objective is ${bound.objective}`)
  expect(bound.gasCost <= gasCost, `gas costs ${bound.gasCost}, above ${gasCost}`)
  expect(bound.maxLegs >= maxLegs, `it covers ${bound.maxLegs} hops of ${maxLegs}`)
  expect(bound.maxGas >= room, `it covers ${bound.maxGas} gas of ${room}`)
  expect(bound.fee?.of === fee?.of && bound.fee?.ppm === fee?.ppm, 'its fee is another one')
  for (const id of bound.excluded) {
    expect(terms.excludedPools?.has(id) ?? false, `it excludes the pool ${id}`)
  }
  for (const id of bound.setAside) {
    expect(terms.setAside?.has(id) ?? false, `it sets the pool ${id} aside`)
  }
  const passed = bound.onlyIntermediates && new Set(bound.onlyIntermediates)
  const isPassed = !passed || [...(onlyIntermediates ?? [])].every((token) => passed.has(token))
  expect(isPassed && !(passed && !onlyIntermediates), 'it covers only routes by some tokens')
  return faults
}
