/**
 * The command `pnpm bench http`: loads an API process on the recorded market, with and without a block
 * a second, in turns with the solver alone in that process. The ratios say what HTTP and blocks cost;
 * what else the machine does changes both sides alike.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { Lab } from '../goals/goal.js'
import { toCell } from '../report/markdown.js'
import { percentile } from '../stats.js'
import type { Question, Ready, Times } from './apiProcess.js'

const CONNECTIONS = [1, 16]
// Whole rounds of the orders, because a part of them is another mix. Some two seconds on one core.
const ROUNDS = 4
// An order without a route is answered with 422.
const ANSWERS = [200, 422]

/** Prints one row for each load. Throws if the API refuses a request. */
export async function measureHttp(ask: Pick<Lab, 'isQuick' | 'seed'>): Promise<void> {
  const child = fork(fileURLToPath(new URL('apiProcess.js', import.meta.url)), [`${ask.seed}`])
  const next = async <T>(): Promise<T> => (await once(child, 'message'))[0] as T
  const tell = async <T>(question: Question): Promise<T> => {
    child.send(question)
    return next<T>()
  }
  const ready = await next<Ready>()
  await load(ready, 4)
  console.log('connections  blocks  quotes/s (× solver)  p50 ms (× solver)  p99 ms (× solver)')
  for (const connections of CONNECTIONS) {
    for (const blocks of [false, true]) {
      const served: Times[] = []
      const solved: Times[] = []
      for (let turn = 0; turn < (ask.isQuick ? 1 : 10); turn++) {
        await tell({ isMining: blocks })
        served.push(await load(ready, connections))
        await tell({ isMining: false })
        solved.push(await tell('solve'))
      }
      console.log(rowOf(connections, blocks, merge(served), merge(solved)))
    }
  }
  child.disconnect()
}

function merge(turns: readonly Times[]): Times {
  const seconds = turns.reduce((sum, turn) => sum + turn.seconds, 0)
  return { ms: turns.flatMap(({ ms }) => ms), seconds }
}

/** Asks for every order in each round, over open connections, each as soon as it is answered. */
async function load({ url, key, paths }: Ready, connections: number): Promise<Times> {
  const headers = { apikey: key }
  let clients = 0
  const setupClient = (client: autocannon.Client) => {
    const from = Math.floor((clients++ * paths.length) / connections)
    const turned = [...paths.slice(from), ...paths.slice(0, from)]
    client.setRequests(turned.map((path) => ({ path, method: 'GET', headers })))
  }
  const ms: number[] = []
  const refused: number[] = []
  const { duration, errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = { url, connections, amount: ROUNDS * paths.length, headers, setupClient }
    const running = autocannon(options, (error, result) =>
      error ? reject(error) : resolve(result),
    )
    running.on('response', (_client, status, _bytes, time) => {
      if (ANSWERS.includes(status)) ms.push(time)
      else refused.push(status)
    })
  })
  if (refused.length + errors > 0) {
    throw new Error(`${errors} errors and ${refused.length} refusals, first ${refused[0]}`)
  }
  return { ms, seconds: duration }
}

function rowOf(connections: number, blocks: boolean, served: Times, solved: Times): string {
  const pair = (read: (times: Times) => number) =>
    `${toCell(read(served))} (${(read(served) / read(solved)).toFixed(2)})`
  return [
    `${connections}`.padEnd(11),
    (blocks ? '1/s' : 'none').padEnd(6),
    pair(({ ms, seconds }) => ms.length / seconds).padEnd(19),
    pair(({ ms }) => percentile(ms, 0.5)).padEnd(17),
    pair(({ ms }) => percentile(ms, 0.99)),
  ].join('  ')
}
