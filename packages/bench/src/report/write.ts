import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Finding, figureKey } from '../goals/goal.js'
import { toSvg } from './charts.js'
import { type RunFacts, toMarkdown } from './markdown.js'

const resultsPath = resolve(dirname(fileURLToPath(import.meta.url)), '../../results')

/**
 * Writes `results.md`, `results.json` and the charts into the folder `name` of the package's
 * results, and returns the folder.
 */
export async function writeReport(
  name: string,
  facts: RunFacts,
  findings: readonly Finding[],
  previous: ReadonlyMap<string, number>,
): Promise<string> {
  const folder = join(resultsPath, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'results.md'), toMarkdown(facts, findings, previous))
  writeFileSync(
    join(folder, 'results.json'),
    `${JSON.stringify({ facts, findings: findings.map(slim) }, null, 1)}\n`,
  )
  for (const { charts } of findings) {
    for (const chart of charts) {
      writeFileSync(join(folder, `${chart.name}.svg`), await toSvg(chart))
    }
  }
  return folder
}

/** The figures of the report in the folder `name`, by name; empty if there is none. */
export function readFigures(name: string): ReadonlyMap<string, number> {
  const file = join(resultsPath, name, 'results.json')
  if (!existsSync(file)) return new Map()
  const { findings } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly findings: readonly (Pick<Finding, 'id'> & Partial<Pick<Finding, 'figures'>>)[]
  }
  return new Map(
    findings.flatMap(({ id, figures = [] }) =>
      figures.map((figure) => [figureKey(id, figure), figure.value] as const),
    ),
  )
}

// Leaves out the points of the charts: they are many, and the pictures show them.
function slim({ charts, ...rest }: Finding) {
  return { ...rest, charts: charts.map(({ name }) => name) }
}
