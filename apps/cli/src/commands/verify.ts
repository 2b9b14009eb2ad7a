import { parseAmount } from '@braid-swap/client'
import {
  type Address,
  type ExpectedFields,
  floorAt,
  type Hex,
  type Intent,
  readIntent,
} from '@braid-swap/core'
import {
  type Check,
  checkIntent,
  isBurnAddress,
  nativeValueOf,
  payeeOf,
  type ReceiverContext,
  ReceiverRefusedError,
  receiverFault,
  replayIntent,
  ZERO_ADDRESS,
} from '@braid-swap/core/advanced'
import type { Command } from 'commander'
import { withExample, withFee, withJson } from '../commandOptions.js'
import { exactAmountText } from '../draw/index.js'
import { MismatchError, UsageError } from '../errors.js'
import { ownChain } from '../ownChain.js'
import { drawPairs, drawTable, writeJson } from '../print/output.js'
import { type OpenMarket, readMarket } from '../sources/marketSource.js'
import { readAmount } from '../sources/order.js'
import {
  type ListedToken,
  labelsOf,
  nativeToken,
  parseAddress,
  readTokenFile,
  resolveToken,
} from '../sources/tokens.js'
import { drawIntent } from '../swap/drawIntent.js'
import { type FeeOptions, readFee } from '../swap/fee.js'
import { burnWarning } from '../swap/planSwap.js'
import { type KnownRouter, knownRouter } from '../swap/router.js'
import { readAddress } from '../swap/slippage.js'
import type { Terminal } from '../terminal.js'

type VerifyOptions = FeeOptions & {
  readonly calldata: string
  readonly in?: string
  readonly out?: string
  readonly amount?: string
  readonly amountWei?: string
  readonly min?: string
  readonly minWei?: string
  readonly receiver?: string
  readonly from?: string
  readonly to?: string
  readonly router?: string
  readonly value?: string
  readonly deadline?: string
  readonly snapshot?: string
  readonly tokens?: string
  readonly json?: true
}

/** `braid verify`: decodes calldata of the router and compares it with the caller's order. */
export function addVerify(program: Command, terminal: Terminal): void {
  const command = program
    .command('verify')
    .description('decode a swap’s calldata, and compare it with your order')
    .requiredOption('--calldata <hex>', 'the `data` of the transaction')
    .option('--in <token>', 'token that should be sold')
    .option('--out <token>', 'token that should be bought')
    .option('--amount <number>', 'amount that should be sold, in whole tokens')
    .option('--amount-wei <integer>', 'amount that should be sold, in the smallest unit')
    .option('--min <number>', 'least output, in whole tokens')
    .option('--min-wei <integer>', 'least output, in the smallest unit')
    .option('--receiver <address>', 'who should get the output (default: the sender)')
    .option('--from <address>', 'the sender, which the calldata may name as receiver')
    .option('--to <address>', 'the `to` of the transaction: it should be the router')
    .option('--router <address>', 'the router (default: the published one)')
    .option('--value <integer>', 'the `value` of the transaction, in wei')
    .option('--deadline <time>', 'the latest deadline, in Unix seconds (default: a day from now)')
    .option('--snapshot <file>', 'a market to replay the route on')
    .option('--tokens <file>', 'token symbols, as JSON')
    .action((options: VerifyOptions) => run(options, terminal))
  withJson(withFee(command))
  withExample(
    command,
    'braid verify --calldata 0xfcb433d6… --in native --out USDC --amount 1.5 --min 58',
    'braid verify --calldata $DATA --to $TO --value $VALUE --from $WALLET --deadline 1790000000',
  )
}

/** The result of the replay on a snapshot. */
type Replayed = ReturnType<typeof replayIntent>

