/**
 * The table of mutants in `verdicts.tsv`: file, change, how it ended, and the first test that failed on it.
 * `mutate.mjs` writes it, and a test compares it with the lists, so that no mutant is without a verdict.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readMutants } from './readMutants.mjs'

const FILE = new URL('verdicts.tsv', import.meta.url)
const HEAD = 'file\tchange\tend\tby\n'

/** The first two columns of a mutant's row, which name it. */
export function nameOf([file, before, after]) {
  const text = (part) => part.replaceAll(/\s+/g, ' ').trim()
  const change = after === '' ? `drop ${text(before)}` : `${text(before)} => ${text(after)}`
  return `${file.slice('src/'.length)}\t${change}`
}

/** The rows of the table, by the mutant's name. */
export function readVerdicts() {
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').trimEnd().split('\n').slice(1) : []
  const rows = lines.map((line) => {
    const [file, change, end, by] = line.split('\t')
    return [`${file}\t${change}`, { end, by }]
  })
  return new Map(rows)
}

/** Records the verdict of one mutant. Rows of mutants that are no longer listed are dropped. */
export async function recordVerdict(mutant, { end, by }) {
  // The compiler says many lines about a broken mutant.
  const verdict = { end, by: end === 'BROKEN' ? '' : by }
  const verdicts = readVerdicts().set(nameOf(mutant), verdict)
  const rows = (await readMutants()).map(nameOf).flatMap((name) => {
    const row = verdicts.get(name)
    return row ? [`${name}\t${row.end}\t${row.by}\n`] : []
  })
  writeFileSync(FILE, HEAD + rows.join(''))
}
