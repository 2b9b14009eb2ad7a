import { wrappedOf } from '@braid-swap/core'
import { nameOf, parseAmount, shortAddress, shortAmount } from '@braid-swap/draw'
import { type Command, Option } from 'commander'
import { withExample, withJson } from '../commandOptions.js'
import { UsageError } from '../errors.js'
import { describeMarket, type MarketSummary } from '../markets/describeMarket.js'
import { diffMarkets, type MarketDiff } from '../markets/diffMarkets.js'
import { mergeMarkets, type Preference, preferences } from '../markets/mergeMarkets.js'
import { type Keep, pruneMarket } from '../markets/pruneMarket.js'
import { drawPairs, drawTable, fitWidth, writeJson } from '../output.js'
import { type OpenMarket, readMarket } from '../sources/marketSource.js'
import { type ListedToken, labelsOf, nativeToken, resolveToken } from '../sources/tokens.js'
import { writeMarket } from '../sources/writeMarket.js'
import type { Terminal } from '../terminal.js'

type FileOptions = { readonly tokens?: string; readonly json?: true }
type OutOptions = FileOptions & { readonly out: string }
type PruneOptions = OutOptions & {
  readonly onlyTokens?: string
  readonly includeProtocols?: string
  readonly excludeProtocols?: string
  readonly minDepth?: string
  readonly depthToken: string
}

const TOKENS = 'token symbols, as JSON (default: tokens.json beside the snapshot)' as const

/** `braid snapshot info | diff | merge | prune`: snapshots as files, offline. */
export function addSnapshotFiles(snapshot: Command, terminal: Terminal): void {
  addInfo(snapshot, terminal)
  addDiff(snapshot, terminal)
  addMerge(snapshot, terminal)
  addPrune(snapshot, terminal)
}

function addInfo(snapshot: Command, terminal: Terminal): void {
  const command = snapshot
    .command('info')
    .description('what a snapshot contains: families, venues, tokens and their depth')
    .argument('<file>', 'a snapshot, or - for standard input')
    .option('--tokens <file>', TOKENS)
    .option('--limit <number>', 'maximum number of venues and of tokens to show', '10')
    .action((file: string, options: FileOptions & { readonly limit: string }) => {
      const limit = readCount('--limit', options.limit)
      const market = readMarket(file, options.tokens, terminal)
      const summary = describeMarket(market.snapshot)
      if (options.json) writeJson(terminal, { file, ...summary })
      else terminal.out(fitWidth(drawSummary(summary, market.tokens, limit), terminal))
    })
  withJson(command)
  withExample(command, 'braid snapshot info market.json')
}

function addDiff(snapshot: Command, terminal: Terminal): void {
  const command = snapshot
    .command('diff')
    .description('pools and tokens that came, went or changed between two snapshots')
    .argument('<before>', 'a snapshot')
    .argument('<after>', 'a snapshot, or - for standard input')
    .option('--limit <number>', 'maximum number of changed pools to show', '20')
    .action((before: string, after: string, options: FileOptions & { readonly limit: string }) => {
      const limit = readCount('--limit', options.limit)
      const [old, young] = [before, after].map((file) => readMarket(file, undefined, terminal))
      const diff = diffMarkets(old!.snapshot, young!.snapshot)
      if (options.json) writeJson(terminal, { before, after, ...diff })
      else terminal.out(fitWidth(drawDiff(diff, limit), terminal))
    })
  withJson(command)
  withExample(command, 'braid snapshot diff monday.json tuesday.json')
}

function addMerge(snapshot: Command, terminal: Terminal): void {
  const command = snapshot
    .command('merge')
    .description('one market from several snapshots of one block')
    .argument('<files...>', 'snapshots; all of one block, unless --prefer says which one wins')
    .requiredOption('--out <file>', 'file to write')
    .addOption(
      new Option('--prefer <which>', 'the snapshot that wins where two differ').choices(
        preferences,
      ),
    )
    .action((files: readonly string[], options: OutOptions & { readonly prefer?: Preference }) => {
      const markets = files.map((name) => ({ name, ...readMarket(name, undefined, terminal) }))
      const merged = mergeMarkets(markets, options.prefer)
      const blocks = new Set(
        markets.map(({ snapshot: { block } }) => `${block.number} ${block.hash}`),
      )
      if (blocks.size > 1) {
        terminal.err(`a mixture of ${blocks.size} blocks: no block of the chain has this market`)
      }
      const named = markets.flatMap(({ tokens }) => tokens).filter(({ symbol }) => symbol !== '')
      const tokens = [...new Map(named.map((token) => [token.address, token])).values()]
      write({ snapshot: merged, tokens }, options, terminal)
    })
  withJson(command)
  withExample(command, 'braid snapshot merge v2.json v3.json --out market.json')
}

