import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as core from './index.js'

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')

it('the quote in the README has ten lines at most, and prints what it says', () => {
  const [, code] = /```js\n(import [^`]*@braid-swap\/core'[\s\S]*?)```/.exec(readme)!
  const [head, ...lines] = code!
    .trim()
    .split('\n')
    .filter((line) => line !== '')
  expect(lines.length + 1).toBeLessThanOrEqual(10)
  const names = /\{ (.*) \}/.exec(head!)![1]!.split(', ')
  const printed: unknown[] = []
  const run = new Function(...names, 'console', lines.join('\n'))
  const exported = names.map((name) => (core as Record<string, unknown>)[name])
  run(...exported, { log: (value: unknown) => printed.push(value) })
  const [, said] = /\/\/ (\d+)n$/.exec(lines.at(-1)!)!
  expect(printed).toEqual([BigInt(said!)])
})
