import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordedVectorsPath } from '@braid-swap/vectors'
import { expect } from 'vitest'
import { plain } from '../draw/index.js'
import { runProgram } from '../program.js'
import type { Terminal } from '../terminal.js'
import { answers, errorAnswer } from './answers.js'

/** The options that select the recorded market in the repository. */
export const frozen: readonly string[] = [
  '--snapshot',
  join(recordedVectorsPath, 'snapshots/999-79.json'),
  '--tokens',
  join(recordedVectorsPath, 'tokens.json'),
]

const state = mkdtempSync(join(tmpdir(), 'braid-state-'))
process.once('exit', () => rmSync(state, { recursive: true, force: true }))

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
    env: { XDG_STATE_HOME: state, ...env },
    paint: plain,
    ...person,
  })
  const [out, err] = [written.out.join('\n'), written.err.join('\n')]
  if (words.includes('--json')) requireForm(words, { code, out, err })
  return { code, out, err }
}

/** Every `--json` answer of every test has the form that docs/cli.schema.json describes. */
function requireForm(
  [command, part]: readonly string[],
  { code, out, err }: { readonly code: number; readonly out: string; readonly err: string },
): void {
  const schema = answers[command === 'snapshot' ? `${command} ${part}` : `${command}`]
  if (out !== '')
    expect(schema?.safeParse(JSON.parse(out)).error, out.slice(0, 500)).toBeUndefined()
  const last = err.split('\n').at(-1)!
  if (code > 1 && last.startsWith('{')) {
    expect(errorAnswer.safeParse(JSON.parse(last)).error, last).toBeUndefined()
  }
}
