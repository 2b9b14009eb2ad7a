import { join } from 'node:path'
import { type Client, readTokens } from '@braid-swap/chain'
import { stringifySnapshot } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import type { Command } from 'commander'
import { wholeNumber, withExample, withJson, withNode } from '../commandOptions.js'
import { judgeBlock, type LostSwap } from '../hindsight/judgeBlock.js'
import { type Found, pageOf, reportOf, textOf } from '../hindsight/report.js'
import { tradedBlocks, type Wanted } from '../hindsight/tradedBlocks.js'
import { fitWidth, writeJson } from '../print/output.js'
import { trackProgress } from '../progress.js'
import { writeText } from '../sources/files.js'
import { openNode, type SourceOptions } from '../sources/marketSource.js'
import { callNode } from '../sources/node.js'
import { labelsOf, readTokenFile } from '../sources/tokens.js'
import { writeNames } from '../sources/writeMarket.js'
import { knownRouter } from '../swap/router.js'
import type { Terminal } from '../terminal.js'

type HindsightOptions = SourceOptions & {
  readonly blocks: string
  readonly keep?: string
  readonly html?: string
  readonly json?: true
}

/** `braid hindsight`: holds the swaps that other routers settled against what Braid would have paid. */
export function addHindsight(program: Command, terminal: Terminal): void {
  const command = program
    .command('hindsight')
    .description('compare the swaps that other routers settled with what Braid would have paid')
    .requiredOption(
      '--blocks <number>',
      'blocks to read: the newest, or the next if the node keeps no past state',
    )
    .option('--tokens <file>', 'token symbols, as JSON (default: read from the node)')
    .option(
      '--keep <folder>',
      'write lost orders and their markets, for `braid simulate --alone --gross --intermediates all`',
    )
    .option('--html <file>', 'write the report as a page, too')
    .action((options: HindsightOptions) => run(options, terminal))
  withJson(withNode(command))
  withExample(command, 'braid hindsight --rpc $RPC --requests-per-minute 100 --blocks 50')
}

async function run(options: HindsightOptions, terminal: Terminal): Promise<void> {
  const node = openNode(options)
  const wanted = { venues: node.venues, blocks: wholeNumber('--blocks', options.blocks) }
  const found = await callNode(() =>
    judgeAll(node.client, { ...wanted, keep: options.keep }, terminal),
  )
  terminal.progress?.('')
  const [report, { swaps }] = [reportOf(found), found]
  const addresses = new Set(swaps.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]))
  const isNamed =
    !options.json || options.html !== undefined || swaps.some(({ verdict }) => verdict === 'lost')
  const read = () => (isNamed ? callNode(() => readTokens(node.client, [...addresses])) : [])
  const tokens = options.tokens ? readTokenFile(options.tokens) : await read()
  if (options.keep !== undefined) writeNames(options.keep, tokens)
  const shown = { report, swaps, labels: labelsOf(tokens) }
  if (options.html !== undefined) writeText(options.html, pageOf(shown))
  if (options.json) writeJson(terminal, { ...report, swaps })
  else terminal.out(fitWidth(textOf(shown), terminal))
}

async function judgeAll(
  client: Client,
  { keep, ...wanted }: Wanted & { readonly keep: string | undefined },
  terminal: Terminal,
): Promise<Found> {
  const ownRouter = knownRouter(undefined).router
  const onBlock = trackProgress(terminal.progress, 'blocks')
  let found: Found = { blocks: [], swaps: [], unread: 0 }
  for await (const block of tradedBlocks(client, wanted, terminal)) {
    const { swaps, lost, unread } = judgeBlock({ ...block, ownRouter })
    found = {
      blocks: [...found.blocks, block.number],
      swaps: [...found.swaps, ...swaps],
      unread: found.unread + unread,
    }
    if (keep !== undefined) for (const one of lost) keepLost(keep, one)
    onBlock(found.blocks.length, wanted.blocks)
  }
  return found
}

/** Writes the market at the place of a lost order, and the order as `braid simulate` reads it. */
function keepLost(folder: string, { swap, snapshot }: LostSwap): void {
  const path = join(folder, `${swap.block}-${swap.index}`)
  writeText(`${path}.json.gz`, `${stringifySnapshot(snapshot)}\n`)
  const { tokenIn, tokenOut, amountIn: amountWei } = swap
  writeText(`${path}.ndjson`, `${stringify({ in: tokenIn, out: tokenOut, amountWei })}\n`)
}
