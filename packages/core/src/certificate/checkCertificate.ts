// What a certificate and its order must be before anything is recomputed from them.

import { checkOrder } from '../checkCall.js'
import { BaseError } from '../errors.js'
import { type Order, type PoolOrder, poolOrderOf } from '../order.js'
import { ROUTER_GAS } from '../replay.js'
import { textOf } from '../shape/check.js'
import type { Snapshot } from '../snapshot.js'
import type { Bound } from './bound.js'

/** The order as pools see it, if it is one. Throws BAD_ORDER, also for a wrap, which needs no bound. */
export function checkedOrderOf(order: Order, snapshot: Snapshot): PoolOrder {
  checkOrder(order)
  const inner = poolOrderOf(order, snapshot.wrappedNative)
  checkOrder(inner)
  return inner
}

const LEAST = { gasCost: 0, legPrice: 0, maxLegs: 1, maxGas: ROUTER_GAS }

/** Throws a {@link BadBoundError} unless the terms are such that a route can be within them. */
export function checkTerms(bound: Bound): void {
  if (typeof bound !== 'object' || bound === null) throw badBound('bound', bound, 'an object')
  const {
    gasCost,
    legPrice = 0,
    maxLegs,
    maxGas,
    prices,
    open = [],
    onlyIntermediates = [],
    fee,
  } = bound
  const terms = { gasCost, legPrice, maxLegs, maxGas }
  for (const name of ['gasCost', 'legPrice', 'maxLegs', 'maxGas'] as const) {
    // A file may have texts here, and integers of any length.
    const isIn = typeof terms[name] === 'number' && terms[name] >= LEAST[name]
    if (!isIn) throw badBound(name, terms[name], `at least ${LEAST[name]}`)
  }
  if (!Number.isFinite(gasCost + legPrice)) throw badBound('gasCost', gasCost, 'finite')
  const isPriced = isRecord(prices) && Object.values(prices).every((u) => typeof u === 'number')
  if (!isPriced) throw badBound('prices', prices, 'numbers by address')
  const lists = { setAside: bound.setAside, excluded: bound.excluded, onlyIntermediates }
  for (const [name, list] of Object.entries(lists)) {
    const isList = Array.isArray(list) && list.every((one) => typeof one === 'string')
    if (!isList) throw badBound(name, list, 'a list of ids')
  }
  if (!Array.isArray(open) || !open.every(isRecord)) throw badBound('open', open, 'a list of edges')
  if (fee && !(Number.isInteger(fee.ppm) && fee.ppm >= 0)) throw badBound('fee', fee, 'one in ppm')
}

const isRecord = (value: unknown) => typeof value === 'object' && value !== null

export function badBound(field: string, value: unknown, wanted: string): BadBoundError {
  const got = textOf(value)
  return new BadBoundError(`${field} is ${got}, not ${wanted}`, { field, got, wanted })
}

/** Nothing can be recomputed from a certificate; details name the field. */
class BadBoundError extends BaseError {
  readonly code = 'BAD_BOUND'
}
