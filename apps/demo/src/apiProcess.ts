import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ApiDownError } from './errors.js'

/** The API as an operator runs it: a separate process, configured by its environment. */
export type ApiProcess = {
  readonly pid: number
  /** Resolves with the error to report if the process exits unexpectedly. */
  readonly died: Promise<ApiDownError>
  /** Stops the process gracefully and resolves when it has exited; calling it again is harmless. */
  readonly stop: () => Promise<void>
}

/** Loading the market takes a second or two, but minutes on a busy machine. */
const READY_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 5_000
const LAST_LINES = 10

/** Has the API make a key in a file, which is created if absent, and returns the key. */
export async function createKey(file: string, terms: readonly string[]): Promise<string> {
  const words = [mainModule(), 'keys', 'create', '--file', file, ...terms]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  return stdout.trim()
}

/** Starts the API and waits until it is ready to quote. Throws {@link ApiDownError}. */
export async function startApiProcess(options: {
  readonly url: string
  readonly environment: Readonly<Record<string, string>>
  readonly logFile: string
}): Promise<ApiProcess> {
  const { url, logFile } = options
  const child = spawn(process.execPath, ['--import', guardModule(), mainModule()], {
    // A separate session: Ctrl-C reaches only the demo, which then stops the API gracefully.
    detached: true,
    env: { PATH: process.env['PATH'], ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const log = createWriteStream(logFile)
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  let stopping = false
  // 'close' instead of 'exit', because then its last output has been read.
  const gone = once(child, 'close')
  const died = gone.then(([code, signal]) => {
    log.end()
    if (stopping) return new Promise<never>(() => {})
    return new ApiDownError(`ended with ${signal ?? code}`, logFile, lastLinesOf(logFile))
  })
  const stop = async () => {
    stopping = true
    await endProcess(child, gone)
  }
  try {
    await Promise.race([waitUntilReady(url, logFile), died.then((error) => Promise.reject(error))])
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: child.pid ?? 0, died, stop }
}

async function waitUntilReady(url: string, logFile: string): Promise<void> {
  const until = performance.now() + READY_TIMEOUT_MS
  while (performance.now() < until) {
    const isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await sleep(100)
  }
  throw new ApiDownError(`was not ready in ${READY_TIMEOUT_MS} ms`, logFile, lastLinesOf(logFile))
}

async function endProcess(child: ChildProcess, gone: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await gone
  clearTimeout(patience)
}

function lastLinesOf(logFile: string): string {
  return readFileSync(logFile, 'utf8').trim().split('\n').slice(-LAST_LINES).join('\n')
}

function mainModule(): string {
  return fileURLToPath(
    new URL('bin/braid-api.js', import.meta.resolve('@braid-swap/api/package.json')),
  )
}

function guardModule(): string {
  return new URL('endWithParent.js', import.meta.url).href
}
