/**
 * What one API process does under load, beside the solver alone in the same process: rates over
 * connections, times at half of the capacity, `/healthz` beside a crowd, and a polite client beside
 * clients that do their worst.
 */
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../stats.js'
import type { Child } from './apiChild.js'
import { evenArrivals, poissonArrivals } from './arrivals.js'
import { crowd } from './crowd.js'
import { type Driver, openDriver } from './drive.js'
import type { Solved } from './messages.js'
import { type Measured, type Row, rowOf, type Turn } from './rows.js'

/** How to measure. */
export type Run = {
  readonly seconds: number
  readonly connections: readonly number[]
  readonly seed: number
  readonly log: (line: string) => void
}

/** What can be loaded beside the solver: an API, or several. */
export type Loaded = Pick<Child, 'setBlocks' | 'solve'> &
  Pick<Row, 'load'> & {
    readonly driver: Driver
    /** Milliseconds of the processor that all processes which answer have used. */
    readonly cpuMs: () => Promise<number>
  }

/** Seconds of a turn of the load, and of the solver after it. */
const [LOAD_S, SOLVER_S] = [1.2, 0.6]

/** Measures turns of loads, without blocks and with one every second, each beside the solver. */
export async function measureTurns(
  loaded: Loaded,
  of: Pick<Run, 'log'> & {
    readonly turns: number
    readonly blocks: readonly boolean[]
    /** When requests are due in a turn; as fast as possible if absent. */
    readonly timesOf?: (turn: number) => readonly number[]
  },
): Promise<Measured[]> {
  const { driver, load, setBlocks, solve, cpuMs } = loaded
  const measured = of.blocks.map((blocks) => ({
    ...{ load, blocks },
    turns: [] as Turn[],
    solved: [] as Solved[],
  }))
  for (let turn = 0; turn < of.turns; turn++) {
    for (const { blocks, turns, solved } of measured) {
      await setBlocks(blocks)
      const times = of.timesOf?.(turn)
      const fromMs = await cpuMs()
      const driven = await (times ? driver.at(times) : driver.flatOut(LOAD_S))
      turns.push({ ...driven, cpuMs: (await cpuMs()) - fromMs, ...(times && { times }) })
      await setBlocks(false)
      solved.push(...(await solve(SOLVER_S)))
    }
  }
  for (const one of measured) of.log(lineOf(rowOf(one)))
  return measured
}

/** The driver of an API. */
function driverOf(
  { url, key, ...api }: Child,
  {
    connections,
    paths = api.paths,
  }: { readonly connections: number } & Partial<Pick<Child, 'paths'>>,
): Driver {
  return openDriver({ urls: [url], key, paths, connections })
}

/** Rates over connections, without blocks and with one every second. */
export async function rates(api: Child, run: Run): Promise<Measured[]> {
  const turns = Math.ceil(run.seconds / LOAD_S)
  const all: Measured[] = []
  for (const connections of run.connections) {
    const driver = driverOf(api, { connections })
    const loaded = { ...api, load: `${connections} connections`, driver }
    all.push(...(await measureTurns(loaded, { ...run, turns, blocks: [false, true] })))
    driver.close()
  }
  return all
}

/** Enough for every request that may wait. */
const OPEN_CONNECTIONS = 128
/** Short, so that a moment in which the host keeps the processor spoils one turn of many. */
const HALF_TURN_S = 2

const HALVES = [
  { isSmallOnly: false, isEven: false },
  { isSmallOnly: true, isEven: false },
  { isSmallOnly: false, isEven: true },
]

/**
 * At half of the capacity, with random arrivals: the same ones without blocks and with one every
 * second, of all orders and of the small ones alone. The capacity is measured just before.
 */
export async function halfOfCapacity(api: Child, run: Run): Promise<Measured[]> {
  const all: Measured[] = []
  const { seconds, seed } = run
  for (const { isSmallOnly, isEven } of HALVES) {
    const chosen = api.paths.flatMap((_, i) => (isSmallOnly && !api.isSmall[i] ? [] : [i]))
    const paths = chosen.map((i) => api.paths[i]!)
    const orders = isSmallOnly ? 'small orders' : 'all orders'
    const mix = isEven ? `${orders} at a constant rate` : orders
    const full = driverOf(api, { connections: 16, paths })
    const { perSecond } = await capacityOf(full, seconds / 2)
    full.close()
    const driver = driverOf(api, { connections: OPEN_CONNECTIONS, paths })
    const half = { perSecond: perSecond / 2, seconds: HALF_TURN_S }
    const timesOf = (turn: number) =>
      isEven ? evenArrivals(half) : poissonArrivals({ ...half, seed: seed + turn })
    const loaded = {
      ...{ ...api, load: `half of capacity, ${mix}`, driver },
      // The driver counts the chosen orders, the solver all.
      solve: async (span: number) => renumber(await api.solve(span), chosen),
    }
    const turns = Math.max(1, Math.round((5 * seconds) / HALF_TURN_S))
    all.push(...(await measureTurns(loaded, { ...run, turns, blocks: [false, true], timesOf })))
    driver.close()
  }
  return all
}

