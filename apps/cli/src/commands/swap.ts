import { type DoneSwap, SendError } from '@braid-swap/client'
import { type Address, NATIVE } from '@braid-swap/core'
import { ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { type Command, Option } from 'commander'
import {
  MAX_PRICE_IMPACT,
  withAmountOut,
  withExample,
  withFee,
  withJson,
  withOrder,
  withRouteLists,
  withSource,
} from '../commandOptions.js'
import { amountText, exactAmountText, toDrawnFindings } from '../draw/index.js'
import { DeclinedError, NoOwnLimitError, NotAcceptedError, UsageError } from '../errors.js'
import { drawPairs, writeJson } from '../print/output.js'
import { openClient, sourceOf } from '../sources/marketSource.js'
import { decimalsOf, labelsOf } from '../sources/tokens.js'
import { drawIntent, feeText } from '../swap/drawIntent.js'
import { limitOf, saysLimit } from '../swap/ownTerms.js'
import { type Built, buildSwap, type Plan, planSwap, type SwapOptions } from '../swap/planSwap.js'
import {
  endOfEarlier,
  PAYMENTS,
  readAccount,
  type SendOptions,
  type Signer,
  sendBuilt,
} from '../swap/send.js'
import { readAddress } from '../swap/slippage.js'
import { withSuggestedSlippage } from '../swap/suggestedSlippage.js'
import { openSwapFiles } from '../swap/swapFiles.js'
import { withWholeBalance } from '../swap/wholeBalance.js'
import type { Terminal } from '../terminal.js'

type Options = SwapOptions &
  SendOptions & {
    readonly send?: true
    readonly yes?: true
    readonly privateKeyEnv?: string
    readonly json?: true
  }

/** `braid swap`: builds the transaction of a swap and shows its effect; sends it with `--send`. */
export function addSwap(program: Command, terminal: Terminal): void {
  const command = program
    .command('swap')
    .description('build the transaction of a swap, check it and show its effect')
  withJson(withFee(withRouteLists(withSource(withAmountOut(withOrder(command))))))
    .option(
      '--slippage <percent>',
      'accepted loss against the quote, 0 to 50, or `auto` with --api',
      '0.5',
    )
    .option('--min <number>', 'least output that you accept, in whole tokens')
    .option('--min-wei <integer>', 'the same in wei, whatever decimals a node reports')
    .option('--min-rate <number>', 'least output for each token in, in whole tokens')
    .option(
      '--max-amount-in <number>',
      'with --amount-out: most input that you accept, in whole tokens',
    )
    .option('--receiver <address>', 'who gets the output (default: the sender)')
    .option('--from <address>', 'the wallet that will send the transaction')
    .option('--router <address>', 'the router (default: the published one)')
    .option('--deadline <seconds>', 'time from now until the deadline', '1200')
    .option(...MAX_PRICE_IMPACT)
    .option(
      '--accept <codes>',
      'what may be found in the quote and is accepted, such as PRICE_IMPACT_HIGH; refuses what else must be',
    )
    .option('--send', 'sign and send it through --rpc; approves exactly the amount if needed')
    .option('--yes', 'send without asking, unless a finding must be accepted')
    .addOption(
      new Option('--pay <way>', 'how to authorize the router to take the amount, with --send')
        .choices(PAYMENTS)
        .default('approval'),
    )
    .option('--tip <gwei>', 'paid for each gas beside the base fee, for a place in a full block')
    .option(
      '--max-network-fee <number>',
      'most of the native token that each transaction may cost in gas (default: 2 % of the order’s worth; asks above it)',
    )
    .option('--private-key-env <variable>', 'the environment variable with the private key')
    .action(async (given: Options) => {
      const owner = given.amount === 'all' ? ownerOf(given, terminal) : undefined
      const sold = await withWholeBalance(given, owner, terminal)
      const options = await withSuggestedSlippage(sold, terminal)
      return options.send ? send(options, terminal) : show(options, terminal)
    })
  withExample(
    command,
    'braid swap --snapshot market.json --in native --out USDC --amount 1.5 --slippage 0.3',
    'braid swap --rpc $RPC --in native --out USDC --amount 1.5 --send --private-key-env KEY',
    'braid swap --rpc $RPC --in native --out USDC --amount-out 50 --max-amount-in 1.4 --send --private-key-env KEY',
    'braid swap --api $API --rpc $RPC --in native --out $USDC --amount 1.5 --min-rate 38 --send --private-key-env KEY',
  )
}

/** The wallet that pays, if the options name it. Throws USAGE. */
function ownerOf({ from, send, privateKeyEnv }: Options, terminal: Terminal): Address | undefined {
  if (from !== undefined) return readAddress('--from', from)
  return send && (readAccount(privateKeyEnv, terminal).address.toLowerCase() as Address)
}

async function show(options: Options, terminal: Terminal): Promise<void> {
  // A node may be given besides an API, because the API's answer is checked against it.
  if (options.api === undefined || options.snapshot !== undefined) sourceOf(options)
  const plan = await planSwap(options, terminal)
  const { answer, intent, leastAmountIn, open } = await buildSwap(plan)
  if (plan.accepted.codes && open.length > 0) throw new NotAcceptedError(open)
  const { dstAmount: amountOut, tx } = answer
  const bought = leastAmountIn === undefined ? {} : { leastAmountIn }
  const fees = answer.meta?.fees
  const findings = toDrawnFindings(answer.meta?.warnings ?? [])
  if (!options.json) return terminal.out(drawBuilt({ answer, intent, ...bought }, plan))
  const figures = { amountOut, ...bought, ...decimalsOf(intent.call, plan.tokens) }
  writeJson(terminal, { ...figures, tx, ...(fees && { fees }), findings, intent })
}

async function send(options: Options, terminal: Terminal): Promise<void> {
  const signer = openSigner(options, terminal)
  const plan = await planSwap(options, terminal)
  const done =
    (await endOfEarlier(signer, plan, terminal)) ??
    (await sell({ options, signer }, plan, terminal))
  const { quoted, hash, blockNumber: block, gasUsed, amountOut } = done
  if (options.json) writeJson(terminal, { quoted, hash, block, gasUsed, amountOut })
  else terminal.out(drawDone(done, plan))
}

/** Shows the swap, asks, and sends it. */
async function sell(
  { options, signer }: { readonly options: Options; readonly signer: Signer },
  plan: Plan,
  terminal: Terminal,
): Promise<DoneSwap> {
  const built = await buildSwap(plan)
  reportPayment({ plan, built }, { options, signer }, terminal)
  if (!options.yes) await confirm(built, terminal)
  else if (built.open.length > 0) throw new NotAcceptedError(built.open)
  else refuseDear(built, plan)
  const { pay } = options
  return sendBuilt(signer, { plan, built }, { pay, terminal }, (now) => {
    if (!options.json) terminal.out(drawBuilt(now, plan))
    terminal.err('sending')
  })
}

/** The account that signs and its node. Throws USAGE, NO_OWN_FLOOR. */
function openSigner(options: Options, terminal: Terminal): Signer {
  const { rpc, snapshot, api, from } = options
  if (rpc === undefined && api !== undefined && !saysLimit(options)) {
    const why = '--send also needs your own node: --rpc'
    throw new NoOwnLimitError(limitOf(options), why)
  }
  if (rpc === undefined || snapshot !== undefined) {
    throw new UsageError('--send needs a node and a current quote', {
      wanted: '--rpc URL, with --api URL beside it if the API should quote',
    })
  }
  if (!options.yes && !terminal.ask) {
    throw new UsageError('--send asks before it sends, and nobody can be asked here', {
      got: 'no terminal',
      wanted: '--yes',
    })
  }
  const account = readAccount(options.privateKeyEnv, terminal)
  if (from !== undefined && readAddress('--from', from) !== account.address.toLowerCase()) {
    throw new UsageError('--from is not the account of the private key', {
      got: from,
      wanted: account.address,
    })
  }
  return { account, client: openClient(rpc, options), files: openSwapFiles(terminal) }
}

/** Throws NETWORK_FEE_TOO_HIGH if gas may cost so much for this order that somebody must be asked. */
function refuseDear({ fee: { most, isDear } }: Built, { tokens }: Plan): void {
  if (!isDear) return
  throw new SendError('NETWORK_FEE_TOO_HIGH', 'gas may cost more than 2 % of this order', {
    got: amountText(most, NATIVE, labelsOf(tokens)),
    wanted: 'an answer without --yes, or --max-network-fee',
  })
}

/** Asks whether to send what was reported; what must be accepted is named, and needs more than a yes. Throws DECLINED. */
async function confirm({ open }: Built, { ask }: Terminal): Promise<void> {
  const losses = open.map(({ message }) => `${message}.\n`).join('')
  const words = open.length > 0 ? 'swap anyway' : 'yes'
  const answer = (await ask?.(`${losses}Send this swap? Type ${words}: `)) ?? ''
  const said = answer.trim().toLowerCase()
  if (said !== words && !(open.length === 0 && said === 'y')) throw new DeclinedError()
}

const DEAR = ', which is more than 2 % of the order'

/** Reports payer, amounts, receiver, router and gas before anything is signed. */
function reportPayment(
  { plan, built }: { readonly plan: Plan; readonly built: Built },
  { options, signer }: { readonly options: Options; readonly signer: Signer },
  terminal: Terminal,
): void {
  const { intent, fee } = built
  const { call } = intent
  const { minAmountOut, receiver } = call
  const labels = labelsOf(plan.tokens)
  const isSender = receiver === ZERO_ADDRESS
  const pairs: readonly (readonly [string, string])[] = [
    ['paying account', `${signer.account.address} (the key in ${options.privateKeyEnv})`],
    ['pays', `exactly ${exactAmountText(call.amountIn, call.tokenIn, labels)}`],
    ['receiver', isSender ? 'the paying account' : receiver],
    ['receives', `at least ${exactAmountText(minAmountOut, call.tokenOut, labels)}`],
    ...(intent.fee ? [['fee', feeText(intent.fee, call, labels)] as const] : []),
    ['router', plan.terms.router],
    ['gas', `at most ${exactAmountText(fee.most, NATIVE, labels)}${fee.isDear ? DEAR : ''}`],
  ]
  terminal.err(drawPairs(pairs))
}

function drawBuilt(
  { answer, intent, leastAmountIn }: Omit<Built, 'fee' | 'open'>,
  { tokens }: Plan,
): string {
  const { tokenIn, tokenOut } = intent.call
  const labels = labelsOf(tokens)
  const fields = Object.entries({ ...answer.tx, ...answer.meta?.fees }).map(
    ([name, value]) => [name, `${value}`] as const,
  )
  const promised = exactAmountText(answer.dstAmount, tokenOut, labels)
  return [
    drawPairs([
      ['quoted', promised],
      ...(leastAmountIn === undefined
        ? []
        : [['needed', `${exactAmountText(leastAmountIn, tokenIn, labels)} now`] as const]),
    ]),
    ...(answer.meta?.warnings ?? []).map(({ message }) => `warning: ${message}`),
    drawPairs(fields),
    drawIntent(intent, labels),
  ].join('\n\n')
}

function drawDone(
  { hash, blockNumber, gasUsed, amountOut, quoted }: DoneSwap,
  { request, tokens }: Plan,
): string {
  const text = (wei: bigint) => exactAmountText(wei, request.dst, labelsOf(tokens))
  const difference = amountOut - quoted
  return `\n${drawPairs([
    ['sent', hash],
    ['block', `${blockNumber}`],
    ['gas used', `${gasUsed}`],
    ['received', text(amountOut)],
    ['quoted', text(quoted)],
    ['difference', difference === 0n ? 'none' : `${difference > 0n ? '+' : ''}${text(difference)}`],
  ])}`
}
