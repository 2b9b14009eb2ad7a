import { NATIVE } from '@braid-swap/core'
import type { PlannedOrder } from './orders.js'
import type { Outcome } from './perform.js'

/** An order and its outcome. */
export type Performed = { readonly order: PlannedOrder; readonly outcome: Outcome }

type Executed = Performed & { readonly outcome: Exclude<Outcome, { end: 'refused' }> }

/** The orders that were signed and mined. */
export function executedOf(performed: readonly Performed[]): readonly Executed[] {
  return performed.filter((one): one is Executed => one.outcome.end !== 'refused')
}

/** Says how the router was authorized to take the amount. */
export function paymentOf({ order }: Executed): string {
  if (order.src === NATIVE) return 'value'
  return order.isSigned ? 'Permit2' : 'approval'
}

/** True if an integrator was paid. */
export function feeOf({ outcome }: Executed): string {
  return outcome.quote.meta?.fee ? 'a fee' : 'no fee'
}

/** The number of hops on the longest path of the route, without wraps. */
export function hopsOf({ outcome }: Executed): number {
  const lengths = outcome.quote.routes.map(
    ({ pools }) => pools.filter(({ poolType }) => !/wrap$/.test(poolType)).length,
  )
  return Math.max(...lengths)
}

/** The number of pools in the route, without wraps. */
export function legsOf({ outcome }: Executed): number {
  return outcome.quote.graph.filter(({ poolType }) => !/wrap$/.test(poolType)).length
}

/** Wire names of the families in the route. */
export function poolTypesOf({ outcome }: Executed): readonly string[] {
  return outcome.quote.graph.map(({ poolType }) => poolType)
}

/**
 * The median error of the gas model in percent of what the node needs, over the orders through each
 * family that at least `least` orders cross. A median, because a few orders cross a tick or fill a pair for the
 * first time, which no state shows; and over all routes with a family, because few have one family alone.
 */
export function gasErrorsByFamily(
  executed: readonly Executed[],
  least: number,
): ReadonlyMap<string, number> {
  const settled = executed.filter(({ outcome }) => outcome.end !== 'stopped')
  const errors = [...byFamily(settled)].map(([family, some]) => {
    const over = overEstimatedOf(some).toSorted((a, b) => a - b)
    return [family, over] as const
  })
  return new Map(
    errors
      .filter(([, over]) => over.length >= least)
      .map(([family, over]) => [family, over[Math.floor(over.length / 2)]!]),
  )
}

function familiesOf(one: Executed): readonly string[] {
  const swapping = poolTypesOf(one).filter((poolType) => !/wrap$/.test(poolType))
  return swapping.length === 0 ? ['wrap or unwrap'] : [...new Set(swapping)]
}

/** The orders through each family, families in order. */
function byFamily(orders: readonly Executed[]): ReadonlyMap<string, readonly Executed[]> {
  const families = [...new Set(orders.flatMap(familiesOf))].sort()
  return new Map(
    families.map((family) => [family, orders.filter((one) => familiesOf(one).includes(family))]),
  )
}

/** The model's gas over `eth_estimateGas`, for orders that the node could run. */
function overEstimatedOf(orders: readonly Executed[]): readonly number[] {
  return orders
    .filter(isModelled)
    .flatMap(({ outcome: { quote, gasEstimated } }) =>
      gasEstimated === undefined ? [] : [overOf(quote.gas, gasEstimated)],
    )
}

/** The model of a quote does not know how the swap will be paid: the API adds the gas of a signature. */
function isModelled({ order }: Executed): boolean {
  return !order.isSigned
}

/** The excess of the model over the chain's figure, in percent. */
function overOf(model: string | undefined, chain: bigint): number {
  return (Number(model) / Number(chain) - 1) * 100
}

/** One line that identifies an order. */
export function describeOrder({ amount, ...order }: PlannedOrder): string {
  return JSON.stringify({ ...order, amount: `${amount}` })
}
