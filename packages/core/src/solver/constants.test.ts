import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = resolve(fileURLToPath(import.meta.url), '../../../../..')
const folder = 'packages/core/src/solver'

/** Constants that name cases or the golden ratio, and the list of step sizes: not tuned. */
const NOT_TUNED = new Set(['CHOSEN', 'BEYOND', '[LOCAL, OUTSIDE]', 'GOLDEN'])

type Constant = { readonly name: string; readonly file: string; readonly value: string }

/** The rows of the table of constants in docs/solver.md. */
function documented(): readonly Constant[] {
  const text = readFileSync(join(root, 'docs/solver.md'), 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith('Constants\n')) ?? ''
  const row = /^\| `([^`]+)` *\| `([^`]+)` *\| `([^`]+)` *\| \S/gm
  return [...section.matchAll(row)].map(([, name, file, value]) => ({
    name: name!,
    file: file!,
    value: value!,
  }))
}

/** The constants in capitals at the top level of a source file, with the text of their values. */
function constantsIn(file: string): readonly Constant[] {
  const constant = /^(?:export )?const (\[[A-Z_, ]+\]|[A-Z][A-Z_]*) = ([^\n]+)$/gm
  return [...readFileSync(join(root, file), 'utf8').matchAll(constant)].map(([, name, value]) => ({
    name: name!,
    file,
    value: value!,
  }))
}

const sources = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.(test|fuzz)\.ts$/.test(path))
  .map((path) => `${folder}/${path}`)

describe('the table of constants in docs/solver.md', () => {
  it('gives the value that each constant has in its file', () => {
    expect(documented().length).toBeGreaterThan(50)
    for (const row of documented()) expect(constantsIn(row.file)).toContainEqual(row)
  })

  it('lists every tuned constant of the solver', () => {
    const listed = documented().map(({ file, name }) => `${file} ${name}`)
    const missing = sources
      .flatMap(constantsIn)
      .filter(({ name, value }) => !NOT_TUNED.has(name) && !value.includes('=>'))
      .map(({ file, name }) => `${file} ${name}`)
      .filter((constant) => !listed.includes(constant))
    expect(missing).toEqual([])
  })
})
