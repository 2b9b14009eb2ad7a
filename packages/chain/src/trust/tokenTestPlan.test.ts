import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { planTests } from './tokenTestPlan.js'

const tokenAt = (i: number): Address => toHex(0x1000 + i, 20)
const many = Array.from({ length: 40 }, (_, i) => tokenAt(i))

/** The rounds with tests, of the first so many, and the tokens tested in each. */
function testsOf(isLimited: boolean, rounds: number, at: (round: number) => readonly Address[]) {
  const plan = planTests(isLimited)
  return Array.from({ length: rounds }, (_, i) => i + 1).flatMap((round) => {
    const due = plan.due(at(round), round)
    return due.length > 0 ? [[round, due] as const] : []
  })
}

it.each([
  ['', false, [1, 2, 3, 19, 38, 57]],
  [' with a rate limit', true, [4, 8, 12, 61]],
])('tests sixteen new tokens a round, and then all in turn%s', (_, isLimited, rounds) => {
  const tests = testsOf(isLimited, 61, () => many)
  expect(tests.map(([round]) => round)).toEqual(rounds)
  const [first, second, third, next] = tests.map(([, tokens]) => tokens)
  expect(first).toEqual(many.slice(0, 16))
  expect(second).toEqual(many.slice(16, 32))
  // The third batch has room for the oldest.
  expect(third).toEqual([...many.slice(32), ...many.slice(0, 8)])
  expect(next).toEqual(many.slice(8, 24))
})

it('takes a token that left the market and is back for a new one', () => {
  const [one, two] = [tokenAt(1), tokenAt(2)]
  const tests = testsOf(false, 30, (round) => (round === 19 ? [one] : [one, two]))
  expect(tests).toEqual([
    [1, [one, two]],
    [19, [one]],
    [20, [two, one]],
  ])
})

it('tests tokens that pass again in every round, in half of a batch at most', () => {
  const plan = planTests(false)
  for (const round of [1, 2, 3]) plan.due(many, round)
  const again = new Set(many.slice(20, 30))
  for (const round of [4, 5]) {
    expect(plan.due(many, round, again).slice(0, 8)).toEqual(many.slice(20, 28))
  }
  expect(plan.due(many, 6)).toEqual([])
})

it('tests nothing where there is nothing to test', () => {
  expect(testsOf(false, 40, () => [])).toEqual([])
})

it('tests at once the trusted of the tokens that logs name, and a batch of others, in turn', () => {
  const plan = planTests(false)
  const trusted = new Set(many.slice(-2))
  expect(plan.named(many, trusted)).toEqual([...many.slice(-2), ...many.slice(0, 16)])
  // Those that speak again wait behind the others.
  expect(plan.named(many.slice(0, 16), trusted)).toEqual(many.slice(16, 32))
  expect(plan.named([])).toEqual([...many.slice(32, 38), ...many.slice(0, 10)])
  expect(planTests(true).named(many, trusted)).toEqual([...many.slice(-2), many[0]])
})
