/**
 * One row of figures: what came back under a load, beside the solver alone on the very same orders. The
 * two are measured in turns of about a second, so what else the machine does changes both alike.
 */
import { mean, percentile } from '../stats.js'
import { queueTimes } from './arrivals.js'
import type { Driven } from './drive.js'
import type { Solved } from './messages.js'

/** What was measured: turns of a load with the processor time of the API, and of the solver alone. */
export type Measured = {
  readonly load: string
  readonly blocks: boolean
  readonly turns: readonly Turn[]
  readonly solved: readonly Solved[]
}

/** One turn of a load. */
export type Turn = Driven & {
  readonly cpuMs: number
  /** When each request was due, if that was given. */
  readonly times?: readonly number[]
}

/** A row of figures. Times in milliseconds. */
export type Row = {
  readonly load: string
  readonly blocks: boolean
  readonly count: number
  readonly perSecond: number
  /** The rate, as a part of the solver's own on the same orders. */
  readonly rateShare: number
  /** The solver's time of the processor on the same orders, as a part of the API's. */
  readonly cpuShare: number
  /** Of the API's processes, per quote. */
  readonly cpuMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of all turns together: with the moments in which the host keeps the processor. */
  readonly pooledP99Ms: number
  /** The same of a queue before the solver alone, if the times of the requests were given. */
  readonly ideal?: Spread
  /** The same of other queues, to see what spreads the times: arrivals, orders or servers. */
  readonly queues?: readonly Queue[]
}

/**
 * Times of answers, in milliseconds: the median over the turns of each turn's percentile, because a host
 * that keeps the processor for a moment spoils one turn, and would else decide the p99 of all.
 */
export type Spread = { readonly p50Ms: number; readonly p99Ms: number }

/** A queue without any cost, at half of its capacity. */
export type Queue = Spread & { readonly servers: number; readonly isEqual: boolean }

/** Computes a row. Throws if anything but answers came back: figures of refusals mean nothing. */
export function rowOf({ load, blocks, turns, solved }: Measured): Row {
  const answers = turns.flatMap((turn) => turn.answers)
  const others = answers.filter(({ status }) => status !== 200 && status !== 422)
  if (others.length > 0) throw new RangeError(`${others.length} answers ${others[0]!.status}`)
  const alone = timesOfOrders(solved)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const sumOf = (read: (of: { readonly ms: number; readonly cpuMs: number }) => number) =>
    sum(answers.map(({ order }) => read(alone(order))))
  const seconds = sum(turns.map((turn) => turn.seconds))
  const cpuMs = sum(turns.map((turn) => turn.cpuMs))
  const times = turns.map((turn) => turn.answers.map(({ ms }) => ms))
  const queues = queuesBefore(turns, (order) => alone(order).ms)
  return {
    ...{ load, blocks, count: answers.length, perSecond: answers.length / seconds },
    rateShare: sumOf(({ ms }) => ms) / (seconds * 1_000),
    cpuShare: sumOf(({ cpuMs: ms }) => ms) / cpuMs,
    cpuMs: cpuMs / answers.length,
    ...spreadOf(times),
    pooledP99Ms: percentile(times.flat(), 0.99),
    ...(queues.length > 0 && { ideal: queues[0]!, queues }),
  }
}

function spreadOf(turns: readonly (readonly number[])[]): Spread {
  const medianOf = (part: number) =>
    percentile(
      turns.map((times) => percentile(times, part)),
      0.5,
    )
  return { p50Ms: medianOf(0.5), p99Ms: medianOf(0.99) }
}

/** The solver's own figures, each order counted once. */
export function solverRow(solved: readonly Solved[]) {
  const alone = timesOfOrders(solved)
  const orders = [...new Set(solved.map(({ order }) => order))].map(alone)
  const times = orders.map(({ ms }) => ms)
  return {
    perSecond: 1_000 / mean(times),
    cpuMs: mean(orders.map(({ cpuMs }) => cpuMs)),
    ...{ p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) },
  }
}

/** The mean times of an order; of all orders for one that was not solved. */
function timesOfOrders(solved: readonly Solved[]) {
  const byOrder = new Map<number, Solved[]>()
  for (const one of solved) byOrder.set(one.order, [...(byOrder.get(one.order) ?? []), one])
  const meanOf = (some: readonly Solved[]) => ({
    ms: mean(some.map(({ ms }) => ms)),
    cpuMs: mean(some.map(({ cpuMs }) => cpuMs)),
  })
  const known = new Map([...byOrder].map(([order, some]) => [order, meanOf(some)]))
  const all = meanOf([...known].map(([order, times]) => ({ order, ...times })))
  return (order: number) => known.get(order) ?? all
}

/** Servers of the queues; the first is the solver of one process. */
const SERVERS = [1, 2, 4]

/**
 * Queues before the solver alone, with the same orders at the same times; with several servers they
 * come as much faster. Once more as if all orders took equally long. None without times.
 */
function queuesBefore(turns: readonly Turn[], serviceOf: (order: number) => number): Queue[] {
  const timed = turns.flatMap(({ times, answers }) => (times ? [{ times, answers }] : []))
  if (timed.length === 0) return []
  const meanMs = mean(timed.flatMap(({ answers }) => answers.map(({ order }) => serviceOf(order))))
  return [false, true].flatMap((isEqual) =>
    SERVERS.map((servers) => {
      const all = timed.map(({ times, answers }) =>
        queueTimes(
          times.map((at) => at / servers),
          answers.map(({ order }) => (isEqual ? meanMs : serviceOf(order))),
          servers,
        ),
      )
      return { servers, isEqual, ...spreadOf(all) }
    }),
  )
}
