import { type Plot, scalePlot } from './plot.js'
import { escapeXml, svgDocument, svgText } from './svg.js'

const WIDTH = 760
const HEIGHT = 420
const MARGIN = { left: 90, right: 24, top: 40, bottom: 56 }

/** A plot as an SVG document: a line through the points, and the ends of both axes. */
export function plotSvg(plot: Plot, title: string): string {
  const { xs, ys, places } = scalePlot(plot)
  const [left, right] = [MARGIN.left, WIDTH - MARGIN.right]
  const [top, bottom] = [MARGIN.top, HEIGHT - MARGIN.bottom]
  const points = places.map(({ x, y }) => ({
    x: round(left + x * (right - left)),
    y: round(bottom - y * (bottom - top)),
  }))
  const line = points.map(({ x, y }) => `${x},${y}`).join(' ')
  const end = (value: number, text: (value: number) => string) =>
    Number.isFinite(value) ? text(value) : ''
  return svgDocument({ width: WIDTH, height: HEIGHT, title }, [
    `<path d="M${left} ${top}V${bottom}H${right}" fill="none" stroke="#8a94a6"/>`,
    `<polyline points="${line}" fill="none" stroke="#1f6feb" stroke-width="2"/>`,
    ...points.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="3" fill="#1f6feb"/>`),
    svgText(title, { x: left, y: 22, isStrong: true }),
    svgText(end(ys[1], plot.yText), { x: left - 8, y: top + 4, anchor: 'end' }),
    svgText(end(ys[0], plot.yText), { x: left - 8, y: bottom + 4, anchor: 'end' }),
    svgText(end(xs[0], plot.xText), { x: left, y: bottom + 20 }),
    svgText(end(xs[1], plot.xText), { x: right, y: bottom + 20, anchor: 'end' }),
    svgText(plot.xLabel, { x: (left + right) / 2, y: HEIGHT - 14, anchor: 'middle' }),
    `<text transform="translate(20 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escapeXml(plot.yLabel)}</text>`,
  ])
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
