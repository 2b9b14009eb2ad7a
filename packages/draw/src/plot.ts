/** A plot in characters: points of a line on a grid, with the range of both axes. */

/** A point of a plot. */
export type PlotPoint = { readonly x: number; readonly y: number }

/** What a plot shows. Points with a value that is no finite number are left out. */
export type Plot = {
  readonly points: readonly PlotPoint[]
  readonly xLabel: string
  readonly yLabel: string
  readonly xText: (x: number) => string
  readonly yText: (y: number) => string
  /** Whether x grows by equal ratios; then every x must be above 0. */
  readonly isLogX?: boolean
}

/** The position of each point between the ends of its axis, from 0 to 1, and the ends. */
export function scalePlot({ points, isLogX = false }: Pick<Plot, 'points' | 'isLogX'>) {
  const drawn = points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))
  const along = (x: number) => (isLogX ? Math.log(x) : x)
  const ends = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const
  const [xs, ys] = [ends(drawn.map(({ x }) => x)), ends(drawn.map(({ y }) => y))]
  const part = (value: number, [least, most]: readonly [number, number]) =>
    most > least ? (value - least) / (most - least) : 0.5
  const alongEnds = [along(xs[0]), along(xs[1])] as const
  const places = drawn.map(({ x, y }) => ({ x: part(along(x), alongEnds), y: part(y, ys) }))
  return { xs, ys, places }
}

/** Draws a plot in at most `columns` characters by `rows` lines, the axes not counted. */
export function drawPlot(plot: Plot, { columns, rows }: { columns: number; rows: number }): string {
  const { xs, ys, places } = scalePlot(plot)
  if (places.length === 0) return 'nothing to plot'
  const [low, high] = [plot.yText(ys[0]), plot.yText(ys[1])]
  const margin = Math.max(low.length, high.length)
  const width = Math.max(10, columns - margin - 2)
  const grid = Array.from({ length: rows }, () => Array.from({ length: width }, () => ' '))
  for (const { x, y } of places) {
    const row = rows - 1 - Math.round(y * (rows - 1))
    grid[row]![Math.round(x * (width - 1))] = '•'
  }
  const side = (row: number) => (row === 0 ? high : row === rows - 1 ? low : '').padStart(margin)
  const lines = grid.map((cells, row) => `${side(row)} │${cells.join('')}`.trimEnd())
  const [left, right] = [plot.xText(xs[0]), plot.xText(xs[1])]
  const indent = ' '.repeat(margin + 1)
  return [
    plot.yLabel,
    ...lines,
    `${indent}└${'─'.repeat(width)}`,
    `${indent} ${left}${right.padStart(Math.max(right.length + 1, width - left.length))}`,
    `${indent} ${plot.xLabel}`,
  ].join('\n')
}
