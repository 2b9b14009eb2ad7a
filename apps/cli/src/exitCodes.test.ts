import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { exitCodes } from './exitCodes.js'

it('the table of the README has the exit code of every error, and no other', () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (\d) +\|[^|]*\|([^|]*)\|$/gm)]
  expect(rows.map(([, code]) => Number(code))).toEqual([0, 1, 2, 3, 4, 5, 6])
  const listed = rows.flatMap(([, code, names]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => [name!, Number(code)] as const),
  )
  expect(Object.fromEntries(listed)).toEqual(exitCodes)
  expect(listed).toHaveLength(Object.keys(exitCodes).length)
})
