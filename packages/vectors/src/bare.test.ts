import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noReferenceVectors } from './index.js'
import { skipLines } from './testing/skipReporter.js'

const root = resolve(import.meta.dirname, '../../..')
describe('a clone without reference vectors', () => {
  it('counts suites by reason', () => {
    expect(skipLines(['a', 'b', 'a'])).toEqual(['skipped: 2 suites, a', 'skipped: 1 suite, b'])
    expect(skipLines([])).toEqual([])
  })
})

describe('every suite that uses the reference vectors', () => {
  const tests = ['packages', 'apps']
    .flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')),
    )
    .flatMap((source) =>
      readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(test|e2e|fuzz)\.ts$/.test(file))
        .map((file) => join(source, file)),
    )
    .filter((file) => !file.startsWith(import.meta.dirname))

  it('gets them from describeReferenceVectors and from nowhere else', () => {
    expect(tests.length).toBeGreaterThan(100)
    const around = /\b(?:has|no)ReferenceVectors\b|\breadReferenceVector\b|referenceVectorsPath/
    const bypassing = tests.filter((file) => {
      const text = readFileSync(file, 'utf8')
      return around.test(text) || /BRAID_VECTORS|shared\/vectors/.test(text)
    })
    expect(bypassing).toEqual([])
  })

  it('names its variable and its remedy', () => {
    expect(noReferenceVectors).toMatch(/^no reference vectors at \/.* \(set BRAID_VECTORS\)$/)
  })
})
