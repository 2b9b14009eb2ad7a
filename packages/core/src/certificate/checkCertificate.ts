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

/** Throws a {@link BadBoundError} unless the terms are such that a route can be within them. */
export function checkTerms(bound: Bound): void {
  if (typeof bound !== 'object' || bound === null) throw badBound('bound', bound, 'an object')
  const { gasCost, legPrice = 0, maxLegs, maxGas, prices } = bound
  if (!(gasCost >= 0)) throw badBound('gasCost', gasCost, 'at least 0')
  if (!(legPrice >= 0)) throw badBound('legPrice', legPrice, 'at least 0')
  if (!(maxLegs >= 1)) throw badBound('maxLegs', maxLegs, 'at least 1')
  if (!(maxGas >= ROUTER_GAS)) throw badBound('maxGas', maxGas, `at least ${ROUTER_GAS}`)
  if (typeof prices !== 'object' || prices === null) throw badBound('prices', prices, 'by address')
  for (const name of ['setAside', 'excluded'] as const) {
    if (!Array.isArray(bound[name])) throw badBound(name, bound[name], 'a list of ids')
  }
}

export function badBound(field: string, value: unknown, wanted: string): BadBoundError {
  const got = textOf(value)
  return new BadBoundError(`${field} is ${got}, not ${wanted}`, { field, got, wanted })
}

/** Nothing can be recomputed from a certificate; details name the field. */
class BadBoundError extends BaseError {
  readonly code = 'BAD_BOUND'
}
