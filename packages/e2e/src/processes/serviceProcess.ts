/** `braid-api` as operators run it: a process of its own, which tests may pause and kill. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** A line of the log. */
export type LogLine = {
  readonly msg?: string
  readonly pid?: number
  readonly url?: string
  readonly metricsUrl?: string
}

/** A process of a service. */
export type ServiceProcess = {
  readonly pid: number
  /** The first line of the log with this message, now or later. Throws if the process ends before. */
  readonly logged: (msg: string) => Promise<LogLine>
  readonly lines: readonly LogLine[]
  /** Holds the lines that are not JSON: messages for people. */
  readonly texts: readonly string[]
  /** From now on nobody reads what it writes. */
  readonly stopReading: () => void
  readonly signal: (name: NodeJS.Signals) => void
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  readonly kill: () => Promise<void>
}

/** The built program of this checkout. */
export const ownProgram = new URL('../bin/braid-api.js', import.meta.resolve('@braid-swap/api'))
  .pathname

/** Starts a built program, by default that of this checkout, with arguments and an environment. */
export function startService(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  program = ownProgram,
): ServiceProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killLeft = () => child.kill('SIGKILL')
  process.once('exit', killLeft)
  const lines: LogLine[] = []
  const texts: string[] = []
  const read = (text: string) => {
    try {
      lines.push(JSON.parse(text) as LogLine)
    } catch {
      texts.push(text)
    }
  }
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', read)
  let hasEnded = false
  const ended = once(child, 'close').then(([code, signal]) => {
    hasEnded = true
    process.off('exit', killLeft)
    return (code ?? signal) as number | NodeJS.Signals
  })
  const logged = async (msg: string) => {
    while (true) {
      const line = lines.find((one) => one.msg === msg)
      if (line) return line
      if (hasEnded) throw new Error(`braid-api ended before "${msg}": ${texts.join('\n')}`)
      await sleep(5)
    }
  }
  return {
    pid: child.pid!,
    ...{ logged, lines, texts, ended },
    stopReading: () => {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    signal: (name) => void process.kill(child.pid!, name),
    kill: async () => {
      if (!hasEnded) child.kill('SIGKILL')
      await ended
    },
  }
}
