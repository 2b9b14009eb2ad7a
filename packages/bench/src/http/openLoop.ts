/**
 * An open loop of requests: each is sent at its time, whether earlier ones are answered or not, and is timed from when
 * it was due, so that an answer that holds up others counts as late for each.
 */
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ready } from './apiProcess.js'

/** The generator of the loads, as a report names it. */
export const GENERATOR = `openLoop.ts, node:http of Node ${process.versions.node}, in a process of its own`

/** What a load of some requests a second got. */
export type Step = {
  readonly perSecond: number
  /** Times of answers, in milliseconds. */
  readonly ms: readonly number[]
  /** Requests that were refused, or not answered. */
  readonly refused: number
}

// An order without a route is answered with 422.
const ANSWERS: ReadonlySet<number | undefined> = new Set([200, 422])

/** Asks for the paths in turn, so many a second for so long, and waits for all answers. */
export async function openLoop(
  { url, key, paths }: Ready,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Step> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const ms: number[] = []
  let refused = 0
  const ask = (path: string, dueMs: number) =>
    new Promise<void>((done) => {
      const options = { agent, headers: { apikey: key } }
      const request = get(`${url}${path}`, options, (answer) => {
        answer.resume().once('close', () => {
          if (ANSWERS.has(answer.statusCode)) ms.push(performance.now() - dueMs)
          else refused += 1
          done()
        })
      })
      request.once('error', () => {
        refused += 1
        done()
      })
    })
  const startMs = performance.now()
  const asked: Promise<void>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    const dueMs = startMs + (n * 1_000) / perSecond
    const aheadMs = dueMs - performance.now()
    if (aheadMs > 1) await sleep(aheadMs)
    asked.push(ask(paths[n % paths.length]!, dueMs))
  }
  await Promise.all(asked)
  agent.destroy()
  return { perSecond, ms, refused }
}
