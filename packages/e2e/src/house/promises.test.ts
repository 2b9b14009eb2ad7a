// Every promise of docs/security.md has a test that is there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const rows = read('docs/security-promises.tsv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))

it.each(rows)('promise %s, %s: a test in %s', (_promise, _what, file, name) => {
  const text = read(file!)
  const isThere = file!.endsWith('.sol')
    ? text.includes(`function ${name}(`)
    : ["'", '"', '`'].some((quote) => text.includes(`${quote}${name}${quote}`))
  expect(isThere, `${file} has ${name}`).toBe(true)
})

it('each numbered promise is among them', () => {
  const [, promises = ''] = read('docs/security.md').split('## The promises')
  const numbers = [...promises.split('\n## ')[0]!.matchAll(/^(\d+)\. /gm)].map(([, one]) => one)
  expect(numbers.length).toBeGreaterThan(0)
  expect(numbers.filter((one) => !rows.some(([promise]) => promise === one))).toEqual([])
})
