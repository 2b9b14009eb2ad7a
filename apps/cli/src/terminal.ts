import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import pc from 'picocolors'
import { type Paint, plain } from './draw/index.js'

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

/** Strangers' words in one line, without the characters that could steer a terminal. */
export function plainText(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** The colours of this program, or a character that steers the terminal, which only strangers write. */
const STEERING = new RegExp(
  `${String.fromCharCode(27)}\\[(?:1|2|22)m|(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]`,
  'gu',
)

/** A terminal that shows no control character of a token, a venue, an API or a node. */
export function withoutControls(terminal: Terminal): Terminal {
  const { progress } = terminal
  const clean = (text: string) =>
    text.replace(STEERING, (found) => (found.length > 2 ? found : '\ufffd'))
  return {
    ...terminal,
    out: (text) => terminal.out(clean(text)),
    err: (text) => terminal.err(clean(text)),
    ...(progress && { progress: (text: string) => progress(clean(text)) }),
  }
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
