import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProgress, formatElapsed, packagesToBuild, prepare } from './prepare.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'braid-prepare-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A stream that stores the text written to it and calls `onWrite` for each write. */
function listen(onWrite: (text: string) => void = () => {}, terminal: { columns?: number } = {}) {
  let text = ''
  return {
    ...(terminal.columns && { isTTY: true, columns: terminal.columns }),
    write: (more: string) => {
      text += more
      onWrite(text)
    },
    text: () => text,
  }
}

/** A command that replaces pnpm, gets the same arguments and runs `code`. */
function standIn(code: string): readonly string[] {
  const file = join(folder, 'pnpm.mjs')
  const preamble = `import { existsSync } from 'node:fs'
const isInstall = process.argv[2] === 'install'
`
  writeFileSync(file, preamble + code)
  return [process.execPath, file]
}

it('says what it does before the first command has ended', async () => {
  const seen = join(folder, 'seen')
  // The install ends only after its line was read.
  const stream = listen((text) => {
    if (text.includes('installing dependencies')) writeFileSync(seen, '')
  })
  const wait = `while (!existsSync(${JSON.stringify(seen)})) await new Promise((r) => setTimeout(r, 5))`
  expect(await prepare(stream, standIn(wait))).toBe(0)
  const total = packagesToBuild().length + 1
  expect(stream.text().split('\n')[0]).toBe(`[ 1/${total}] 0:00 installing dependencies`)
})

it('numbers every package as its build begins', async () => {
  const names = packagesToBuild()
  expect(names).toContain('@braid-swap/core')
  const lines = names.map((name, i) => `${name}:build: cache ${i ? 'miss, executing' : 'hit'} 1f`)
  const stream = listen()
  const print = `if (!isInstall) console.log(${JSON.stringify(lines.join('\n'))})`
  expect(await prepare(stream, standIn(print))).toBe(0)
  const steps = stream.text().trim().split('\n')
  const total = names.length + 1
  const untimed = steps.map((line) => line.replace(/ \d+:\d\d /, ' '))
  expect(untimed).toEqual([
    `[ 1/${total}] installing dependencies`,
    ...names.map((name, i) => {
      const what = i ? 'building' : 'built before:'
      return `[${`${i + 2}`.padStart(2)}/${total}] ${what} ${name}`
    }),
    `[${total}/${total}] installed and built`,
  ])
})

it('shows the output of a failed step, and ends with its exit code', async () => {
  const stream = listen()
  const fail = `console.error('no space left'); process.exit(3)`
  expect(await prepare(stream, standIn(fail))).toBe(3)
  expect(stream.text()).toMatch(/ failed\nno space left\n$/)
  const build = listen()
  const failBuild = `if (!isInstall) { console.log('core:build: error TS1'); process.exit(2) }`
  expect(await prepare(build, standIn(failBuild))).toBe(2)
  expect(build.text()).toContain('error TS1')
})

it('keeps to one line of a terminal', () => {
  const stream = listen(undefined, { columns: 30 })
  const progress = createProgress(2, stream)
  progress.next('a step with a name that is longer than the line')
  progress.end('done')
  expect(stream.text()).toBe('\r[1/2] 0:00 a step with a name\u001b[K\r[1/2] 0:00 done\u001b[K\n')
})

it('formats minutes and seconds', () => {
  expect([0, 59_999, 60_000, 725_000].map(formatElapsed)).toEqual(['0:00', '0:59', '1:00', '12:05'])
})

it('comes before both commands and needs nothing installed', () => {
  const root = resolve(import.meta.dirname, '..')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(scripts.prestart).toBe('node scripts/prepare.mjs')
  expect(scripts.pretest).toBe('node scripts/prepare.mjs')
  const source = readFileSync(join(root, 'scripts/prepare.mjs'), 'utf8')
  const modules = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name)
  expect(modules.length).toBeGreaterThan(0)
  expect(modules.filter((name) => !name?.startsWith('node:'))).toEqual([])
})
