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

/** Counts the orders by a value. */
export function histogram<T>(items: readonly T[], keyOf: (item: T) => string | number): string {
  const counts = new Map<string | number, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return rows.map(([key, n]) => `${key}: ${n}`).join(', ')
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

function exchangesOf({ outcome }: Executed): readonly string[] {
  return outcome.quote.graph.map(({ exchange }) => exchange)
}

/** Describes the run in a few lines. */
export function describeRun(performed: readonly Performed[]): string {
  const executed = executedOf(performed)
  const refused = performed.filter(({ outcome }) => outcome.end === 'refused')
  const settled = executed.filter(({ outcome }) => outcome.end !== 'stopped')
  const overUsed = settled
    .filter(isModelled)
    .map(({ outcome }) => overOf(outcome.quote.gas, outcome.gasUsed))
  return [
    `orders executed ${executed.length}: ${histogram(executed, ({ outcome }) => outcome.end)}`,
    `  kinds: ${histogram(executed, ({ order }) => order.kind)}`,
    `  hops: ${histogram(executed, hopsOf)}; pools: ${histogram(executed, legsOf)}`,
    `  hops by family: ${histogram(executed.flatMap(poolTypesOf), (poolType) => poolType)}`,
    `  hops by venue: ${histogram(executed.flatMap(exchangesOf), (exchange) => exchange)}`,
    `  paths: ${histogram(executed, ({ outcome }) => outcome.quote.routes.length)}`,
    `  races: ${histogram(executed, ({ order }) => order.race)}`,
    `  price impact: ${histogram(executed, impactOf)}`,
    `  worth: ${histogram(executed, ({ order }) => worthOf(order.usd))}`,
    `  paid by: ${histogram(executed, paymentOf)}; receivers: ${histogram(executed, ({ order }) => (order.hasReceiver ? 'another' : 'the sender'))}; fees: ${histogram(executed, feeOf)}`,
    `  rescaled: ${histogram(
      executed.filter(({ outcome }) => outcome.isRescaled).flatMap(poolTypesOf),
      (poolType) => poolType,
    )}`,
    `  sent from: ${histogram(executed, ({ order }) => (order.fromEncodedTx ? 'encodedTx' : 'tx'))}`,
    `  model gas over used, %: ${spreadOf(overUsed)}`,
    `  model gas over eth_estimateGas, %: ${spreadOf(overEstimatedOf(settled))}`,
    ...describeGasByFamily(settled),
    `refused ${refused.length}: ${histogram(refused, ({ outcome, order }) => `${'code' in outcome && outcome.code} at ${worthOf(order.usd)}`)}`,
    ...refused
      .filter(({ outcome, order }) => order.usd > 0.01 && 'code' in outcome)
      .map(
        ({ outcome, order }) => `  ${'code' in outcome && outcome.code}: ${describeOrder(order)}`,
      ),
  ].join('\n')
}

/** The error of the gas model by family: in routes of this family only, and in all routes with it. */
function describeGasByFamily(settled: readonly Executed[]): readonly string[] {
  return [...byFamily(settled)].map(([family, some]) => {
    const only = some.filter((one) => familiesOf(one).length === 1)
    const [alone, all] = [only, some].map((orders) => {
      const over = overEstimatedOf(orders)
      return over.length === 0 ? 'none' : `of ${over.length} ${spreadOf(over)}`
    })
    return `    ${family}: alone ${alone}; in all ${all}`
  })
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

function spreadOf(values: readonly number[]): string {
  const ascending = [...values].sort((a, b) => a - b)
  const at = (part: number) => ascending[Math.floor(part * (ascending.length - 1))]?.toFixed(1)
  return `least ${at(0)}, p10 ${at(0.1)}, median ${at(0.5)}, p90 ${at(0.9)}, most ${at(1)}`
}

/** One line that identifies an order. */
export function describeOrder({ amount, ...order }: PlannedOrder): string {
  return JSON.stringify({ ...order, amount: `${amount}` })
}

function worthOf(usd: number): string {
  const bounds = [0.0001, 1, 1_000, 100_000]
  const bound = bounds.find((most) => usd < most)
  return bound === undefined ? 'more' : `< $${bound}`
}

function impactOf({ outcome }: Executed): string {
  const bps = outcome.impactBps
  const bound = [100, 1_000, 5_000].find((most) => bps < most)
  return bound === undefined ? 'half and more' : `< ${bound / 100} %`
}