async function capacityOf(
  driver: Driver,
  seconds: number,
): Promise<{ readonly perSecond: number }> {
  const driven = await driver.flatOut(seconds)
  return { perSecond: driven.answers.length / driven.seconds }
}

function renumber(solved: readonly Solved[], chosen: readonly number[]): readonly Solved[] {
  const places = new Map(chosen.map((order, place) => [order, place]))
  return solved.flatMap((one) => {
    const order = places.get(one.order)
    return order === undefined ? [] : [{ ...one, order }]
  })
}

const CROWD = 256
const HEALTH_EVERY_MS = 100

/** Milliseconds of `/healthz` on new connections, beside 256 connections of quotes. */
export async function healthBesideCrowd(api: Child, { seconds, log }: Run): Promise<number[]> {
  let isOver = false
  const load = crowd({ ...api, connections: CROWD, seconds })
  const statuses = load.statuses.finally(() => {
    isOver = true
  })
  const times: number[] = []
  await load.begun
  while (!isOver) {
    await sleep(HEALTH_EVERY_MS)
    times.push(await askHealth(api.url))
  }
  await statuses
  log(`/healthz: p50 ${show(percentile(times, 0.5))}, p99 ${show(percentile(times, 0.99))} ms`)
  return times
}

async function askHealth(url: string): Promise<number> {
  const start = performance.now()
  const asked = request(`${url}/healthz`, { agent: false }).end()
  const [response] = await once(asked, 'response')
  response.resume()
  if (response.statusCode !== 200) throw new RangeError(`/healthz is ${response.statusCode}`)
  return performance.now() - start
}

/** The polite key asks for half of its limit of 20 a second. */
const POLITE_RATE = 10

/** The crowds ask for so much longer, because the polite key begins after them. */
const CROWD_LONGER_S = 2

/** What a polite key gets beside 256 connections without a key and a key that floods from 32. */
export async function politeAmongOthers(api: Child, { seconds, seed, log }: Run) {
  const { url, paths, polite, flooding } = api
  const arrivals = poissonArrivals({ perSecond: POLITE_RATE, seconds, seed })
  const driver = openDriver({ urls: [url], paths, key: polite, connections: 16 })
  const load = { url, paths, seconds: seconds + CROWD_LONGER_S }
  const crowds = [
    crowd({ ...load, connections: CROWD }),
    crowd({ ...load, key: flooding, connections: 32 }),
  ]
  await Promise.all(crowds.map(({ begun }) => begun))
  const { answers } = await driver.at(arrivals)
  await Promise.all(crowds.map(({ statuses }) => statuses))
  driver.close()
  const answered = answers.filter(({ status }) => status === 200 || status === 422)
  const p99Ms = percentile(
    answered.map(({ ms }) => ms),
    0.99,
  )
  const share = answered.length / answers.length
  const others = answers.filter((answer) => !answered.includes(answer))
  const late = others.map(({ status, ms }) => `${status} after ${show(ms)} ms`).join(', ')
  log(`polite: ${(100 * share).toFixed(1)} %, p99 ${show(p99Ms)} ms${late && `; ${late}`}`)
  return { share, p99Ms, asked: answers.length }
}

function lineOf({
  load,
  blocks,
  perSecond,
  rateShare,
  cpuShare,
  p50Ms,
  p99Ms,
  ideal,
}: Row): string {
  const parts = [
    `${load}${blocks ? ', a block a second' : ''}: ${perSecond.toFixed(0)}/s`,
    `rate × ${rateShare.toFixed(2)}, processor × ${cpuShare.toFixed(2)}`,
    `p50 ${show(p50Ms)} ms, p99 ${show(p99Ms)} ms`,
    ...(ideal ? [`ideal p50 ${show(ideal.p50Ms)}, p99 ${show(ideal.p99Ms)} ms`] : []),
  ]
  return parts.join(', ')
}

function show(ms: number): string {
  return ms.toPrecision(3)
}
