import { stripVTControlCharacters } from 'node:util'
import { stringify } from '@braid-swap/core/advanced'
import Table from 'cli-table3'
import { type DrawnQuote, drawQuote, type TreeOptions } from '../draw/index.js'
import { type ListedToken, labelsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'

/** Writes a value as one JSON document, with integers as decimal strings. */
export function writeJson(terminal: Terminal, value: unknown): void {
  terminal.out(stringify(value, 2))
}

/** Writes a quote as a drawing for people. */
export function writeQuote(
  terminal: Terminal,
  { quote, tokens }: { readonly quote: DrawnQuote; readonly tokens: readonly ListedToken[] },
  details?: TreeOptions['details'],
): void {
  const options = { labels: labelsOf(tokens), paint: terminal.paint, details }
  terminal.out(fitWidth(drawQuote(quote, options), terminal))
}

/** Draws rows under headings, without lines; `align` sets the alignment of each column. */
export function drawTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly ('left' | 'right')[] = [],
): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, i) => align[i] ?? 'left'),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: NO_LINES,
  })
  table.push(...rows.map((row) => [...row]))
  return trimEnds(table.toString())
}

/** Colours, which take no width. */
const ESCAPES = new RegExp(`(${String.fromCharCode(27)}\\[[0-9;]*m)`)

/** Cuts the lines of a drawing at the width of the terminal, and marks a cut line with `…`. */
export function fitWidth(text: string, { columns }: Pick<Terminal, 'columns'>): string {
  if (columns === undefined) return text
  const cut = (line: string) => {
    if ([...stripVTControlCharacters(line)].length <= columns) return line
    let left = columns - 1
    // The colours after the cut are kept, so that each that begins also ends.
    const kept = line.split(ESCAPES).map((part, i) => {
      if (i % 2 === 1) return part
      const letters = [...part].slice(0, left)
      left -= letters.length
      return letters.join('')
    })
    return `${kept.join('')}…`
  }
  return text.split('\n').map(cut).join('\n')
}

/** The difference of an output to another, in basis points with two decimals. */
export function bpsText(out: bigint, other: bigint): string {
  if (out === other) return '0 bps'
  const hundredths = Number(((out - other) * 1_000_000n) / other)
  return `${(hundredths / 100).toFixed(2)} bps`
}

/** A price impact in percent; `null` is unknown. */
export function impactText(bps: number | null): string {
  return bps === null ? 'unknown' : `${(bps / 100).toFixed(2)} %`
}

/** Draws one name and value a line, with the values aligned. */
export function drawPairs(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

function trimEnds(text: string): string {
  return text.replace(/[ \t]+$/gm, '')
}

const NO_LINES = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '' },
}
