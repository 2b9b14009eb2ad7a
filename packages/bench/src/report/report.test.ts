import { describe, expect, it } from 'vitest'
import { toCell, toMarkdown } from './markdown.js'

describe('the report', () => {
  it('writes a line per goal and escapes pipes in tables', () => {
    const facts = {
      command: 'pnpm bench',
      machine: 'm',
      node: '20',
      commit: 'abc',
      date: '2000-01-01',
      seconds: 1,
    }
    const finding = {
      name: 'gap',
      question: 'q',
      target: 'a|b',
      measured: 'm',
      verdict: 'missed' as const,
      tables: [{ title: 'T', columns: ['x'], rows: [[0.123456], [5]] }],
      figures: [],
    }
    const text = toMarkdown(facts, [finding])
    expect(text).toContain('| gap | a\\|b | m | missed |')
    expect(text).toContain('| 0.123 |\n| 5 |')
  })

  it('prints significant digits only', () => {
    expect(['x', 12, 0.00012345, 1234.56, Number.NaN].map(toCell)).toEqual([
      'x',
      '12',
      '0.000123',
      '1234.6',
      '–',
    ])
  })
})