function run(options: VerifyOptions, terminal: Terminal): void {
  const market = options.snapshot
    ? readMarket(options.snapshot, options.tokens, terminal)
    : undefined
  const tokens = market?.tokens ?? [
    ...[nativeToken(), ...(options.tokens ? readTokenFile(options.tokens) : [])],
  ]
  const wrappedNative = market?.snapshot.wrappedNative ?? ownChain().wrapped.address
  const known = knownRouter(options.router, wrappedNative)
  const { systemAddresses } = ownChain()
  const where = { ...known, systemAddresses }
  const intent = readIntent(readHex(options.calldata), wrappedNative, where)
  const replayed = market && replayIntent(intent, market.snapshot)
  const wanted = readWanted(options, { intent, tokens, replayed })
  const checks = [...checkIntent(intent, wanted), ...checkContracts(options, intent, known)]
  const payee = payeeOf(intent.call.program, intent.call.executor)
  if (options.json)
    writeJson(terminal, { ...intent, payee, checks, ...(replayed && { walked: replayed }) })
  else terminal.out(drawVerdict(intent, { checks, tokens, market, replayed }))
  reportUnchecked(options, terminal)
  const { receiver } = intent.call
  if (isBurnAddress(receiver)) terminal.err(burnWarning(receiver))
  refuseReceiver(intent, { ...where, wrappedNative })
  const wrong = [...intent.faults, ...checks.filter(({ isOk }) => !isOk).map(({ name }) => name)]
  if (replayed && 'why' in replayed) wrong.push(replayed.why)
  if (wrong.length > 0) {
    throw new MismatchError('this calldata does not match your order', { wrong: wrong.join(', ') })
  }
}

/** Checks the executor, and the transaction's fields besides its calldata: its target and its value. */
function checkContracts(
  { to, value }: VerifyOptions,
  { call }: Intent,
  { router, executors }: KnownRouter,
): readonly Check[] {
  const check = (name: string, got: string, wanted: string): Check => ({
    ...{ name, got, wanted, isOk: got === wanted },
  })
  const { executor } = call
  const isKnown = executors.includes(executor)
  return [
    check('executor', executor, isKnown ? executor : executors.join(' or ')),
    ...(to === undefined ? [] : [check('to', readAddress('--to', to), router)]),
    ...(value === undefined
      ? []
      : [check('value', `${parseAmount(value, 0)}`, `${nativeValueOf(call)}`)]),
  ]
}

/** Names the fields that were not compared, because a reader may take "ok" for a check of all. */
function reportUnchecked(options: VerifyOptions, terminal: Terminal): void {
  const { amount, amountWei, min, minWei } = options
  const sayable: readonly (readonly [string, string | undefined])[] = [
    ['--in', options.in],
    ['--out', options.out],
    ['--amount', amount ?? amountWei],
    ['--min', min ?? minWei ?? options.snapshot],
    ['--to', options.to],
    ['--value', options.value],
  ]
  const missing = sayable.flatMap(([name, given]) => (given === undefined ? [name] : []))
  if (missing.length === 0) return
  terminal.err(`not compared, because not given: ${missing.join(', ')}`)
}

function refuseReceiver(
  { call: { receiver, tokenIn, tokenOut } }: Intent,
  where: Omit<ReceiverContext, 'tokenIn' | 'tokenOut'>,
): void {
  if (receiver === ZERO_ADDRESS) return
  const fault = receiverFault(receiver, { tokenIn, tokenOut, ...where })
  if (fault !== undefined) throw new ReceiverRefusedError(receiver, fault)
}

