/**
 * What `npm test` runs once everything is built: format, lint and types, then the unit and end-to-end
 * tests, and beside all of it the contracts' tests, which keep a core busy that would else be idle.
 * What the contracts' tests print appears after the rest, so that the output of two never mixes.
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

/** Runs stages one after the other until one fails; returns the last exit code. */
async function inOrder(scripts) {
  for (const script of scripts) {
    const { code, output } = await stage(script, script === 'tests')
    process.stdout.write(output)
    if (code !== 0) return code
  }
  return 0
}

const [code, contracts] = await Promise.all([
  inOrder(['check', 'types', 'tests']),
  stage('contracts'),
])
process.stdout.write(contracts.output)
if (contracts.code !== 0) report('contracts: failed, see above')
process.exitCode = code || contracts.code
