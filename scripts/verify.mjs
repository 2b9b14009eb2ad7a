/**
 * What `npm test` (`first`) and `npm run test:all` (`rest`) run once everything is built: the stages of a set, of which
 * the first shows its output, beside each other, because one alone leaves cores idle. What runs beside the tests prints after them and only if it failed, so that the output of two never mixes and what
 * failed stands at the end.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatElapsed } from './prepare.mjs'

const root = resolve(import.meta.dirname, '..')

/** Runs a script of the root's `package.json`; gives its exit code and, unless shown, its output. */
function run(script, isShown) {
  return new Promise((done) => {
    const child = spawn('pnpm', ['--silent', 'run', script], {
      cwd: root,
      stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk
      })
    }
    child.once('error', (error) => done({ code: 1, output: `${output}${error.message}\n` }))
    child.once('close', (code) => done({ code: code ?? 1, output }))
  })
}

const start = performance.now()
const report = (line) =>
  process.stderr.write(`${formatElapsed(performance.now() - start)} ${line}\n`)

/** Runs a stage and reports its result. */
async function stage(script, isShown = false) {
  report(`${script}: running`)
  const result = await run(script, isShown)
  report(`${script}: ${result.code === 0 ? 'passed' : `failed with exit code ${result.code}`}`)
  return result
}

/** Runs a stage whose output would mix with the tests' own, and returns how to print what failed afterwards. */
async function quietStage(script) {
  const { code, output } = await stage(script)
  return () => {
    if (code === 0) return 0
    process.stdout.write(output)
    report(`${script}: failed, see above`)
    return code
  }
}

/** What decides the answers and the time that the bench measures. */
const SOLVER = ['solver', 'curve', 'exactOut', 'math'].map(
  (folder) => `packages/core/src/${folder}`,
)

/** Says so if the committed report of the bench is of an older solver. A shallow clone does not know its commit. */
function reportAge() {
  const file = resolve(root, 'packages/bench/results/figures.json')
  const { commit } = JSON.parse(readFileSync(file, 'utf8'))
  const words = ['rev-list', '--count', `${commit}..HEAD`, '--', ...SOLVER]
  const { stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  if (Number(stdout) === 0) return
  report(`the bench measured ${commit}: the solver has changed ${Number(stdout)} times since`)
}

/**
 * The questions that any change can break, those that few changes break and that take longer, and both in the same
 * workers (`npm test -- --all`).
 */
const SETS = {
  first: ['tests', 'check', 'types', 'contracts:changed', 'docs'],
  rest: ['tests:rest', 'contracts:rest', 'packages'],
  all: ['tests:both', 'check', 'types', 'contracts:rest', 'docs', 'packages'],
}
const [shown, ...quiet] = SETS[process.argv.includes('--all') ? 'all' : process.argv[2]]
const [tests, ...others] = await Promise.all([stage(shown, true), ...quiet.map(quietStage)])
process.exitCode = others.reduce((code, print) => print() || code, tests.code)
reportAge()
