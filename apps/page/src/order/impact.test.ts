import { expect, it } from 'vitest'
import { impactBeyondRounding } from './impact.js'

it.each([
  ['three wei that would be four', 2_477, 10n ** 18n, 3n, 0],
  ['three wei that are paid', 2_477, 3n, 10n ** 12n, 0],
  ['a loss that one wei does not explain', 2_477, 10n ** 6n, 5n, 2_477],
  ['five thousand cents', 2_000, 10n ** 18n, 5_000n, 2_000],
  ['an unknown impact', null, 3n, 3n, null],
])('%s', (_, impactBps, paid, received, shown) => {
  expect(impactBeyondRounding(impactBps, paid, received)).toBe(shown)
})
