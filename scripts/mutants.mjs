/**
 * Mutation testing of the TypeScript sources: draws changes by a seed, and asks the nearest unit tests
 * whether they notice: the file's own, then its folder's, then its package's, never another package's.
 *
 *   pnpm mutants packages/chain/src/market --seed 7 --count 30 --floor 95
 *
 * An area is what `git ls-files` takes: a folder, a file or a quoted glob. With `--near` the package's other
 * tests are not asked, which is faster where many mutants live. It prints the mutants that live and the
 * share that died, and ends with 1 where the share is below the floor.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'
import { compiles } from './mutants/compiles.mjs'
import { sitesOf } from './mutants/sites.mjs'

const root = resolve(import.meta.dirname, '..')
/** What a worker may take to start and to import, on a busy machine. */
const START_MS = 60_000
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    floor: { type: 'string', default: '0' },
    near: { type: 'boolean', default: false },
  },
})

/** Sources whose changes tests should notice: not tests, nor what only they use, nor what a program wrote. */
function sourcesOf(areas) {
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...areas]
  const files = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n')
  return files.filter(
    (file) =>
      /^(apps|packages)\/[^/]+\/src\/.*\.tsx?$/.test(file) &&
      !/\.(test|e2e|fuzz|d)\.tsx?$|\/(tests|testing|generated)\//.test(file),
  )
}

/** The mutants of a seed. Each has a place of its own in the draw, so that a change elsewhere moves none. */
function draw(files, seed, count) {
  const keyOf = ({ file, from, kind }) =>
    createHash('sha256').update(`${seed} ${file} ${from} ${kind}`).digest('hex')
  return files
    .flatMap((file) => sitesOf(file, readFileSync(resolve(root, file), 'utf8')))
    .map((site) => ({ ...site, path: resolve(root, site.file), key: keyOf(site) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
}

const vitest = await createVitest('test', {
  root,
  config: resolve(root, 'scripts/mutants/vitest.config.ts'),
  watch: false,
})
const pidFile = resolve(mkdtempSync(join(tmpdir(), 'mutants-')), 'pid')
process.env.BRAID_MUTANT_PID_FILE = pidFile
const specifications = await vitest.globTestSpecifications()
/** Milliseconds that each file of tests took without a mutant. */
const cleanMs = new Map()
const broken = new Set()

/** Runs files of tests; gives what failed, or undefined. */
async function failureOf(tests, mutant) {
  const usualMs = tests.reduce((sum, { moduleId }) => sum + (cleanMs.get(moduleId) ?? 0), 0)
  let isLate = false
  const end = () => {
    isLate = true
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
  }
  const limit = mutant && setTimeout(end, Math.round(START_MS + 4 * usualMs))
  process.env.BRAID_MUTANT = JSON.stringify(mutant ?? {})
  if (mutant) vitest.invalidateFile(mutant.path)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests)
  clearTimeout(limit)
  delete process.env.BRAID_MUTANT
  if (mutant) vitest.invalidateFile(mutant.path)
  // A result has the modules of earlier runs too.
  const ran = testModules.filter((one) => tests.some(({ moduleId }) => moduleId === one.moduleId))
  if (isLate) return 'the time limit'
  const failed = ran.find((one) => one.state() === 'failed' || one.errors().length > 0)
  // A failure keeps what stands after it in the queue from running.
  const judged = failed ? ran.filter((one) => one.state() === 'passed') : ran
  if (!mutant) for (const one of judged) cleanMs.set(one.moduleId, one.diagnostic().duration)
  if (failed) return relative(root, failed.moduleId)
  return unhandledErrors.length > 0 ? String(unhandledErrors[0].message) : undefined
}

/** The files that import a file, also through others, as far as tests have loaded them. */
function importersOf(path, found = new Set([path])) {
  for (const { vite } of vitest.projects) {
    for (const { moduleGraph } of Object.values(vite.environments)) {
      for (const module of moduleGraph.getModulesByFile(path) ?? []) {
        for (const { file } of module.importers) {
          if (!file || found.has(file)) continue
          found.add(file)
          importersOf(file, found)
        }
      }
    }
  }
  return found
}

/** A mutant's tests in circles: its own file's, its folder's, its package's. */
function circlesOf(file) {
  const [kind, name] = file.split('/')
  const folder = resolve(root, dirname(file))
  const own = `${basename(file).replace(/\.tsx?$/, '')}.test`
  const distance = ({ moduleId }) => {
    if (![folder, resolve(folder, 'tests')].includes(dirname(moduleId))) return 2
    return basename(moduleId).replace(/\.tsx?$/, '') === own ? 0 : 1
  }
  const all = specifications.filter(({ moduleId }) =>
    moduleId.startsWith(`${resolve(root, kind, name, 'src')}/`),
  )
  return ['own', 'folder', 'package'].map((circle, i) => ({
    circle,
    tests: all.filter((one) => distance(one) === i),
  }))
}

/** Runs what has not run without a mutant; a file that fails so can judge nothing, and is left out. */
async function runClean(tests) {
  for (;;) {
    const untried = tests.filter((one) => !cleanMs.has(one.moduleId) && !broken.has(one))
    if (untried.length === 0) return
    const fault = await failureOf(untried)
    if (!fault) continue
    process.stderr.write(`left out, because it fails without a mutant: ${fault}\n`)
    for (const one of untried) if (relative(root, one.moduleId) === fault) broken.add(one)
    if (!untried.some((one) => broken.has(one))) throw new Error(fault)
  }
}

/** The circle in which a mutant died and by what, or `alive`. */
async function judge(mutant) {
  for (const { circle, tests } of circlesOf(mutant.file).slice(0, values.near ? 2 : 3)) {
    await runClean(tests)
    const importers = importersOf(mutant.path)
    const asked = tests.filter(({ moduleId }) => cleanMs.has(moduleId) && importers.has(moduleId))
    if (asked.length === 0) continue
    const by = await failureOf(asked, mutant)
    if (by) return { circle, by }
  }
  return { circle: compiles(root, mutant) ? 'alive' : 'types', by: '' }
}

/** A text as one short line. */
function oneLine(text) {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** Rows with columns of equal width. */
function table(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)))
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd(),
  )
}

