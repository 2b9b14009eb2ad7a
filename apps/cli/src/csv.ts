import { parse } from 'csv-parse/sync'

/** A table as CSV (RFC 4180, lines end with a line feed); `undefined` is an empty cell. */
export function toCsv(
  head: readonly string[],
  rows: readonly (readonly (string | number | bigint | undefined)[])[],
): string {
  const cell = (value: string | number | bigint | undefined) => {
    const text = value === undefined ? '' : `${value}`
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\n')
}

/** The rows of a CSV text by the names in its first row. Throws a CsvError. */
export function fromCsv(text: string): readonly Readonly<Record<string, string>>[] {
  return parse(text, { columns: true, trim: true, bom: true, skip_empty_lines: true })
}
