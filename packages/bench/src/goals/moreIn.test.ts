import { expect, it } from 'vitest'
import { toSvg } from '../report/charts.js'
import { outputChart, type Point } from './moreIn.js'

it('draws a chart for each pair and marks every fall', async () => {
  const points = Array.from({ length: 40 }, (_, n): readonly Point[] => {
    const pair = `pair ${n}`
    return [
      { pair, dollars: 1, out: 1, bound: 1, before: 0 },
      { pair, dollars: 2, out: 2, bound: 2.1, before: 1 },
      // The bound of the first ten falls with the output; that of the others does not.
      { pair, dollars: 4, out: 1.5, bound: n < 10 ? 1.6 : 3, before: 2 },
    ]
  }).flat()
  const svg = await toSvg(outputChart({ name: 'test' }, points))
  expect(
    svg.match(/aria-label="dollars[^"]*" role="graphics-symbol" aria-roledescription="line mark"/g)
      ?.length,
  ).toBe(80)
  // Eight beside each other, not forty.
  expect(Number(svg.match(/width="(\d+)"/)![1])).toBeLessThan(1300)
  const marks = svg.match(/aria-roledescription="point"[^>]*fill="#[0-9a-f]{6}"/g) ?? []
  expect(marks.filter((mark) => mark.includes('#2a9d8f')).length).toBe(10)
  expect(marks.filter((mark) => mark.includes('#d62828')).length).toBe(30)
})
