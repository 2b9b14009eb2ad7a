import { expect, it } from 'vitest'
import { describeMachine, processorTimeOf } from './machine.js'

it('tells time that processes got from time that the host kept, without idle time and input', () => {
  const stat = 'cpu  100 20 30 4000 500 6 7 80 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n'
  expect(processorTimeOf(stat)).toEqual({ got: 163, kept: 80 })
})

it('describes this machine', () => {
  expect(describeMachine()).toMatch(/^\d+ × .+, \d+ GiB/)
})
