import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The API as an operator runs it, which can be killed. */
export type ApiProcess = {
  /** Resolves when it is ready to quote, with its address and the source of its market. */
  readonly ready: Promise<Readiness>
  /** Kills it, like the loss of the machine. */
  readonly kill: () => Promise<void>
}

/** The time from the start of a process until it was ready, and how it started. */
export type Readiness = {
  readonly url: string
  readonly readyMs: number
  /** True if it resumed from a saved market. */
  readonly isWarm: boolean
  /** Its log message about a saved market that it did not use. */
  readonly refusals: readonly string[]
}

type Line = { readonly msg?: string; readonly url?: string; readonly err?: { message: string } }

/** Starts the built API with an environment; reads its log without showing it. */
export function startApiProcess(environment: Readonly<Record<string, string>>): ApiProcess {
  const startedMs = performance.now()
  const program = new URL('../bin/braid-api.js', import.meta.resolve('@braid-swap/api'))
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const killLeft = () => child.kill('SIGKILL')
  process.once('exit', killLeft)
  const gone = once(child, 'close').then(() => process.off('exit', killLeft))
  const ready = readiness(child, startedMs)
  ready.catch(() => {})
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  return { ready, kill }
}

async function readiness(child: ChildProcess, startedMs: number): Promise<Readiness> {
  let url: string | undefined
  let isWarm = false
  const refusals: string[] = []
  for await (const text of createInterface({ input: child.stdout! })) {
    const line = JSON.parse(text) as Line
    url = line.url ?? url
    if (line.msg === 'resuming from the saved market') isWarm = true
    if (line.msg?.startsWith('ignoring the saved market')) refusals.push(line.err!.message)
    if (line.msg !== 'market loaded' || url === undefined) continue
    while (!(await fetch(`${url}/readyz`)).ok) await sleep(1)
    child.stdout!.resume()
    return { url, readyMs: performance.now() - startedMs, isWarm, refusals }
  }
  throw new Error('the API ended before it was ready')
}
