import { type Paint, plain } from '@braid-swap/draw'
import pc from 'picocolors'

/** Where a command writes and what it may read: a process, or a test. */
export type Terminal = {
  /** Results, for people and pipes. */
  readonly out: (text: string) => void
  /** Progress and errors. */
  readonly err: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly paint: Paint
}

/** The terminal this process runs in; coloured where it shows colours. */
export function processTerminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    env: process.env,
    paint: process.stdout.isTTY && pc.isColorSupported ? { strong: pc.bold, faint: pc.dim } : plain,
  }
}
