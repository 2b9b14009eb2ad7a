import * as vega from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { Chart } from '../goals/goal.js'

const WIDTH = 640
const HEIGHT = 320

/** A chart as a standalone SVG document. */
export async function toSvg(chart: Chart): Promise<string> {
  // Small multiples have the size of each.
  const size = 'facet' in chart.spec ? {} : { width: WIDTH, height: HEIGHT }
  const sized = { ...size, background: 'white', ...chart.spec }
  const { spec } = compile(sized as unknown as TopLevelSpec)
  const view = new vega.View(vega.parse(spec), { renderer: 'none' })
  const svg = await view.toSVG()
  view.finalize()
  return svg
}
