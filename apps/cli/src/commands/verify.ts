import { WHYPE } from '@braid-swap/chain'
import {
  type Address,
  type Check,
  checkIntent,
  type Hex,
  type Intent,
  NATIVE,
  readIntent,
  replayIntent,
  type Wanted,
} from '@braid-swap/core'
import { exactAmountText, nameOf, parseAmount, type TokenLabels } from '@braid-swap/draw'
import type { Command } from 'commander'
import { withExample, withJson } from '../commandOptions.js'
import { MismatchError, UsageError } from '../errors.js'
import { readAmount } from '../order.js'
import { drawPairs, drawTable, writeJson } from '../output.js'
import { type OpenMarket, readMarket } from '../sources.js'
import type { Terminal } from '../terminal.js'
import { readAddress } from '../terms.js'
import { type ListedToken, labelsOf, nativeToken, readTokenFile, resolveToken } from '../tokens.js'
import { ZERO_ADDRESS } from '../transaction.js'

type VerifyOptions = {
  readonly calldata: string
  readonly in?: string
  readonly out?: string
  readonly amount?: string
  readonly amountWei?: string
  readonly min?: string
  readonly minWei?: string
  readonly receiver?: string
  readonly snapshot?: string
  readonly tokens?: string
  readonly json?: true
}

/** `braid verify`: what calldata asks of the router, compared with what was wanted. */
export function addVerify(program: Command, terminal: Terminal): void {
  const command = program
    .command('verify')
    .description('decode a swap’s calldata, and check that it does what was asked')
    .requiredOption('--calldata <hex>', 'the `data` of the transaction')
    .option('--in <token>', 'token that should be sold')
    .option('--out <token>', 'token that should be bought')
    .option('--amount <number>', 'how much should go in, in whole tokens')
    .option('--amount-wei <integer>', 'how much should go in, in the smallest unit')
    .option('--min <number>', 'the least that should come out, in whole tokens')
    .option('--min-wei <integer>', 'the least that should come out, in the smallest unit')
    .option('--receiver <address>', 'who should get it; the zero address is the sender')
    .option('--snapshot <file>', 'a market to walk the route on')
    .option('--tokens <file>', 'what tokens are called, as JSON')
    .action((options: VerifyOptions) => run(options, terminal))
  withJson(command)
  withExample(command, 'braid verify --calldata 0xd475bd3b… --in native --amount 1.5')
}

function run(options: VerifyOptions, terminal: Terminal): void {
  const market = options.snapshot ? readMarket(options.snapshot, options.tokens) : undefined
  const tokens = market?.tokens ?? [
    ...[nativeToken, ...(options.tokens ? readTokenFile(options.tokens) : [])],
  ]
  const intent = readIntent(readHex(options.calldata), market?.snapshot.wrappedNative ?? WHYPE)
  const checks = checkIntent(intent, readWanted(options, intent, tokens))
  const walked = market && replayIntent(intent, market.snapshot)
  if (options.json) writeJson(terminal, { ...intent, checks, ...(walked && { walked }) })
  else terminal.out(drawVerdict(intent, { checks, labels: labelsOf(tokens), market }))
  const wrong = [...intent.faults, ...checks.filter(({ isOk }) => !isOk).map(({ name }) => name)]
  if (walked && 'why' in walked) wrong.push(walked.why)
  if (wrong.length > 0) {
    throw new MismatchError('this calldata is not what was asked', { wrong: wrong.join(', ') })
  }
}

function drawVerdict(
  intent: Intent,
  more: {
    readonly checks: readonly Check[]
    readonly labels: TokenLabels
    readonly market: OpenMarket | undefined
  },
): string {
  const { checks, labels, market } = more
  const parts = [drawIntent(intent, labels)]
  const walked = market && replayIntent(intent, market.snapshot)
  if (walked && market) {
    const { number } = market.snapshot.block
    const text =
      'why' in walked ? walked.why : exactAmountText(walked.amountOut, intent.call.tokenOut, labels)
    parts.push(drawPairs([[`pays at block ${number}`, text]]))
  }
  const verdict = (isOk: boolean) => (isOk ? 'ok' : 'WRONG')
  if (checks.length > 0) {
    const rows = checks.map(({ name, got, wanted, isOk }) => [verdict(isOk), name, got, wanted])
    parts.push(drawTable(['', 'checked', 'got', 'wanted'], rows))
  }
  for (const fault of intent.faults) parts.push(`WRONG  ${fault}`)
  return parts.join('\n\n')
}

