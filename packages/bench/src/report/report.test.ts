import { describe, expect, it } from 'vitest'
import { toSvg } from './charts.js'
import { toCell, toMarkdown } from './markdown.js'

describe('the report', () => {
  it('draws a chart without a browser', async () => {
    const values = [
      { x: 1, y: 2 },
      { x: 2, y: 3 },
    ]
    const encoding = { x: { field: 'x', type: 'quantitative' }, y: { field: 'y', type: 'ordinal' } }
    const svg = await toSvg({ name: 'c', spec: { data: { values }, mark: 'point', encoding } })
    expect(svg).toMatch(/^<svg/)
    expect(svg.match(/<path[^>]*aria-roledescription="point"/g)).toHaveLength(2)
  })

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
      id: 'G1',
      title: 'a|b',
      target: 't',
      measured: 'm',
      verdict: 'missed' as const,
      tables: [{ title: 'T', columns: ['x'], rows: [[0.123456], [5]] }],
      charts: [],
      figures: [],
    }
    const text = toMarkdown(facts, [finding])
    expect(text).toContain('| G1 a\\|b | t | m | missed |')
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
