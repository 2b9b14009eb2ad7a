import type { Finding, Table } from '../goals/goal.js'
import { type Change, changesOf } from './changes.js'

/** Environment and parameters of a run. */
export type RunFacts = {
  readonly command: string
  readonly machine: string
  readonly node: string
  readonly commit: string
  readonly date: string
  readonly seconds: number
}

/** The whole report as Markdown. */
export function toMarkdown(
  facts: RunFacts,
  findings: readonly Finding[],
  previous: ReadonlyMap<string, number> = new Map(),
): string {
  const lines = [
    '# Benchmark',
    '',
    `\`${facts.command}\` at ${facts.commit}, ${facts.date}, ${facts.seconds.toFixed(0)} s.`,
    `${facts.machine}, Node ${facts.node}.`,
    '',
    ...renderTable({
      title: '',
      columns: ['goal', 'target', 'measured', 'verdict'],
      rows: findings.map((f) => [f.name, f.target, f.measured, f.verdict]),
    }),
    ...renderChanges(findings, previous),
  ]
  for (const finding of findings) {
    if (finding.tables.length === 0) continue
    lines.push('', `## ${finding.name}`, '', finding.question)
    for (const table of finding.tables) {
      if (table.rows.length > 0) lines.push('', `**${table.title}**`, '', ...renderTable(table))
    }
  }
  return `${lines.join('\n')}\n`
}

/** Lists what got worse since the report before, then what got better; empty without one. */
function renderChanges(
  findings: readonly Finding[],
  previous: ReadonlyMap<string, number>,
): readonly string[] {
  if (previous.size === 0) return []
  const { worse, better } = changesOf(findings, previous)
  const table = (title: string, changes: readonly Change[]) => [
    ...['', `**${title} (${changes.length})**`],
    ...(changes.length === 0
      ? []
      : [
          '',
          ...renderTable({
            title,
            columns: ['figure', 'before', 'now'],
            rows: changes.map(({ key, before, value }) => [key, before, value]),
          }),
        ]),
  ]
  const heads = ['', '## Changes since the report before']
  return [...heads, ...table('worse', worse), ...table('better', better)]
}

/** One line per goal, for the terminal. */
export function toLine({ name, target, measured, verdict }: Finding): string {
  const mark = verdict === 'reached' ? '✓' : verdict === 'missed' ? '✗' : '–'
  return `${mark} ${name}: ${verdict}. ${measured} (target: ${target})`
}

function renderTable({ columns, rows }: Table): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns.map(escapePipe)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(row.map((cell) => escapePipe(toCell(cell))))),
  ]
}

/** A number with three significant digits, or with all digits if it is an integer below 1e6. */
export function toCell(value: string | number): string {
  if (typeof value === 'string') return value
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : `${value}`
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return `${value}`
  if (Math.abs(value) >= 100 && Math.abs(value) < 1e6) return value.toFixed(1)
  return value.toPrecision(3)
}

function escapePipe(text: string): string {
  return text.replaceAll('|', '\\|')
}
