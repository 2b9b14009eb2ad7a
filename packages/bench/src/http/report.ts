// The report of `pnpm bench http` as Markdown and JSON.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HttpFigures, HttpRow } from './run.js'

const FOLDER = fileURLToPath(new URL('../../results', import.meta.url))

/** What a run was made with. */
export type HttpFacts = Readonly<Record<'command' | 'machine' | 'node' | 'commit' | 'date', string>>

/** Writes `results.md` and `results.json` of a run; returns their folder. */
export async function writeHttpReport(
  name: string,
  facts: HttpFacts,
  figures: HttpFigures,
): Promise<string> {
  const folder = join(FOLDER, name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'results.json'), `${JSON.stringify({ facts, figures }, null, 2)}\n`)
  await writeFile(join(folder, 'results.md'), markdownOf(facts, figures))
  return folder
}

function markdownOf(facts: HttpFacts, figures: HttpFigures): string {
  const { solver, rows, half, health, fairness } = figures
  const ms = (value: number) => value.toFixed(2)
  const lineOf = (row: HttpRow, what: string) =>
    [
      ...[what, row.blocks ? 'every second' : 'none', row.perSecond.toFixed(0)],
      ...[(row.perSecond / solver.perSecond).toFixed(2), (solver.cpuMs / row.cpuMs).toFixed(2)],
      ...[ms(row.p50Ms), ms(row.p99Ms), (row.p99Ms / row.p50Ms).toFixed(1)],
    ].join(' | ')
  const [idle, busy] = half
  return `# Quotes over HTTP

${Object.entries(facts)
  .map(([name, value]) => `- ${name}: ${value}`)
  .join('\n')}

The recorded market of ${figures.pools} pools, 200 orders. The solver alone in the same process, measured between the
loads: ${solver.perSecond.toFixed(0)} quotes a second, p50 ${ms(solver.p50Ms)} ms, p99 ${ms(solver.p99Ms)} ms,
${ms(solver.cpuMs)} ms of the processor. "rate" is the rate as a part of the solver's, which other programs on the
machine reduce; "processor" is the solver's time of the processor as a part of the API's, which they do not.

| load | blocks | quotes/s | rate | processor | p50 ms | p99 ms | p99 / p50 |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.map((row) => `| ${lineOf(row, `${row.connections} connections`)} |`).join('\n')}
${half.map((row) => `| ${lineOf(row, 'half of capacity')} |`).join('\n')}

- A block every second raises p99 at half of the capacity to ${(busy!.p99Ms / idle!.p99Ms).toFixed(2)} times.
- \`/healthz\` on a new connection beside 256 connections of quotes, ${health.asked} times: p99 ${ms(health.p99Ms)} ms,
  at most ${ms(health.mostMs)} ms.
- A polite key (10 a second) beside 256 connections without a key and a key that floods from 32: it gets
  ${(100 * fairness.share).toFixed(1)} % of its answers, p99 ${ms(fairness.p99Ms)} ms.
`
}
