import { shortAmount } from '@braid-swap/client'
import type { Command } from 'commander'
import { withExample, withJson } from '../commandOptions.js'
import { nameOf } from '../draw/index.js'
import { describeMarket, type MarketSummary } from '../markets/describeMarket.js'
import { drawPairs, drawTable, fitWidth, writeJson } from '../print/output.js'
import { readMarket } from '../sources/marketSource.js'
import { type ListedToken, labelsOf, nativeToken } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'

type InfoOptions = { readonly tokens?: string; readonly json?: true }

/** The venues, and the tokens, that the table shows; `--json` has all. */
const MAX_ROWS = 10

/** `braid snapshot info`: families, venues and tokens of a snapshot, and their depth. */
export function addSnapshotInfo(snapshot: Command, terminal: Terminal): void {
  const command = snapshot
    .command('info')
    .description('show the families, venues and tokens of a snapshot, and their depth')
    .argument('<file>', 'a snapshot, or - for standard input')
    .option('--tokens <file>', 'token symbols, as JSON (default: tokens.json beside the snapshot)')
    .action((file: string, options: InfoOptions) => {
      const market = readMarket(file, options.tokens, terminal)
      const summary = describeMarket(market.snapshot)
      if (options.json) writeJson(terminal, { file, ...summary })
      else terminal.out(fitWidth(drawSummary(summary, market.tokens), terminal))
    })
  withJson(command)
  withExample(command, 'braid snapshot info market.json')
}

function drawSummary(summary: MarketSummary, tokens: readonly ListedToken[]): string {
  const { block, families, venues } = summary
  const native = nativeToken(summary.chainId)
  const labels = labelsOf([native, ...tokens])
  const counts = Object.entries(families).map(([name, count]) => `${name} ${count}`)
  const pairs = drawPairs([
    ['chain', `${summary.chainId}`],
    ['block', `${block.number} ${block.hash}`],
    ['time', new Date(Number(block.timestamp) * 1_000).toISOString()],
    ['pools', `${summary.pools}, of them ${summary.offMarket} far off the market`],
    ['sampled', `${summary.sampled}`],
    ['families', counts.join(', ')],
    ['depth', `output of the trades that move each pool by 2 %, in ${native.symbol}`],
  ])
  const venueRows = venues.map((row) => [row.venue, row.families.join(', '), ...figuresOf(row)])
  const tokenRows = summary.tokens.map((row) => [
    ...[nameOf(row.token, labels), row.token, ...figuresOf(row)],
  ])
  return [
    pairs,
    drawDeepest(['venue', 'family'], venueRows),
    drawDeepest(['token', 'address'], tokenRows),
  ].join('\n\n')
}

function figuresOf({ pools, depth }: { readonly pools: number; readonly depth: bigint }) {
  return [`${pools}`, shortAmount(depth, 18, 6)]
}

function drawDeepest(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const align = ['left', 'left', 'right', 'right'] as const
  const table = drawTable([...head, 'pools', 'depth'], rows.slice(0, MAX_ROWS), align)
  const hidden = rows.length - MAX_ROWS
  return hidden > 0 ? `${table}\n… and ${hidden} more (--json)` : table
}
