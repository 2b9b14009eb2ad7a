// The measured rows as an aligned Markdown table, and a line about each row that did not always serve.
import type { Measured } from './measureRow.js'

const COLUMNS = [
  ...['node', 'ready after s', 'requests of the start', 'requests a round', 'samples ready'],
  ...['age p50 ms', 'age p99 ms', 'answers', 'wrong', 'wrong blocks', 'in a row', 'worst bp'],
  'last wrong after the fault, s',
]

/** The table, with aligned columns. */
export function tableOf(rows: readonly Measured[]): string {
  const cells = [COLUMNS, ...rows.map(cellsOf)]
  const widths = COLUMNS.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)))
  const lineOf = (line: readonly string[]) => {
    const padded = line.map((text, i) =>
      i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!),
    )
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [lineOf(COLUMNS), lineOf(rule), ...cells.slice(1).map(lineOf)].join('\n')
}

/** One line: why a row was not ready, what its start asked, what it refused, and what it asked after the start. */
export function notesOf({ row, refusals, reason, startMethods, counts }: Measured): string {
  const parts = [
    ...(reason === undefined ? [] : [reason]),
    `start ${JSON.stringify(startMethods)}`,
    ...[refusals, counts.methods, counts.errors].map((one) => JSON.stringify(one)),
    ...(counts.limited > 0 ? [`${counts.limited} above the limit`] : []),
  ]
  return `${row.name}: ${parts.join('; ')}`
}

function cellsOf(measured: Measured): readonly string[] {
  const { row, readyS, startRequests, requests, blocks, samples, readySamples } = measured
  const { agesMs, checked, wrong, wrongBlocks, wrongInARow, worstBp } = measured
  const sorted = [...agesMs].sort((a, b) => a - b)
  const age = (part: number) => format(sorted[Math.floor((sorted.length - 1) * part)], 0)
  return [
    row.title,
    readyS === undefined ? 'never' : format(readyS, 1),
    `${startRequests}`,
    blocks > 0 ? format(requests / blocks, 2) : '–',
    samples > 0 ? `${format((100 * readySamples) / samples, 1)} %` : '–',
    ...[age(0.5), age(0.99), `${checked}`, `${wrong}`, `${wrongBlocks}`, `${wrongInARow}`],
    format(worstBp, 2),
    afterFault(measured),
  ]
}

/** Seconds from the end of wrong logs until the last wrong answer; 0 if it was before. */
function afterFault({ row, lastWrongS }: Measured): string {
  const { wrongLogsUntilS } = row
  if (wrongLogsUntilS === undefined || !Number.isFinite(wrongLogsUntilS)) return '–'
  return format(Math.max(0, (lastWrongS ?? 0) - wrongLogsUntilS), 1)
}

function format(value: number | undefined, digits: number): string {
  return value === undefined ? '–' : value.toFixed(digits)
}
