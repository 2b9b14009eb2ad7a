// `pnpm bench http`: quotes per second and their times over HTTP, as ratios to the solver alone in the
// same run, on the recorded market, idle and with a block every second; and what a polite client
// gets while others do their worst.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { percentile } from '../stats.js'
import { applyLoad, type Loaded } from './load.js'
import type { Answer, Question } from './messages.js'

/** Settings of a run. */
export type HttpRun = {
  readonly seconds: number
  readonly connections: readonly number[]
  readonly seed: number
  readonly log: (line: string) => void
}

/** One row of figures: a number of connections, or the solver alone. */
export type HttpRow = {
  readonly connections: number
  readonly blocks: boolean
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Milliseconds of the processor per quote, of the API's process. */
  readonly cpuMs: number
}

/** The figures of a run. */
export type HttpFigures = {
  readonly pools: number
  readonly solver: Omit<HttpRow, 'connections' | 'blocks'>
  readonly rows: readonly HttpRow[]
  /** At half of the capacity of 16 connections, without and with blocks. */
  readonly half: readonly HttpRow[]
  /** Milliseconds of `/healthz` on new connections during 256 connections of quotes. */
  readonly health: { readonly asked: number; readonly p99Ms: number; readonly mostMs: number }
  /** Answers of a polite key while 256 connections without a key and a flooding key ask. */
  readonly fairness: {
    readonly polite: Readonly<Record<number, number>>
    readonly share: number
    readonly p99Ms: number
  }
}

type Api = Required<Pick<Answer, 'url' | 'key' | 'polite' | 'flooding' | 'pools' | 'paths'>> & {
  readonly ask: (question: Question) => Promise<Answer>
}

/** Measures everything; about 20 times `seconds`. */
export async function measureHttp({
  seconds,
  connections,
  seed,
  log,
}: HttpRun): Promise<HttpFigures> {
  const child = fork(fileURLToPath(new URL('apiProcess.js', import.meta.url)), ['200', `${seed}`])
  try {
    const api = await readyApi(child)
    await quotes(api, { connections: 4, seconds, blocks: false })
    const solvers = [await solverAlone(api, seconds)]
    const rows: HttpRow[] = []
    for (const blocks of [false, true]) {
      for (const count of connections) {
        rows.push(await quotes(api, { connections: count, seconds, blocks }))
        log(`${count} connections${blocks ? ', a block a second' : ''}: ${lineOf(rows.at(-1)!)}`)
      }
      solvers.push(await solverAlone(api, seconds))
    }
    const most = rows.filter(({ blocks }) => !blocks).map(({ perSecond }) => perSecond)
    const rate = Math.floor(Math.max(...most) / 2)
    const half: HttpRow[] = []
    for (const blocks of [false, true]) {
      half.push(await quotes(api, { connections: 16, seconds, blocks, rate }))
      log(`half of capacity${blocks ? ', a block a second' : ''}: ${lineOf(half.at(-1)!)}`)
    }
    await api.ask({ ask: 'blocks', on: false })
    const health = await healthUnderLoad(api, seconds)
    const fairness = await politeAmongOthers(api, seconds)
    return { pools: api.pools, solver: mean(solvers), rows, half, health, fairness }
  } finally {
    child.send({ ask: 'end' } satisfies Question)
    await once(child, 'exit')
  }
}

async function readyApi(child: ChildProcess): Promise<Api> {
  const [first] = (await once(child, 'message')) as [Api]
  const ask = async (question: Question) => {
    child.send(question)
    const [answer] = (await once(child, 'message')) as [Answer]
    return answer
  }
  return { ...first, ask }
}

async function solverAlone(api: Api, seconds: number): Promise<HttpFigures['solver']> {
  const { times = [], seconds: took = 1, cpuMs = 0 } = await api.ask({ ask: 'solver', seconds })
  return figuresOf(times, { seconds: took, cpuMs })
}

async function quotes(
  api: Api,
  load: {
    readonly connections: number
    readonly seconds: number
    readonly blocks: boolean
    readonly rate?: number
  },
): Promise<HttpRow> {
  const { connections, blocks } = load
  await api.ask({ ask: 'blocks', on: blocks })
  const { cpuMs: before = 0 } = await api.ask({ ask: 'cpu' })
  const { url, key, paths } = api
  const loaded = await applyLoad({ ...load, url, key, paths })
  const { cpuMs: after = 0 } = await api.ask({ ask: 'cpu' })
  refuseOthers(loaded)
  const { seconds } = loaded
  return { connections, blocks, ...figuresOf(loaded.times, { seconds, cpuMs: after - before }) }
}

/** Throws if anything but 200 and 422 came back: figures of refusals would mean nothing. */
function refuseOthers({ statuses, errors }: Loaded): void {
  const others = Object.keys(statuses).filter((status) => status !== '200' && status !== '422')
  if (others.length > 0 || errors > 0) {
    throw new RangeError(`unexpected answers: ${JSON.stringify(statuses)}, ${errors} errors`)
  }
}

function figuresOf(
  times: readonly number[],
  { seconds, cpuMs }: { readonly seconds: number; readonly cpuMs: number },
) {
  return {
    perSecond: times.length / seconds,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    cpuMs: cpuMs / times.length,
  }
}

function mean(rows: readonly HttpFigures['solver'][]): HttpFigures['solver'] {
  const of = (read: (row: HttpFigures['solver']) => number) =>
    rows.reduce((sum, row) => sum + read(row), 0) / rows.length
  return {
    ...{ perSecond: of((row) => row.perSecond), cpuMs: of((row) => row.cpuMs) },
    ...{ p50Ms: of((row) => row.p50Ms), p99Ms: of((row) => row.p99Ms) },
  }
}

const HEALTH_EVERY_MS = 100
const CROWD = 256

async function healthUnderLoad(api: Api, seconds: number): Promise<HttpFigures['health']> {
  const { url, key, paths } = api
  let isOver = false
  const load = applyLoad({ url, key, paths, connections: CROWD, seconds }).finally(() => {
    isOver = true
  })
  const times: number[] = []
  while (!isOver) {
    await sleep(HEALTH_EVERY_MS)
    times.push(await askHealth(url))
  }
  await load
  return { asked: times.length, p99Ms: percentile(times, 0.99), mostMs: Math.max(...times) }
}

/** Milliseconds until `/healthz` is answered on a connection of its own. */
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

async function politeAmongOthers(api: Api, seconds: number): Promise<HttpFigures['fairness']> {
  const { url, paths, polite, flooding } = api
  const [loaded] = await Promise.all([
    applyLoad({ url, paths, key: polite, connections: 2, seconds, rate: POLITE_RATE }),
    applyLoad({ url, paths, connections: CROWD, seconds }),
    applyLoad({ url, paths, key: flooding, connections: 32, seconds }),
  ])
  const all = Object.values(loaded.statuses).reduce((sum, count) => sum + count, loaded.errors)
  const answered = (loaded.statuses[200] ?? 0) + (loaded.statuses[422] ?? 0)
  return {
    ...{ polite: loaded.statuses, share: answered / all },
    p99Ms: percentile(loaded.times, 0.99),
  }
}

function lineOf({ perSecond, p50Ms, p99Ms, cpuMs }: HttpRow): string {
  const ms = (value: number) => value.toPrecision(3)
  return `${perSecond.toFixed(0)}/s, p50 ${ms(p50Ms)} ms, p99 ${ms(p99Ms)} ms, ${ms(cpuMs)} ms of CPU`
}
