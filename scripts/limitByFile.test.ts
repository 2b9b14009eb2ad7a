import { expect, it } from 'vitest'
import { unitTimeoutMs } from './timeouts.js'

it('a unit test has its own time limit, also beside end-to-end tests', ({ task }) => {
  expect(task.timeout).toBe(unitTimeoutMs)
})
