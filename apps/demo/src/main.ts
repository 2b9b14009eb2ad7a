#!/usr/bin/env node
import { BaseError } from '@braid-swap/core'
import pc from 'picocolors'
import { readConfig } from './config.js'
import { startDemo } from './demo.js'
import { writeGuide } from './guide.js'

const tell = (line: string) => process.stderr.write(`${pc.dim('·')} ${line}\n`)

/** Runs until a signal comes or a part fails; the exit code says which. */
async function main(): Promise<number> {
  const config = readConfig(process.env)
  const stopping = nextSignal()
  const demo = await Promise.race([startDemo(config, tell), stopping])
  // Cut off half way: what was started sees this process go and goes too.
  if (typeof demo === 'string') return 0
  try {
    const paint = { strong: pc.bold, faint: pc.dim }
    // Quoted before anybody trades: everybody who starts the demo reads the same numbers first.
    process.stdout.write(await writeGuide(demo.file, config.folder, paint))
    demo.startTrading()
    const reason = await Promise.race([stopping, demo.failed])
    if (typeof reason !== 'string') throw reason
    tell(`${reason}: ending`)
    return 0
  } finally {
    await demo.stop()
  }
}

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    watchNpm(() => resolve('npm is gone'))
    // Stay registered: a second Ctrl-C, or npm's copy of the first, must not cut the ending short.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => resolve(signal))
    }
  })
}

/**
 * npm ends the shell it runs a script in, and the shell does not tell its child: that npm is gone
 * is seen only by the parent being another.
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
