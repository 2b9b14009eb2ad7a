import { anyInteger } from '../../families/differential/integers.js'
import { createOrders, type OrderWish } from './orders.js'
import { perform } from './perform.js'
import { describeOrder, type Performed } from './report.js'
import type { World } from './world.js'

/** Performs random orders while others trade, until they are complete; also returns every broken promise. */
export async function performOrders(
  world: World,
  run: {
    /** What the next order must be, after those that were performed. */
    readonly wishFor?: (performed: readonly Performed[]) => OrderWish
    readonly isComplete: (performed: readonly Performed[]) => boolean
    readonly maxTries: number
  },
): Promise<{ readonly performed: readonly Performed[]; readonly faults: readonly string[] }> {
  const faults: string[] = []
  const performed: Performed[] = []
  const next = await createOrders(world.devnet, world.random)
  for (let tries = 0; !run.isComplete(performed) && tries < run.maxTries; tries++) {
    await world.devnet.trade(anyInteger(world.random, 0, 3))
    await world.devnet.mine()
    const order = next(run.wishFor?.(performed))
    const found: string[] = []
    const outcome = await perform(world, order, found)
    faults.push(...found.map((fault) => `${tries}: ${fault}: ${describeOrder(order)}`))
    performed.push({ order, outcome })
  }
  return { performed, faults }
}
