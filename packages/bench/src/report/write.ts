import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finding } from '../goals/goal.js'
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
): Promise<string> {
  const folder = join(resultsPath, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'results.md'), toMarkdown(facts, findings))
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

// Leaves out the points of the charts: they are many, and the pictures show them.
function slim({ charts, ...rest }: Finding) {
  return { ...rest, charts: charts.map(({ name }) => name) }
}
