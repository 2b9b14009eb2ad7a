// What hindsight tells of blocks: figures, and the tables of the text and of the page.

import { shortAddress } from '@braid-swap/client'
import type { Hex } from '@braid-swap/core'
import { amountText, type TokenLabels } from '../draw/index.js'
import { bpsText, drawTable } from '../print/output.js'
import { type Answer, type JudgedSwap, type MissedPool, verdicts } from './judgeBlock.js'

/** The blocks that were read, and the swaps in them. */
export type Found = {
  readonly blocks: readonly bigint[]
  readonly swaps: readonly JudgedSwap[]
  readonly unread: number
}

type MissedTotal = MissedPool & { readonly swaps: number }

/** The figures of all swaps. */
export type Report = {
  readonly from: bigint
  readonly to: bigint
  readonly counts: Readonly<Record<JudgedSwap['verdict'], number>>
  /** The percentage of the swaps of which every pool is served; `null` without swaps. */
  readonly seenPercent: number | null
  /** Transactions that traded and show no order of one token for one other. */
  readonly unread: number
  readonly missedPools: readonly MissedTotal[]
}

/** The figures of what was found. */
export function reportOf({ blocks, swaps, unread }: Found): Report {
  const count = (verdict: JudgedSwap['verdict']) =>
    swaps.filter((swap) => swap.verdict === verdict).length
  const counts = Object.fromEntries(verdicts.map((one) => [one, count(one)])) as Report['counts']
  const missed = new Map<Hex, MissedTotal>()
  for (const pool of swaps.flatMap((swap) => swap.missed ?? [])) {
    missed.set(pool.pool, { ...pool, swaps: (missed.get(pool.pool)?.swaps ?? 0) + 1 })
  }
  const seen = swaps.length - counts.missed
  return {
    ...{ from: blocks[0]!, to: blocks.at(-1)!, counts, unread },
    seenPercent: swaps.length === 0 ? null : Math.round((seen / swaps.length) * 10_000) / 100,
    missedPools: [...missed.values()].sort((one, other) => other.swaps - one.swaps),
  }
}

type Shown = {
  readonly report: Report
  readonly swaps: readonly JudgedSwap[]
  readonly labels: TokenLabels
}
type Table = {
  readonly head: readonly string[]
  readonly align: readonly ('left' | 'right')[]
  readonly rows: readonly (readonly string[])[]
}

function tableOf({ swaps, labels }: Shown): Table {
  const gap = (answer: Answer, received: bigint) =>
    'error' in answer ? answer.error : bpsText(answer.amountOut, received)
  const rows = swaps.map(({ block, name, router, atPlace, before, received, ...swap }) => [
    `${block}`,
    name ?? (router ? shortAddress(router) : ''),
    amountText(swap.amountIn, swap.tokenIn, labels),
    `→ ${amountText(received, swap.tokenOut, labels)}`,
    'error' in atPlace ? '' : amountText(atPlace.amountOut, swap.tokenOut, labels),
    ...[gap(atPlace, received), gap(before, received), swap.verdict],
  ])
  return {
    head: ['block', 'router', 'sold', 'received', 'Braid pays', 'more', 'block before', 'verdict'],
    align: ['right', 'left', 'right', 'left', 'right', 'right', 'right', 'left'],
    rows,
  }
}

const missedOf = ({ missedPools }: Report): Table => ({
  head: ['missed pool', 'venue', 'reason', 'swaps'],
  align: ['left', 'left', 'left', 'right'],
  rows: missedPools.map(({ pool, venue = 'unknown', code = '', swaps }) => [
    ...[pool, venue, code, `${swaps}`],
  ]),
})

function linesOf({ from, to, counts, seenPercent, unread }: Report, total: number) {
  const each = verdicts.map((one) => `${counts[one]} ${one}`).join(', ')
  return [
    `blocks ${from} to ${to}: ${total} swaps of others, ${each}`,
    ...(seenPercent === null ? [] : [`${seenPercent} % of them used only pools that Braid serves`]),
    ...(unread > 0 ? [`${unread} more transactions sold or bought several tokens, or none`] : []),
  ]
}

/** The report for a terminal. */
export function textOf(shown: Shown): string {
  const draw = ({ head, rows, align }: Table) =>
    rows.length > 0 ? [drawTable(head, rows, align)] : []
  const lines = linesOf(shown.report, shown.swaps.length).join('\n')
  return [...draw(tableOf(shown)), lines, ...draw(missedOf(shown.report))].join('\n\n')
}

/** Names of tokens are anybody's text. */
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The report as a page, which needs no other file. */
export function pageOf(shown: Shown): string {
  const row = (tag: string, cells: readonly string[], align: Table['align']) =>
    `<tr>${cells.map((cell, i) => `<${tag} class=${align[i]}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  const draw = ({ head, rows, align }: Table) =>
    rows.length > 0
      ? [
          `<table>\n${[row('th', head, align), ...rows.map((one) => row('td', one, align))].join('\n')}\n</table>`,
        ]
      : []
  return [
    '<!doctype html><html lang=en><meta charset=utf-8><title>Braid in hindsight</title>',
    '<style>body{font:14px system-ui;margin:2rem}table{border-collapse:collapse;margin:1rem 0}',
    'td,th{padding:.2rem .6rem;border-bottom:1px solid #8886}.right{text-align:right}.left{text-align:left}</style>',
    '<h1>Braid in hindsight</h1>',
    ...linesOf(shown.report, shown.swaps.length).map((line) => `<p>${escaped(line)}</p>`),
    ...[...draw(tableOf(shown)), ...draw(missedOf(shown.report))],
    '',
  ].join('\n')
}
