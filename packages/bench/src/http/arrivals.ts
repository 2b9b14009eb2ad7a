/**
 * Arrivals of requests, and what a queue before one server makes of them. Requests of independent
 * users arrive at random (a Poisson process), so some wait for others even at half of the capacity.
 * The ideal queue answers in the order of arrival and costs nothing: what an API adds to the solver is
 * the difference to it.
 */
import { createPrng } from '../prng.js'

/** Random arrival times in milliseconds, ascending, of independent requests. */
export function poissonArrivals({
  perSecond,
  seconds,
  seed,
}: {
  readonly perSecond: number
  readonly seconds: number
  readonly seed: number
}): readonly number[] {
  const prng = createPrng(seed)
  const arrivals: number[] = []
  const gap = () => (-Math.log(1 - prng.next()) * 1_000) / perSecond
  for (let at = gap(); at < seconds * 1_000; at += gap()) arrivals.push(at)
  return arrivals
}

/** Arrival times in milliseconds at a constant rate, as load generators send by default. */
export function evenArrivals({
  perSecond,
  seconds,
}: {
  readonly perSecond: number
  readonly seconds: number
}): readonly number[] {
  const gap = 1_000 / perSecond
  return Array.from({ length: Math.floor(perSecond * seconds) }, (_, i) => (i + 1) * gap)
}

/**
 * Milliseconds from each arrival to its answer behind servers that share one queue. Request i needs
 * `services[i]`, and the requests are taken in their order (Lindley's recursion, for one server).
 */
export function queueTimes(
  arrivals: readonly number[],
  services: readonly number[],
  servers = 1,
): readonly number[] {
  const freeAt: number[] = new Array(servers).fill(0)
  return arrivals.map((arrival, i) => {
    const first = freeAt.indexOf(Math.min(...freeAt))
    freeAt[first] = Math.max(freeAt[first]!, arrival) + services[i]!
    return freeAt[first]! - arrival
  })
}