const mutants = draw(
  sourcesOf(positionals.length > 0 ? positionals : ['packages', 'apps']),
  values.seed,
  Number(values.count),
)
const start = performance.now()
const secondsSince = (from) => Math.round((performance.now() - from) / 1000)
const counts = { own: 0, folder: 0, package: 0, types: 0, alive: 0 }
const rows = [['alive', 'change', 'text']]
for (const [i, mutant] of mutants.entries()) {
  const from = performance.now()
  const { circle, by } = await judge(mutant)
  counts[circle]++
  const { file, line, kind, old } = mutant
  const change = `${oneLine(old)} → ${oneLine(mutant.by)}`
  if (circle === 'alive') rows.push([`${file}:${line}`, kind, change])
  const words = [`${i + 1}/${mutants.length}`, circle, `${file}:${line}`, kind, oneLine(by)]
  process.stderr.write(`${words.join(' ')} (${secondsSince(from)} s)\n`)
}
await vitest.close()

const died = mutants.length - counts.alive
const share = (100 * died) / Math.max(1, mutants.length)
if (rows.length > 1) console.log(table(rows).join('\n'))
console.log(
  `seed ${values.seed}: ${died} of ${mutants.length} died (${share.toFixed(1)} %), of which by the file's own ` +
    `tests ${counts.own}, by the folder's ${counts.folder}, by the package's ${counts.package}, by types ` +
    `${counts.types}; ${secondsSince(start)} s`,
)
process.exitCode = share < Number(values.floor) ? 1 : 0
