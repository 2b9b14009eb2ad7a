import { expect, it } from 'vitest'
import { summaryOf } from './venueStates.js'

it.each([
  [{ canary: 8 }, '8 venues tried by simulation: all used'],
  [{ serving: 1 }, '1 venue tried by simulation: all used'],
  [
    { serving: 5, canary: 2, shadow: 1, quarantined: 1 },
    '9 venues tried by simulation: 7 used, 2 left out',
  ],
])('%j is told in a sentence', (counts, sentence) => {
  expect(summaryOf(counts)).toBe(sentence)
})
