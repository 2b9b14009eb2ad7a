/**
 * Refuses the phrases that docs/glossary.md lists under "we do not say" in its section on style,
 * anywhere in the repository, and Markdown prose wider than 120 columns. The glossary is the only
 * list; run by `pnpm check`.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const GLOSSARY = 'docs/glossary.md'
const MAX_COLUMNS = 120
const TEXT = /\.(ts|tsx|mjs|cjs|sol|md|css|html|json|ya?ml|toml)$|^\.ci\/run$/
// Written by tools or by others: lock files, compiler output, recorded vectors, token lists, results.
const NOT_OURS =
  /lock\.(json|yaml)$|\/generated\/|^packages\/vectors\/.*\.json$|tokenlist|\/results\//

const phrases = phrasesOf(readFileSync(GLOSSARY, 'utf8'))
const pattern = new RegExp(`\\b(${phrases.join('|')})\\b`, 'gi')
const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => TEXT.test(file) && !NOT_OURS.test(file) && file !== GLOSSARY)

const faults = files.flatMap((file) => faultsOf(file, readFileSync(file, 'utf8')))
for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error(`${faults.length} faults; the words are in ${GLOSSARY}`)
  process.exitCode = 1
}

/** The right column of the table of style: phrases separated by commas. */
function phrasesOf(glossary) {
  const table = glossary.slice(glossary.indexOf('## Style'))
  const found = table
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|\s*(we say|-)/.test(line))
    .flatMap((line) => line.split('|')[2].split(','))
    .map((phrase) => phrase.trim())
  if (found.length < 12) throw new Error(`${GLOSSARY} has no table of style`)
  return found
}

function faultsOf(file, text) {
  let isCode = false
  return text.split('\n').flatMap((line, n) => {
    const at = `${file}:${n + 1}`
    const words = [...line.matchAll(pattern)].map(([word]) => `${at}: "${word}"`)
    if (line.trimStart().startsWith('```')) isCode = !isCode
    // A changeset is one paragraph on one line, as the changelog wants it.
    const isPage = file.endsWith('.md') && !file.startsWith('.changeset/')
    const isProse = isPage && !isCode && !/^\s*\||https?:\/\//.test(line)
    return isProse && line.length > MAX_COLUMNS
      ? [...words, `${at}: ${line.length} columns, at most ${MAX_COLUMNS}`]
      : words
  })
}
