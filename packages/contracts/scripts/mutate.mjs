/**
 * Mutation testing: applies each change of the files in `mutants/` to its own copy of the contracts
 * and reports which ones the tests detect. Fails if a mutant survives or no longer matches the source.
 *
 *   node scripts/mutate.mjs            all of them
 *   node scripts/mutate.mjs missing    those without a verdict, to continue an interrupted run
 *   node scripts/mutate.mjs Executor   those with this text in their file or their change
 *   node scripts/mutate.mjs drawn 60 1    60 of `drawMutants.mjs` by the seed 1
 *
 * `JOBS` is the number of mutants that are tried at once, two by default. Each verdict is recorded in
 * `verdicts.tsv` as soon as it is known; those that are drawn are only printed.
 *
 * Published bytecode and gas are not compared, because they would detect every mutant and hide gaps
 * in the tests. Their test files are left out of the copies: a filter of tests makes Foundry compile
 * all of them for each mutant.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawMutants } from './drawMutants.mjs'
import { mutate, readMutants } from './readMutants.mjs'
import { nameOf, readVerdicts, recordVerdict } from './verdicts.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const COPIED = ['src', 'test', 'scripts', 'foundry.toml', 'package.json']
const JOBS = Number(process.env.JOBS ?? 2)
const LEFT_OUT = /(?:^|\/)(?:Artifacts|Gas\w*)\.t\.sol$/
/** The path of the package in a copy of the repository, which also has the page that a test reads. */
const PACKAGE = 'packages/contracts'
const PAGE = 'docs/program.md'

/** Copies this package unchanged. */
function copyWhole() {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
  const copy = join(folder, PACKAGE)
  const filter = (path) => !LEFT_OUT.test(path)
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true, filter })
  cpSync(join(root, '../..', PAGE), join(folder, PAGE))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return folder
}

/** Copies the compiled package and applies one mutation. */
function copyWith(whole, mutant) {
  const [file] = mutant
  const mutated = mutate(readFileSync(join(root, file), 'utf8'), mutant)
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'))
  cpSync(whole, folder, { recursive: true, verbatimSymlinks: true })
  writeFileSync(join(folder, PACKAGE, file), mutated)
  return folder
}

/** Runs the tests of a copy until the first failure. */
function runTests(folder) {
  const words = ['scripts/forge.mjs', 'test', '--fail-fast']
  const env = { ...process.env, FOUNDRY_PROFILE: 'mutation', FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' }
  const child = spawn(process.execPath, words, { cwd: join(folder, PACKAGE), env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** The result of a mutant: the first test that failed, or the reason why none did. */
function verdictOf({ code, output }) {
  if (code === 0) return { end: 'SURVIVED', by: '' }
  const failed =
    /\[FAIL[^\n]*\] (\w+)\(/.exec(output) ?? /\[FAIL[\s\S]*?\n (invariant_\w+)\(/.exec(output)
  return failed ? { end: 'caught', by: failed[1] } : { end: 'BROKEN', by: output.slice(-2_000) }
}

async function tryMutant(whole, mutant) {
  const folder = copyWith(whole, mutant)
  try {
    return verdictOf(await runTests(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The mutants that the arguments choose, each with its index. */
async function chooseMutants([wanted = '', count, seed]) {
  if (wanted === 'drawn') {
    const { sites, drawn } = drawMutants(Number(count), seed)
    console.log(`${drawn.length} of ${sites} changes`)
    return [...drawn.entries()]
  }
  const known = readVerdicts()
  return [...(await readMutants()).entries()].filter(([, mutant]) =>
    wanted === 'missing' ? !known.has(nameOf(mutant)) : mutant.join(' ').includes(wanted),
  )
}

const chosen = await chooseMutants(process.argv.slice(2))
const start = performance.now()
const whole = copyWhole()
const ends = []
async function work() {
  for (let next = chosen.shift(); next; next = chosen.shift()) {
    const [i, mutant] = next
    const [, , , drawnName] = mutant
    const verdict = await tryMutant(whole, mutant)
    ends.push(verdict.end)
    if (!drawnName) await recordVerdict(mutant, verdict)
    console.log(`${i + 1}\t${drawnName ?? nameOf(mutant)}\t${verdict.end}\t${verdict.by}`)
  }
}
try {
  const unbroken = verdictOf(await runTests(whole))
  if (unbroken.end !== 'SURVIVED') throw new Error(`unbroken, yet ${unbroken.end} ${unbroken.by}`)
  // The fuzzer's findings are not part of the compiled package.
  rmSync(join(whole, PACKAGE, 'cache/fuzz'), { recursive: true, force: true })
  await Promise.all(Array.from({ length: JOBS }, work))
} finally {
  rmSync(whole, { recursive: true })
}
const count = (end) => ends.filter((one) => one === end).length
console.log(
  `\n${ends.length} tried, ${count('caught')} caught, ${count('SURVIVED')} survived, ${count('BROKEN')} did not compile, ${Math.round((performance.now() - start) / 1000)} s`,
)
if (count('caught') !== ends.length) process.exitCode = 1
