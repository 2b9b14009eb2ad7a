import { parse } from 'csv-parse/sync'
import type { AmountResult } from './quotedAmount.js'

type Cell = string | number | bigint | undefined

/** A cell that a spreadsheet runs as a formula; a number is none. */
const FORMULA = /^\s*[-=+@](?!\d*\.?\d+$)/

/**
 * A table as CSV (RFC 4180, lines end with a line feed); `undefined` is an empty cell. A name that would be a formula in a
 * spreadsheet gets an apostrophe in front, which spreadsheets read as text.
 */
export function toCsv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cell = (value: Cell) => {
    const given = value === undefined ? '' : `${value}`
    const text = FORMULA.test(given) ? `'${given}` : given
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\n')
}

/**
 * The rows of a CSV text by the names in its first row, which also tells the delimiter: where the comma is the decimal
 * sign, spreadsheets write semicolons. Throws a CsvError.
 */
export function fromCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const [head = ''] = text.split('\n', 1)
  const delimiter = head.includes(';') ? ';' : ','
  return parse(text, { columns: true, trim: true, bom: true, skip_empty_lines: true, delimiter })
}

/** The last columns of every table of quotes: the figures, and the code of the reason why there are none. */
export const figureColumns: readonly string[] = ['priceImpactBps', 'gas', 'hops', 'error']

/** The cells of {@link figureColumns}. */
export function figureCells(result: AmountResult): readonly Cell[] {
  if ('error' in result) return [undefined, undefined, undefined, result.error]
  return [result.priceImpactBps ?? undefined, result.gas, result.hops, undefined]
}
