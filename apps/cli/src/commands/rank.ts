import { buildGraph } from '@braid-swap/core'
import { amountText, exactAmountText, nameOf, shortAmount } from '@braid-swap/draw'
import { type Command, Option } from 'commander'
import { withExample, withJson, withMarket, withOrder, withRouteLists } from '../commandOptions.js'
import { toCsv } from '../csv.js'
import { UsageError } from '../errors.js'
import { type Part, parts, type Ranking, rankBeside, rankWithout } from '../markets/rankParts.js'
import { type OrderOptions, readOrder } from '../order.js'
import { bpsText, drawTable, fitWidth, writeJson } from '../output.js'
import { trackProgress } from '../progress.js'
import {
  type RouteListOptions,
  readRouteLists,
  resolveVenues,
  routeOptions,
} from '../routeLists.js'
import { openMarket, type SourceOptions } from '../sources/marketSource.js'
import { type ListedToken, labelsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'

type RankOptions = SourceOptions &
  OrderOptions &
  RouteListOptions & {
    readonly by: Part
    readonly beside?: string
    readonly csv?: true
    readonly json?: true
  }

/** `braid rank`: what an order loses without each pool or venue, or gains from each further venue. */
export function addRank(program: Command, terminal: Terminal): void {
  const command = program
    .command('rank')
    .description(
      'what an order loses without each pool, venue or token, or gains from a further venue',
    )
    .addOption(
      new Option('--by <part>', 'what is left out, one at a time').choices(parts).default('pool'),
    )
    .option(
      '--beside <venues>',
      'only these venues, comma-separated, and each other one beside them',
    )
    .option('--csv', 'print CSV')
    .action((options: RankOptions) => run(options, terminal))
  withJson(withRouteLists(withMarket(withOrder(command))))
  withExample(
    command,
    'braid rank --snapshot market.json --in HYPE --out USDC --amount 2500 --by venue',
    'braid rank --snapshot market.json --in HYPE --out USDC --amount 2500 --beside my-v3',
  )
}

async function run(options: RankOptions, terminal: Terminal): Promise<void> {
  const { snapshot, tokens } = await openMarket(options, terminal)
  const order = readOrder(options, tokens)
  const terms = routeOptions(snapshot, readRouteLists(options, tokens))
  const onPart = trackProgress(terminal.progress, 'quotes compared')
  const asked = { graph: buildGraph(snapshot), order, terms, onPart }
  const beside = options.beside?.split(',')
  if (beside) resolveVenues(snapshot, { includeProtocols: beside })
  if (beside && options.by !== 'pool' && options.by !== 'venue') {
    throw new UsageError('--beside adds venues', { got: `--by ${options.by}` })
  }
  const ranking = beside ? rankBeside(asked, beside) : rankWithout(asked, options.by)
  terminal.progress?.('')
  const part = beside ? 'venue' : options.by
  if (options.json) {
    writeJson(terminal, { order, block: snapshot.block.number, by: part, ...ranking })
  } else if (options.csv) {
    terminal.out(
      toCsv(
        [part, 'amountOutWei'],
        ranking.parts.map((row) => [row.part, row.amountOut]),
      ),
    )
  } else {
    const drawn = drawRanking(ranking, {
      options,
      part,
      tokens,
      order,
      venueOf: venuesOf(snapshot),
    })
    terminal.out(fitWidth(drawn, terminal))
  }
}

function venuesOf({ pools }: { readonly pools: readonly { id: string; venue: string }[] }) {
  const venues = new Map(pools.map(({ id, venue }) => [id, venue]))
  return (id: string) => venues.get(id) ?? ''
}

function drawRanking(
  ranking: Ranking,
  {
    options,
    part,
    tokens,
    order,
    venueOf,
  }: {
    readonly options: RankOptions
    readonly part: Part
    readonly tokens: readonly ListedToken[]
    readonly order: ReturnType<typeof readOrder>
    readonly venueOf: (pool: string) => string
  },
): string {
  const { tokenIn, tokenOut, amountIn } = order
  const labels = labelsOf(tokens)
  const decimals = labels.get(tokenOut)?.decimals ?? 0
  const nameOfPart = (text: string) => {
    if (part === 'pool') return `${text}  ${venueOf(text)}`
    return part === 'token' ? nameOf(text as typeof tokenIn, labels) : text
  }
  const isAdded = options.beside !== undefined
  const rows = ranking.parts.map((row) => [
    nameOfPart(row.part),
    row.amountOut === 0n ? 'no quote' : shortAmount(row.amountOut, decimals, 12),
    row.amountOut === 0n ? '' : bpsText(row.amountOut, ranking.amountOut),
  ])
  const base = isAdded ? `through ${options.beside} alone` : 'through all of them'
  const head = [part, `${isAdded ? 'with' : 'without'} it`, isAdded ? 'gain' : 'loss']
  return [
    `${exactAmountText(amountIn, tokenIn, labels)} → ${amountText(ranking.amountOut, tokenOut, labels)} ${base}, before gas`,
    drawTable(head, rows, ['left', 'right', 'right']),
  ].join('\n\n')
}
