/**
 * What `npm test` runs once everything is built: format and lint, then the unit and end-to-end tests,
 * and beside them the types, the contracts' tests and the packages, because one of these alone leaves cores idle.
 * What runs beside the tests prints after them and only if it failed, so that the output of two never mixes and what
 * failed stands at the end.
 */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { formatElapsed } from './prepare.mjs'

const root = resolve(import.meta.dirname, '..')

/** Runs a script of the root's `package.json`; gives its exit code and, unless shown, its output. */
function run(script, isShown) {
  return new Promise((done) => {
    const child = spawn('pnpm', ['--silent', script], {
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

const printCheck = await quietStage('check')
if (printCheck() !== 0) process.exit(1)
const [tests, ...others] = await Promise.all([
  stage('tests', true),
  quietStage('types'),
  quietStage('contracts'),
  quietStage('packages'),
])
process.exitCode = others.reduce((code, print) => print() || code, tests.code)
