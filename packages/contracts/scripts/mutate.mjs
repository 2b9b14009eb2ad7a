/**
 * Breaks the contracts in the ways of `mutants.mjs`, one at a time and each in its own copy, and
 * tells which of them the tests notice. Fails if one survives, or no longer fits the source.
 *
 *   node scripts/mutate.mjs            all of them, two at a time
 *   node scripts/mutate.mjs Executor   those with that in their file or their change
 *
 * Published bytecode and gas are not compared: they would notice everything and show nothing.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MUTANTS } from './mutants.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const COPIED = ['src', 'test', 'scripts', 'foundry.toml', 'package.json']
const JOBS = 2
const LEFT_OUT = 'ArtifactsTest|GasTest'
/** Where the package is in its copy of the repository, beside the one page that a test reads. */
const PACKAGE = 'packages/contracts'
const PAGE = 'docs/program.md'

/** A copy of this package with one break in it. */
function copyWith([file, before, after]) {
  const source = readFileSync(join(root, file), 'utf8')
  const parts = source.split(before)
  if (parts.length !== 2) {
    throw new Error(
      `${file}: wanted exactly one ${JSON.stringify(before)}, got ${parts.length - 1}`,
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'))
  const copy = join(folder, PACKAGE)
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true })
  cpSync(join(root, '../..', PAGE), join(folder, PAGE))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, file), parts.join(after))
  return folder
}

/** Runs the tests of a copy until the first failure. */
function runTests(folder) {
  const words = ['scripts/forge.mjs', 'test', '--fail-fast', '--no-match-contract', LEFT_OUT]
  const env = { ...process.env, FOUNDRY_PROFILE: 'mutation', FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' }
  const child = spawn(process.execPath, words, { cwd: join(folder, PACKAGE), env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** How a mutant ended: the first test that failed, or why there is none. */
function verdictOf({ code, output }) {
  if (code === 0) return { end: 'SURVIVED', by: '' }
  const failed =
    /\[FAIL[^\n]*\] (\w+)\(/.exec(output) ?? /\[FAIL[\s\S]*?\n (invariant_\w+)\(/.exec(output)
  return failed ? { end: 'caught', by: failed[1] } : { end: 'BROKEN', by: output.slice(-2_000) }
}

async function tryMutant(mutant) {
  const folder = copyWith(mutant)
  try {
    return verdictOf(await runTests(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function rowOf([file, before, after], { end, by }, index) {
  const text = (part) => part.replaceAll(/\s+/g, ' ').trim()
  const change = after === '' ? `drop ${text(before)}` : `${text(before)} => ${text(after)}`
  const cell = change.replaceAll('|', '\\|')
  return `| ${index + 1} | ${file.slice('src/'.length)} | \`${cell}\` | ${end} | ${by} |`
}

const chosen = MUTANTS.filter((mutant) => mutant.join(' ').includes(process.argv[2] ?? ''))
const verdicts = []
let next = 0
async function work() {
  while (next < chosen.length) {
    const index = next++
    verdicts[index] = await tryMutant(chosen[index])
    console.error(`${index + 1}/${chosen.length} ${verdicts[index].end} ${verdicts[index].by}`)
  }
}
const start = performance.now()
await Promise.all(Array.from({ length: JOBS }, work))
const count = (wanted) => verdicts.filter(({ end }) => end === wanted).length
console.log('| # | file | change | end | first test to fail |\n| --: | --- | --- | --- | --- |')
for (const [i, mutant] of chosen.entries()) console.log(rowOf(mutant, verdicts[i], i))
console.log(
  `\n${chosen.length} tried, ${count('caught')} caught, ${count('SURVIVED')} survived, ${count('BROKEN')} did not compile, ${Math.round((performance.now() - start) / 1000)} s`,
)
if (count('caught') !== chosen.length) process.exitCode = 1
