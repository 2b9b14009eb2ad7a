import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { type Paint, plain } from '@braid-swap/draw'
import pc from 'picocolors'

/** The output streams and the environment of a command, of a process or of a test. */
export type Terminal = {
  /** Results, for people and pipes. */
  readonly out: (text: string) => void
  /** Progress and errors. */
  readonly err: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly paint: Paint
  /** The whole standard input; absent if it is a terminal. */
  readonly input?: () => string
  /** Characters in a line of the terminal that shows the results; absent if they go elsewhere. */
  readonly columns?: number
  /** Replaces the last line of progress; an empty text removes it. Absent if nobody watches. */
  readonly progress?: (text: string) => void
  /** Asks a person and returns the line typed; absent if nobody sits at the terminal. */
  readonly ask?: (question: string) => Promise<string>
}

/** The terminal of this process, with colours if it supports them. */
export function processTerminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    env: process.env,
    paint: process.stdout.isTTY && pc.isColorSupported ? { strong: pc.bold, faint: pc.dim } : plain,
    ...(!process.stdin.isTTY && { input: () => readFileSync(STDIN, 'utf8') }),
    ...(process.stdout.isTTY && { columns: process.stdout.columns }),
    ...(process.stderr.isTTY && { progress: replaceLine }),
    ...(process.stdin.isTTY && process.stderr.isTTY && { ask: askPerson }),
  }
}

const STDIN = 0

/** To the start of the line, the text, and nothing behind it. */
function replaceLine(text: string): void {
  process.stderr.write(`\r${text}\u001b[K`)
}

async function askPerson(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // A question that ends with Ctrl-C or Ctrl-D is never answered.
  const closed = new Promise<string>((done) => {
    lines.once('close', () => done(''))
  })
  try {
    return await Promise.race([lines.question(question), closed])
  } finally {
    lines.close()
  }
}
