/**
 * What `npm start` and `npm test` do first: install the dependencies and build every package. The
 * first time takes minutes, so each step is named with its number and the time since the start. It
 * runs before anything is installed and therefore imports nothing but Node's own modules.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')

/** Milliseconds between two lines about the same step: a terminal's line is rewritten in place. */
const TERMINAL_PERIOD_MS = 1000
const LOG_PERIOD_MS = 10_000

/** How many lines of a failed command are shown: enough for a compiler's first errors. */
const SHOWN_LINES = 60

/** The workspace's packages that have something to build. */
export function packagesToBuild(folder = root) {
  return ['packages', 'apps']
    .flatMap((kind) => readdirSync(join(folder, kind)).map((name) => join(folder, kind, name)))
    .map((path) => join(path, 'package.json'))
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')))
    .filter(({ scripts }) => scripts?.build !== undefined)
    .map(({ name }) => name)
}

/** Minutes and seconds, as in `2:05`. */
export function formatElapsed(ms) {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/**
 * Tells on a stream which of `total` steps runs and for how long. A terminal gets one line that
 * changes; anything else gets a line a step, and one more whenever a step has been silent for long.
 */
export function createProgress(total, stream) {
  const start = performance.now()
  let [step, what, detail] = [0, '', '']
  const print = () => {
    const elapsed = formatElapsed(performance.now() - start)
    const number = `${step}`.padStart(`${total}`.length)
    const line = `[${number}/${total}] ${elapsed} ${what}${detail && ` (${detail})`}`
    // Clears the rest of a longer line before it, and never wraps into a second one.
    if (stream.isTTY) stream.write(`\r${line.slice(0, (stream.columns ?? 80) - 1)}\u001b[K`)
    else stream.write(`${line}\n`)
  }
  const timer = setInterval(print, stream.isTTY ? TERMINAL_PERIOD_MS : LOG_PERIOD_MS)
  return {
    next: (text) => {
      ;[step, what, detail] = [Math.min(step + 1, total), text, '']
      print()
    },
    /** More about the step that runs; shown when it is next printed. */
    detail: (text) => {
      detail = text
    },
    end: (text) => {
      clearInterval(timer)
      ;[what, detail] = [text, '']
      print()
      if (stream.isTTY) stream.write('\n')
    },
  }
}

/** Runs a command and hands over each line that it prints; gives its exit code and its last lines. */
function run([command, ...words], onLine) {
  return new Promise((done) => {
    const child = spawn(command, words, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // There npx is a batch file, which only a shell runs.
      shell: process.platform === 'win32',
    })
    const lines = []
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        lines.push(line)
        onLine(line)
      })
    }
    child.once('error', (error) => done({ code: 1, lines: [...lines, error.message] }))
    child.once('close', (code) => done({ code: code ?? 1, lines }))
  })
}

/**
 * Installs and builds, telling the progress on `stream`. `pnpm` is the command that runs pnpm.
 * Returns the exit code; the output of what failed is on the stream by then.
 */
export async function prepare(stream, pnpm) {
  const packages = packagesToBuild()
  const progress = createProgress(1 + packages.length, stream)
  progress.next('installing dependencies')
  const install = ['install', '--frozen-lockfile', '--reporter=append-only']
  let result = await run([...pnpm, ...install], (line) => {
    const counts = /^Progress: (.*)$/.exec(line)
    if (counts) progress.detail(counts[1])
  })
  if (result.code === 0) {
    const build = ['--silent', 'exec', 'turbo', 'run', 'build', '--log-order=stream']
    result = await run([...pnpm, ...build, '--output-logs=full'], (line) => {
      const begun = /^(\S+):build: cache (miss|hit)/.exec(line)
      if (begun) progress.next(`${begun[2] === 'miss' ? 'building' : 'built before:'} ${begun[1]}`)
    })
  }
  progress.end(result.code === 0 ? 'installed and built' : 'failed')
  if (result.code !== 0) stream.write(`${result.lines.slice(-SHOWN_LINES).join('\n')}\n`)
  return result.code
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  process.exitCode = await prepare(process.stderr, ['npx', '--yes', packageManager])
}