/** What a swap's calldata does, in words. */
export function drawIntent({ call, hops }: Intent, labels: TokenLabels): string {
  const amount = (wei: bigint, token: Address) => exactAmountText(wei, token, labels)
  const isSender = call.receiver === ZERO_ADDRESS
  const deadline = new Date(Number(call.deadline) * 1000)
  const time = Number.isNaN(deadline.getTime()) ? 'never' : deadline.toISOString()
  const pairs: (readonly [string, string])[] = [
    ['payer', `the sender of the transaction, nobody else${paymentText(call)}`],
    ['pays', `exactly ${amount(call.amountIn, call.tokenIn)}`],
    ['receiver', isSender ? 'the sender of the transaction' : call.receiver],
    ['receives', `at least ${amount(call.minAmountOut, call.tokenOut)}`],
    ['deadline', `${time} (${call.deadline})`],
  ]
  const rows = hops.map(({ tokenIn, tokenOut, share, families, pool }, i) => [
    `${i + 1}`,
    share === 0 ? 'the rest' : `${((share / 0xffffff) * 100).toFixed(4)} %`,
    nameOf(tokenIn, labels),
    nameOf(tokenOut, labels),
    families.join(' or '),
    pool,
  ])
  const ends = [call.tokenIn, call.tokenOut]
  const wraps = ends.includes(NATIVE) ? '\nThe router wraps and unwraps the native token.' : ''
  if (rows.length === 0) return `${drawPairs(pairs)}\n${wraps}`
  const head = ['hop', 'of what is held', 'in', 'out', 'family', 'pool']
  return `${drawPairs(pairs)}\n\n${drawTable(head, rows, ['right', 'right'])}${wraps && `\n${wraps}`}`
}

function paymentText({ payment }: Intent['call']): string {
  if (payment === undefined) return ''
  return payment.by === 'permit' ? ', by a permit of the token' : ', by a Permit2 signature'
}

function readWanted(
  options: VerifyOptions,
  { call }: Intent,
  tokens: readonly ListedToken[],
): Wanted {
  const tokenIn = options.in === undefined ? undefined : anyToken(options.in, tokens)
  const tokenOut = options.out === undefined ? undefined : anyToken(options.out, tokens)
  const decimalsOf = (token: Address) => {
    const known = tokens.find(({ address }) => address === token)
    if (known) return known
    throw new UsageError('the token’s decimals are not known: say it in the smallest unit', {
      token,
      wanted: '--amount-wei and --min-wei, or --tokens FILE',
    })
  }
  const { amount, amountWei, min, minWei, receiver } = options
  const saysAmount = amount !== undefined || amountWei !== undefined
  const amountToken = amount === undefined ? { decimals: 0 } : decimalsOf(tokenIn ?? call.tokenIn)
  return {
    ...(tokenIn === undefined ? {} : { tokenIn }),
    ...(tokenOut === undefined ? {} : { tokenOut }),
    ...(saysAmount ? { amountIn: readAmount(options, amountToken) } : {}),
    ...(min === undefined
      ? {}
      : { minAmountOut: parseAmount(min, decimalsOf(tokenOut ?? call.tokenOut).decimals) }),
    ...(minWei === undefined ? {} : { minAmountOut: parseAmount(minWei, 0) }),
    ...(receiver === undefined ? {} : { receiver: readAddress('--receiver', receiver) }),
  }
}

// An address needs no list to be compared.
function anyToken(text: string, tokens: readonly ListedToken[]): Address {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as Address
  return resolveToken(text, tokens).address
}

function readHex(text: string): Hex {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(text)) {
    throw new UsageError('--calldata is no hex', { got: text.slice(0, 40), wanted: '0x…' })
  }
  return text.toLowerCase() as Hex
}
