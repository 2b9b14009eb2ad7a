// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { name } from '../testing/routes.js'
import { keepRecent, readRecent } from './recentTokens.js'

afterEach(() => localStorage.clear())

it('keeps the last six tokens, each once, the newest first', () => {
  expect(readRecent()).toEqual([])
  for (const n of [1, 2, 3, 4, 5, 6, 7, 3]) keepRecent(name(n))
  expect(readRecent()).toEqual([3, 7, 6, 5, 4, 2].map(name))
})

it('reads nothing but addresses', () => {
  keepRecent('x' as never)
  keepRecent(name(1))
  expect(readRecent()).toEqual([name(1)])
})