function drawVerdict(
  intent: Intent,
  more: {
    readonly checks: readonly Check[]
    readonly tokens: readonly ListedToken[]
    readonly market: OpenMarket | undefined
    readonly replayed: Replayed | undefined
  },
): string {
  const { checks, tokens, market, replayed } = more
  const labels = labelsOf(tokens)
  const parts = [drawIntent(intent, labels)]
  if (replayed && market) {
    const { number } = market.snapshot.block
    const text =
      'why' in replayed
        ? replayed.why
        : exactAmountText(replayed.amountOut, intent.call.tokenOut, labels)
    parts.push(drawPairs([[`pays at block ${number}`, text]]))
  }
  const verdict = (isOk: boolean) => (isOk ? 'ok' : 'WRONG')
  const rows = checks.map(({ name, got, wanted, isOk }) => [verdict(isOk), name, got, wanted])
  parts.push(drawTable(['', 'checked', 'got', 'wanted'], rows))
  for (const fault of intent.faults) parts.push(`WRONG  ${fault}`)
  return parts.join('\n\n')
}

const DAY_SECONDS = 86_400
/** The largest slippage that `braid swap` accepts. */
const MAX_SLIPPAGE_PPM = 500_000n
/** A floor of 1 wei, the lowest that the router accepts, protects nothing. */
const MIN_FLOOR_WEI = 2n

/**
 * The expected fields from the options. Defaults: the sender as receiver, a deadline within a day, and
 * a floor above 1 wei, or on a market half of the route's output there.
 */
function readWanted(
  options: VerifyOptions,
  of: {
    readonly intent: Intent
    readonly tokens: readonly ListedToken[]
    readonly replayed: Replayed | undefined
  },
): ExpectedFields {
  const { call } = of.intent
  const { tokens, replayed } = of
  const tokenIn = options.in === undefined ? undefined : anyToken(options.in, tokens)
  const tokenOut = options.out === undefined ? undefined : anyToken(options.out, tokens)
  const { amount, amountWei, receiver, from } = options
  const saysAmount = amount !== undefined || amountWei !== undefined
  const amountToken =
    amount === undefined ? { decimals: 0 } : knownToken(tokenIn ?? call.tokenIn, tokens)
  const paid = replayed && 'amountOut' in replayed ? replayed.amountOut : undefined
  return {
    ...(tokenIn === undefined ? {} : { tokenIn }),
    ...(tokenOut === undefined ? {} : { tokenOut }),
    ...(saysAmount ? { amountIn: readAmount(options, amountToken) } : {}),
    minAmountOut:
      readMin(options, tokenOut ?? call.tokenOut, tokens) ??
      (paid === undefined ? MIN_FLOOR_WEI : floorAt(paid, MAX_SLIPPAGE_PPM)),
    receiver: receiver === undefined ? ZERO_ADDRESS : readAddress('--receiver', receiver),
    ...(from === undefined ? {} : { sender: readAddress('--from', from) }),
    deadline: readDeadline(options.deadline),
    ...readFee(options),
  }
}

function readMin(
  { min, minWei }: VerifyOptions,
  tokenOut: Address,
  tokens: readonly ListedToken[],
): bigint | undefined {
  if (minWei !== undefined) return parseAmount(minWei, 0)
  return min === undefined ? undefined : parseAmount(min, knownToken(tokenOut, tokens).decimals)
}

function readDeadline(text: string | undefined): bigint {
  if (text === undefined) return BigInt(Math.floor(Date.now() / 1_000) + DAY_SECONDS)
  if (!/^\d{1,12}$/.test(text)) {
    throw new UsageError('--deadline is not a time', { got: text, wanted: 'Unix seconds' })
  }
  return BigInt(text)
}

function knownToken(token: Address, tokens: readonly ListedToken[]): ListedToken {
  const known = tokens.find(({ address }) => address === token)
  if (known) return known
  throw new UsageError('the token’s decimals are unknown: use the smallest unit', {
    token,
    wanted: '--amount-wei and --min-wei, or --tokens FILE',
  })
}

// An address can be compared without a token list.
function anyToken(text: string, tokens: readonly ListedToken[]): Address {
  return parseAddress(text) ?? resolveToken(text, tokens).address
}

function readHex(text: string): Hex {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(text)) {
    throw new UsageError('--calldata is not hex', { got: text.slice(0, 40), wanted: '0x…' })
  }
  return text.toLowerCase() as Hex
}