function addPrune(snapshot: Command, terminal: Terminal): void {
  const command = snapshot
    .command('prune')
    .description('a smaller market: keep pools by token, venue and depth')
    .argument('<file>', 'a snapshot, or - for standard input')
    .requiredOption('--out <file>', 'file to write')
    .option('--tokens <file>', TOKENS)
    .option('--only-tokens <tokens>', 'pools between these tokens, comma-separated')
    .option('--include-protocols <ids>', 'pools of these venues, comma-separated')
    .option('--exclude-protocols <ids>', 'no pools of these venues, comma-separated')
    .option('--min-depth <amount>', 'least output of the trade that moves a pool by 2 %')
    .option('--depth-token <token>', 'the token of --min-depth', 'native')
    .action((file: string, options: PruneOptions) => {
      const market = readMarket(file, options.tokens, terminal)
      const pruned = pruneMarket(market.snapshot, readKeep(options, market))
      write({ snapshot: pruned, tokens: market.tokens }, options, terminal)
    })
  withJson(command)
  withExample(
    command,
    'braid snapshot prune market.json --only-tokens HYPE,USDC,UBTC --out small.json',
    'braid snapshot prune market.json --min-depth 1000 --depth-token USDC --out deep.json',
  )
}

function readKeep(options: PruneOptions, { snapshot, tokens }: OpenMarket): Keep {
  const listed = (text: string | undefined) => text?.split(',')
  const { includeProtocols, excludeProtocols, minDepth } = options
  const only = listed(options.onlyTokens)?.map((text) => resolveToken(text, tokens).address)
  const depthToken = resolveToken(options.depthToken, [nativeToken, ...tokens])
  const lists = {
    includeProtocols: listed(includeProtocols),
    excludeProtocols: listed(excludeProtocols),
  }
  return {
    // No pool but the wrapping one has the native token itself.
    ...(only && { tokens: new Set(only.map((token) => wrappedOf(token, snapshot.wrappedNative))) }),
    ...(lists.includeProtocols && { includeProtocols: lists.includeProtocols }),
    ...(lists.excludeProtocols && { excludeProtocols: lists.excludeProtocols }),
    ...(minDepth !== undefined && {
      depth: { token: depthToken.address, amount: parseAmount(minDepth, depthToken.decimals) },
    }),
  }
}

function write(
  { snapshot, tokens }: Pick<OpenMarket, 'snapshot' | 'tokens'>,
  { out, json }: OutOptions,
  terminal: Terminal,
): void {
  writeMarket(out, snapshot, tokens)
  const { pools, block } = snapshot
  if (json) writeJson(terminal, { out, pools: pools.length, block: block.number })
  else terminal.out(`${out}: ${pools.length} pools at block ${block.number}`)
}

function drawSummary(
  summary: MarketSummary,
  tokens: readonly ListedToken[],
  limit: number,
): string {
  const { block, families, venues } = summary
  const labels = labelsOf([nativeToken, ...tokens])
  const depth = (wei: bigint) => shortAmount(wei, nativeToken.decimals, 6)
  const pairs = drawPairs([
    ['chain', `${summary.chainId}`],
    ['block', `${block.number} ${block.hash}`],
    ['time', new Date(Number(block.timestamp) * 1_000).toISOString()],
    ['pools', `${summary.pools}, of them ${summary.offMarket} far off the market`],
    ['sampled', `${summary.sampled}`],
    [
      'families',
      Object.entries(families)
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
    ],
    ['depth', `output of the trades that move each pool by 2 %, in ${nativeToken.symbol}`],
  ])
  const align = ['left', 'left', 'right', 'right'] as const
  const venueRows = venues
    .slice(0, limit)
    .map((row) => [row.venue, row.families.join(', '), `${row.pools}`, depth(row.depth)])
  const tokenRows = summary.tokens
    .slice(0, limit)
    .map((row) => [nameOf(row.token, labels), row.token, `${row.pools}`, depth(row.depth)])
  return [
    pairs,
    drawTable(['venue', 'family', 'pools', 'depth'], venueRows, align) + more(venues, limit),
    drawTable(['token', 'address', 'pools', 'depth'], tokenRows, align) +
      more(summary.tokens, limit),
  ].join('\n\n')
}

function drawDiff(diff: MarketDiff, limit: number): string {
  const [before, after] = diff.blocks
  const pairs = drawPairs([
    ['blocks', `${before.number} → ${after.number}`],
    ...diff.fields.map((field) => ['other', field] as const),
    ['pools', `${diff.added.length} added, ${diff.removed.length} removed`],
    ['changed', `${diff.changed.length}, and ${diff.unchanged} the same`],
    ['tokens', `${diff.tokensAdded.length} added, ${diff.tokensRemoved.length} removed`],
    ['decimals', `${diff.tokensChanged.length} changed`],
  ])
  const rows = [
    ...diff.added.map((id) => ['added', shortAddress(id), '', '']),
    ...diff.removed.map((id) => ['removed', shortAddress(id), '', '']),
    ...diff.changed.map(({ pool, venue, family, fields }) => [
      ...['changed', shortAddress(pool), `${venue} ${family}`, fields.join(', ')],
    ]),
  ]
  if (rows.length === 0) return pairs
  const table = drawTable(['', 'pool', 'venue', 'fields'], rows.slice(0, limit))
  return `${pairs}\n\n${table}${more(rows, limit)}`
}

function more({ length }: readonly unknown[], limit: number): string {
  return length > limit ? `\n… and ${length - limit} more (--limit)` : ''
}

function readCount(name: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError(`${name} is not a count`, { got: text, wanted: '1 to 999999' })
}
