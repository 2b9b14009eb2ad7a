#!/usr/bin/env node
import { BaseError } from '@braid-swap/core'
import pc from 'picocolors'
import { type DemoConfig, readConfig } from './config.js'
import { startDemo } from './demo.js'
import { writeGuide, writeRecordedGuide } from './guide.js'
import { isWithoutAnvil, startRecorded } from './recorded.js'

const log = (line: string) => process.stderr.write(`${pc.dim('·')} ${line}\n`)

/** Runs until a signal arrives or a part fails; returns the exit code. */
async function main(): Promise<number> {
  const config = readConfig(process.env)
  const stopping = nextSignal()
  const demo = await Promise.race([startDemo(config, log).catch(withoutAnvil(config)), stopping])
  // Stopped during the start: the child processes exit when this process exits.
  if (typeof demo === 'string') return 0
  try {
    const paint = { strong: pc.bold, faint: pc.dim }
    // The sample quote comes before the first trade, so that every start prints the same numbers.
    process.stdout.write(
      await ('startTrading' in demo
        ? writeGuide(demo.file, config.folder, paint)
        : writeRecordedGuide(demo.file, paint)),
    )
    if ('startTrading' in demo) demo.startTrading()
    const reason = await Promise.race([stopping, demo.failed])
    if (typeof reason !== 'string') throw reason
    log(`${reason}: stopping`)
    return 0
  } finally {
    await demo.stop()
  }
}

/** Serves a recorded market where anvil cannot run; any other error of the start stays one. */
const withoutAnvil = (config: DemoConfig) => (error: unknown) => {
  if (!isWithoutAnvil(error)) throw error
  log(`${error.message}: a recorded market is served instead`)
  return startRecorded(config)
}

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    watchNpm(() => resolve('npm is gone'))
    // Stay registered: a second Ctrl-C, or npm's copy of the first, must not cut the shutdown short.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => resolve(signal))
    }
  })
}

/**
 * Detects the end of npm. npm kills the shell that runs a script, and the shell does not signal its
 * child, so the only sign is a changed parent process.
 */
function watchNpm(onGone: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, PARENT_CHECK_MS)
  timer.unref()
}

const PARENT_CHECK_MS = 500

function explain(error: unknown): string {
  if (error instanceof BaseError) return `${error.message} (${error.code})`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${pc.red('error')} ${explain(error)}\n`)
    process.exit(1)
  },
)
