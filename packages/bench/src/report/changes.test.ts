import { expect, it } from 'vitest'
import type { Figure, Finding } from '../goals/goal.js'
import { changesOf } from './changes.js'

const finding = (figures: readonly Figure[]): Finding => ({
  ...{ name: 'capped', question: 'q', target: 't', measured: 'm', verdict: 'reached' },
  ...{ tables: [], figures },
})

it('tells what got worse from what got better, and leaves noise of times out', () => {
  const findings = [
    finding([
      { name: 'falls', value: 3, better: 'low' },
      { name: 'not lost %', value: 99.9, better: 'high' },
      { name: 'same', value: 1, better: 'low' },
      { name: 'p50 ms', value: 1.09, better: 'low' },
      { name: 'p99 ms', value: 1.2, better: 'low' },
      { name: 'new', value: 1, better: 'low' },
    ]),
  ]
  const previous = new Map([
    ...[
      ['capped: falls', 2] as const,
      ['capped: not lost %', 99] as const,
      ['capped: same', 1] as const,
    ],
    ...[['capped: p50 ms', 1] as const, ['capped: p99 ms', 1] as const],
  ])
  const { worse, better } = changesOf(findings, previous)
  expect(worse.map(({ key, before, value }) => [key, before, value])).toEqual([
    ['capped: falls', 2, 3],
    ['capped: p99 ms', 1, 1.2],
  ])
  expect(better.map(({ key }) => key)).toEqual(['capped: not lost %'])
})
