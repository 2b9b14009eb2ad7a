import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finding } from '../goals/goal.js'
import { figureKey } from './changes.js'
import { type RunFacts, toMarkdown } from './markdown.js'

const resultsPath = resolve(dirname(fileURLToPath(import.meta.url)), '../../results')
const REPORT = 'report.md'
const FIGURES = 'figures.json'

/** A report as the next run reads it. */
type Recorded = { readonly figures: Readonly<Record<string, number>> }

/**
 * Writes the report, and the figures that the next run is compared with, into the folder `name` of
 * the package's results. Returns the folder.
 */
export function writeReport(
  name: string,
  facts: RunFacts,
  findings: readonly Finding[],
  previous: ReadonlyMap<string, number>,
): string {
  const folder = join(resultsPath, name)
  mkdirSync(folder, { recursive: true })
  const { commit, date } = facts
  const values = findings.flatMap(({ name: goal, figures }) =>
    figures.map((figure) => [figureKey(goal, figure), figure.value] as const),
  )
  const recorded = { commit, date, figures: Object.fromEntries(values) }
  writeFileSync(join(folder, REPORT), toMarkdown(facts, findings, previous))
  writeFileSync(join(folder, FIGURES), `${JSON.stringify(recorded, null, 2)}\n`)
  return folder
}

/** The figures of the report in the folder `name`, by {@link figureKey}; empty if there is none. */
export function readFigures(name: string): ReadonlyMap<string, number> {
  const file = resolve(resultsPath, name, FIGURES)
  if (!existsSync(file)) return new Map()
  const { figures } = JSON.parse(readFileSync(file, 'utf8')) as Recorded
  return new Map(Object.entries(figures))
}
