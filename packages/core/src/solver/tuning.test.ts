import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = resolve(fileURLToPath(import.meta.url), '..')

/** Constants that name cases, and the list of step sizes: not tuned. */
const NOT_TUNED = new Set(['[LOCAL, OUTSIDE]', 'STEPS'])

const namesIn = (text: string) =>
  [...text.matchAll(/^(?:export )?const (\[[A-Z_, ]+\]|[A-Z][A-Z_]*) = /gm)].map(
    ([, name]) => name!,
  )

const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.(test|fuzz)\.ts$/.test(path),
)
const textOf = (path: string) => readFileSync(resolve(folder, path), 'utf8')
const tuning = textOf('tuning.ts')

describe('the constants of the solver', () => {
  it('stand in tuning.ts', () => {
    const elsewhere = sources
      .filter((path) => path !== 'tuning.ts')
      .flatMap((path) => namesIn(textOf(path)).map((name) => `${path} ${name}`))
      .filter((constant) => !NOT_TUNED.has(constant.slice(constant.indexOf(' ') + 1)))
    expect(elsewhere).toEqual([])
  })

  it('are all read, and each has its reason', () => {
    const readers = sources.filter((path) => path !== 'tuning.ts').map(textOf)
    const names = namesIn(tuning).flatMap((name) => name.match(/[A-Z_]+/g)!)
    expect(names.length).toBeGreaterThan(35)
    expect(names.length).toBeLessThanOrEqual(48)
    for (const name of names) {
      const isRead = readers.some((text) => new RegExp(`\\b${name}\\b`).test(text))
      expect(`${name} ${isRead}`).toBe(`${name} true`)
    }
    const lines = tuning.split('\n')
    const withoutReason = lines.filter(
      (line, n) => line.startsWith('export const') && !lines[n - 1]!.endsWith('*/'),
    )
    expect(withoutReason).toEqual([])
  })
})
