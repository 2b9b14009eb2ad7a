import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A program in a process of its own, as its user starts it. */
export type Program = {
  readonly pid: number
  /** The lines of standard output so far. */
  readonly out: readonly string[]
  /** The lines of standard error so far. */
  readonly err: readonly string[]
  /** Resolves with true once a line has this text, and with false if the program ends before. */
  readonly says: (text: string) => Promise<boolean>
  /** From now on nobody reads this stream. */
  readonly stopReading: (stream: 'stdout' | 'stderr') => void
  readonly signal: (name: NodeJS.Signals) => void
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Ends it if it runs, and resolves when it is gone. */
  readonly kill: (name?: NodeJS.Signals) => Promise<void>
}

/** How a program is started. */
export type ProgramOptions = {
  /** Its whole environment, beside PATH. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Signals reach the processes that it starts, too. */
  readonly isGroup?: boolean
}

/** Starts a program, which ends at the latest with this process. */
export function startProgram(
  [command, ...words]: readonly [string, ...string[]],
  { env, cwd, isGroup = false }: ProgramOptions = {},
): Program {
  const child = spawn(command, words, {
    ...{ cwd, detached: isGroup, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { PATH: process.env['PATH'], ...env },
  })
  let isRunning = true
  const signal = (name: NodeJS.Signals) => {
    if (!isRunning) return
    try {
      process.kill(isGroup ? -child.pid! : child.pid!, name)
    } catch (error) {
      // A process can be gone before its streams are closed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  const killLeft = () => signal('SIGKILL')
  process.once('exit', killLeft)
  const read = { stdout: [] as string[], stderr: [] as string[] }
  const waiting = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    createInterface(child[name]).on('line', (line) => {
      read[name].push(line)
      for (const look of waiting) look()
    })
  }
  const ended = once(child, 'close').then(([code, by]) => {
    isRunning = false
    process.off('exit', killLeft)
    for (const look of waiting) look()
    return (code ?? by) as number | NodeJS.Signals
  })
  const says = (text: string) =>
    new Promise<boolean>((done) => {
      const look = () => {
        const isSaid = [...read.stdout, ...read.stderr].some((line) => line.includes(text))
        if (!isSaid && isRunning) return
        waiting.delete(look)
        done(isSaid)
      }
      waiting.add(look)
      look()
    })
  return {
    ...{ pid: child.pid!, out: read.stdout, err: read.stderr, says, signal, ended },
    stopReading: (name) => void child[name].destroy(),
    kill: async (name = 'SIGKILL') => {
      signal(name)
      await ended
    },
  }
}
