/**
 * What `npm test` runs once everything is built: format and lint, types, contracts, tests. The first
 * three need no more than one core each and run beside each other; the tests then take all cores.
 * What a stage prints appears when it ends, so that the output of two never mixes.
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
const tell = (line) => process.stderr.write(`${formatElapsed(performance.now() - start)} ${line}\n`)

/** Runs stages one after the other until one fails; tells how each ended. */
async function inOrder(scripts) {
  for (const script of scripts) {
    tell(`${script}: running`)
    const { code, output } = await run(script, false)
    process.stdout.write(output)
    tell(`${script}: ${code === 0 ? 'passed' : `failed with exit code ${code}`}`)
    if (code !== 0) return code
  }
  return 0
}

const codes = await Promise.all([inOrder(['check', 'types']), inOrder(['contracts'])])
const failed = codes.find((code) => code !== 0)
if (failed === undefined) {
  tell('unit and e2e: running')
  const { code } = await run('tests', true)
  tell(`unit and e2e: ${code === 0 ? 'passed' : `failed with exit code ${code}`}`)
  process.exitCode = code
} else {
  process.exitCode = failed
}
