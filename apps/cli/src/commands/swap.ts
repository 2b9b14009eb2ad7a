import { readIntent } from '@braid-swap/core'
import { exactAmountText } from '@braid-swap/draw'
import { type Command, Option } from 'commander'
import { withExample, withJson, withOrder, withSource } from '../commandOptions.js'
import { MismatchError, UsageError } from '../errors.js'
import { drawPairs, writeJson } from '../output.js'
import { PAYMENTS, type PayBy, paySwap, spenderOf } from '../pay.js'
import { type Prepared, prepareSwap, type SwapOptions } from '../prepare.js'
import { ensureAllowance, readAccount, type Sent, sendSwap } from '../send.js'
import { openClient, sourceOf } from '../sources.js'
import type { Terminal } from '../terminal.js'
import { readAddress } from '../terms.js'
import { labelsOf } from '../tokens.js'
import { routerOf } from '../transaction.js'
import { drawIntent } from './verify.js'

type Options = SwapOptions & {
  readonly send?: true
  readonly privateKeyEnv?: string
  readonly pay: PayBy
  readonly json?: true
}

/** `braid swap`: the transaction of a swap, and what it does; sent if asked. */
export function addSwap(program: Command, terminal: Terminal): void {
  const command = program
    .command('swap')
    .description('the transaction of a swap and, decoded again, what it does')
  withJson(withSource(withOrder(command)))
    .option('--slippage <percent>', 'how much less than quoted is accepted, 0 to 50', '0.5')
    .option('--receiver <address>', 'who gets the output; the sender if absent')
    .option('--from <address>', 'the wallet that will send it')
    .option('--router <address>', 'the router; the published one if absent')
    .option('--deadline <seconds>', 'how long after the quote’s block it is accepted', '1200')
    .option('--send', 'sign and send it through --rpc; approves exactly the amount if need be')
    .addOption(
      new Option('--pay <way>', 'what lets the router take the amount, with --send')
        .choices(PAYMENTS)
        .default('approval'),
    )
    .option('--private-key-env <variable>', 'the environment variable that holds the private key')
    .action((options: Options) =>
      options.send ? send(options, terminal) : show(options, terminal),
    )
  withExample(
    command,
    'braid swap --snapshot market.json --in HYPE --out USDC --amount 1.5 --slippage 0.3',
    'braid swap --rpc $RPC --in native --out USDC --amount 1.5 --send --private-key-env KEY',
  )
}

async function show(options: Options, terminal: Terminal): Promise<void> {
  sourceOf(options)
  const prepared = await prepareSwap(options, terminal)
  const intent = readIntent(prepared.tx.data, prepared.wrappedNative)
  const { amountOut, tx } = prepared
  if (options.json) writeJson(terminal, { amountOut, tx, intent })
  else terminal.out(drawPrepared(prepared))
}

async function send(options: Options, terminal: Terminal): Promise<void> {
  if (options.rpc === undefined || options.snapshot !== undefined) {
    throw new UsageError('--send needs a node, and a quote of now', {
      wanted: '--rpc URL, with --api URL beside it if the API should quote',
    })
  }
  const account = readAccount(options.privateKeyEnv, terminal)
  const signer = { account, client: openClient(options.rpc) }
  const first = await prepareSwap(options, terminal)
  checkRouter(first, options)
  const { tokenIn: token, amountIn: amount } = first.order
  const spender = spenderOf(options.pay, first.tx.to)
  const approved = await ensureAllowance(signer, { token, amount, spender }, terminal)
  // The approval took blocks, and the market moved on meanwhile.
  const prepared = approved ? await prepareSwap(options, terminal) : first
  checkRouter(prepared, options)
  if (!options.json) terminal.out(drawPrepared(prepared))
  terminal.err('sending')
  const sent = await sendSwap(signer, await paySwap(signer, prepared.tx, options.pay))
  const { amountOut: quoted } = prepared
  if (options.json) writeJson(terminal, { quoted, ...sent })
  else terminal.out(drawSent(prepared, sent))
}

/** Nothing is approved to or sent through a contract that only an API vouches for. */
function checkRouter({ tx, wrappedNative }: Prepared, options: Options): void {
  const known = routerOf(CHAIN_ID, wrappedNative).router
  const wanted = options.router === undefined ? known : readAddress('--router', options.router)
  if (tx.to !== wanted) {
    throw new MismatchError('the transaction goes to a router that is not known', {
      got: tx.to,
      wanted: `${wanted}, or the one named by --router`,
    })
  }
}

const CHAIN_ID = 999

function drawPrepared({ order, tokens, tx, amountOut, wrappedNative }: Prepared): string {
  const labels = labelsOf(tokens)
  const fields = Object.entries(tx).map(([name, value]) => [name, `${value}`] as const)
  const promised = exactAmountText(amountOut, order.tokenOut, labels)
  return [
    drawPairs([['quoted', promised]]),
    drawPairs(fields),
    drawIntent(readIntent(tx.data, wrappedNative), labels),
  ].join('\n\n')
}

function drawSent({ order, tokens, amountOut }: Prepared, sent: Sent): string {
  const labels = labelsOf(tokens)
  const text = (wei: bigint) => exactAmountText(wei, order.tokenOut, labels)
  const difference = sent.amountOut - amountOut
  return `\n${drawPairs([
    ['sent', sent.hash],
    ['block', `${sent.block}`],
    ['gas used', `${sent.gasUsed}`],
    ['received', text(sent.amountOut)],
    ['quoted', text(amountOut)],
    ['difference', `${difference > 0n ? '+' : ''}${difference} wei`],
  ])}`
}
