import { expect, it } from 'vitest'
import { summaryOf } from './venueStates.js'

it.each([
  [{ canary: 8 }, '8 of 8 venues open to routes'],
  [{ serving: 1 }, '1 of 1 venue open to routes'],
  [{ serving: 5, canary: 2, shadow: 1, quarantined: 1 }, '7 of 9 venues open to routes'],
])('%j is told in a sentence', (counts, sentence) => {
  expect(summaryOf(counts)).toBe(sentence)
})
