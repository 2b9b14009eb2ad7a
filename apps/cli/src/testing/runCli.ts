import { join } from 'node:path'
import { plain } from '@braid-swap/draw'
import { recordedVectorsPath } from '@braid-swap/vectors'
import { runProgram } from '../program.js'
import type { Terminal } from '../terminal.js'

/** The options that select the recorded market in the repository. */
export const frozen: readonly string[] = [
  '--snapshot',
  join(recordedVectorsPath, 'snapshots/999-79.json'),
  '--tokens',
  join(recordedVectorsPath, 'tokens.json'),
]

/** Runs a command line as the program would, and returns its output and exit code. */
export async function runCli(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  person: Pick<Terminal, 'ask' | 'columns' | 'input' | 'progress'> = {},
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const written = { out: [] as string[], err: [] as string[] }
  const code = await runProgram(words, {
    out: (text) => void written.out.push(text),
    err: (text) => void written.err.push(text),
    env,
    paint: plain,
    ...person,
  })
  return { code, out: written.out.join('\n'), err: written.err.join('\n') }
}
