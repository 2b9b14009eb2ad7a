import { NATIVE, type Order } from '@braid-swap/core'
import { exactAmountText, nameOf, shortAmount } from '@braid-swap/draw'
import type { Command } from 'commander'
import { boardPage, gapText, statusText } from '../board/boardPage.js'
import { type BoardOrder, type Contestant, runBoard } from '../board/runBoard.js'
import { askOver, services } from '../board/services.js'
import { REQUESTS_PER_MINUTE, withExample, withJson } from '../commandOptions.js'
import { UsageError } from '../errors.js'
import { drawTable, fitWidth, writeJson } from '../print/output.js'
import { trackProgress } from '../progress.js'
import { apiOf } from '../sources/apiClient.js'
import { writeText } from '../sources/files.js'
import { openClient } from '../sources/marketSource.js'
import { type OrderOptions, readOrder } from '../sources/order.js'
import { readOrders } from '../sources/orderFile.js'
import { readApiTokens } from '../sources/quoteSource.js'
import { type ListedToken, labelsOf, resolveToken } from '../sources/tokens.js'
import { readSlippagePpm } from '../swap/slippage.js'
import type { Terminal } from '../terminal.js'

type BoardOptions = Partial<Pick<OrderOptions, 'in' | 'out'>> &
  Omit<OrderOptions, 'in' | 'out'> & {
    readonly api: string
    readonly key?: string
    readonly rpc: string
    readonly requestsPerMinute?: string
    readonly against: string
    readonly orders?: string
    readonly slippage: string
    readonly timeout: string
    readonly html?: string
    readonly json?: true
  }

const PPM_PER_BPS = 100n
const MOST_TIMEOUT_SECONDS = 120

/** `braid board`: the same orders asked of several services, with what their calldata pays. */
export function addBoard(program: Command, terminal: Terminal): void {
  const names = [...services.keys()].join(', ')
  const command = program
    .command('board')
    .description('ask several services for the same orders, and simulate what each would pay')
    .requiredOption('--api <url>', 'the Braid API to compare, whose bound is shown')
    .option('--key <key>', 'key of the API (default: BRAID_API_KEY)')
    .requiredOption('--rpc <url>', 'the node that runs the calldata; it must allow state overrides')
    .option(...REQUESTS_PER_MINUTE)
    .requiredOption(
      '--against <services>',
      `comma-separated: ${names}; a base address of your own as liquidswap=http://…`,
    )
    .option('--orders <file>', 'CSV or NDJSON: in, out, and amount or amountWei')
    .option('--in <token>', 'token to sell, instead of a file: a symbol or an address')
    .option('--out <token>', 'token to buy')
    .option('--amount <number>', 'amount to sell, in whole tokens')
    .option('--amount-wei <integer>', 'amount to sell, in the smallest unit')
    .option('--slippage <percent>', 'slippage that each service is told, 0 to 50', '0.5')
    .option('--timeout <seconds>', 'time for each answer of a service', '10')
    .option('--html <file>', 'write the comparison as a page')
    .action((options: BoardOptions) => run(options, terminal))
  withJson(command)
  withExample(
    command,
    'braid board --api $API --rpc $RPC --against liquidswap,kyber --in USDC --out WHYPE --amount 1000',
    'braid board --api $API --rpc $RPC --against liquidswap,0x --orders orders.csv --html board.html',
  )
}

async function run(options: BoardOptions, terminal: Terminal): Promise<void> {
  const contestants = readContestants(options, terminal)
  const slippageBps = readSlippageBps(options.slippage)
  const braid = apiOf(options, terminal)
  const client = openClient(options.rpc, options)
  const { orders, tokens } = await readBoardOrders(options, terminal)
  const labels = labelsOf(tokens)
  const board = await runBoard(
    {
      ...{ client, braid, contestants, slippageBps, braidHost: new URL(options.api).host },
      decimalsOf: (token) => resolveToken(token, tokens).decimals,
      onOrder: trackProgress(terminal.progress, 'orders'),
    },
    orders,
  )
  terminal.progress?.('')
  if (options.html !== undefined) writeText(options.html, boardPage(board, labels))
  if (options.json) writeJson(terminal, board)
  else {
    const drawn = board.orders.map((order) => drawOrder(order, tokens))
    terminal.out(fitWidth(drawn.join('\n\n'), terminal))
  }
}

/** The services that the options name. Throws USAGE for an unknown name or a missing key. */
function readContestants(options: BoardOptions, { env }: Terminal): readonly Contestant[] {
  const seconds = /^\d{1,3}$/.test(options.timeout) ? Number(options.timeout) : 0
  if (seconds < 1 || seconds > MOST_TIMEOUT_SECONDS) {
    const wanted = `1 to ${MOST_TIMEOUT_SECONDS} seconds`
    throw new UsageError('--timeout is out of range', { got: options.timeout, wanted })
  }
  const named = options.against.split(',').map((text): Contestant => {
    const [name = '', ...own] = text.trim().split('=')
    const service = services.get(name)
    if (!service) {
      const wanted = [...services.keys()].join(', ')
      throw new UsageError('--against names no service', { got: name, wanted })
    }
    const url = own.length > 0 ? own.join('=') : service.url
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      throw new UsageError('the address of a service is not a URL', { got: text })
    }
    const key = service.keyVariable === undefined ? '' : (env[service.keyVariable] ?? '')
    return { name, host: new URL(url).host, service, ask: askOver(url, seconds * 1_000), key }
  })
  const names = named.map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new UsageError('--against names a service twice', { got: twice })
  return named
}

/** Basis points, because that is what all services take. Throws USAGE for a finer slippage. */
function readSlippageBps(percent: string): number {
  const ppm = readSlippagePpm(percent)
  if (ppm % PPM_PER_BPS === 0n) return Number(ppm / PPM_PER_BPS)
  const wanted = 'at most 2 decimals, because not every service takes more'
  throw new UsageError('--slippage is too fine', { got: percent, wanted })
}

/** Orders of ERC-20 tokens; services disagree on how to name the native one. */
async function readBoardOrders(options: BoardOptions, terminal: Terminal) {
  const { orders: file, in: tokenIn, out } = options
  const isPair = tokenIn !== undefined && out !== undefined
  if ((file !== undefined) === isPair) {
    throw new UsageError('either a file of orders or one order is needed', {
      wanted: '--orders FILE, or --in, --out and --amount',
    })
  }
  const api = apiOf(options, terminal)
  const tokens: readonly ListedToken[] = isPair
    ? await readApiTokens(api, { in: tokenIn, out })
    : await api.allTokens({ verified: true })
  const orders: readonly Order[] =
    file === undefined
      ? [readOrder({ ...options, in: tokenIn!, out: out! }, tokens)]
      : readOrders(file, tokens, terminal)
  const native = orders.find((order) => [order.tokenIn, order.tokenOut].includes(NATIVE))
  if (native) {
    const wanted = 'the wrapped token, WHYPE, which every service takes'
    throw new UsageError('a board has no orders of the native token', { got: 'HYPE', wanted })
  }
  return { orders, tokens }
}

function drawOrder(order: BoardOrder, tokens: readonly ListedToken[]): string {
  const { tokenIn, tokenOut, amountIn, block, bound, rows } = order
  const labels = labelsOf(tokens)
  const amount = (wei: bigint) => shortAmount(wei, labels.get(tokenOut)?.decimals ?? 0, 12)
  const lines = rows.map((row) => {
    if (row.status !== 'simulated') {
      const quoted = 'quoted' in row ? amount(row.quoted) : ''
      return [row.service, quoted, '', '', statusText(row)]
    }
    const { service, quoted, received } = row
    const gap = bound === undefined ? '' : gapText(received, bound)
    return [service, amount(quoted), amount(received), gapText(received, quoted), gap]
  })
  const table = drawTable(
    ['service', 'quoted', 'received', 'against its quote', 'against the bound'],
    lines,
    ['left', 'right', 'right', 'right', 'left'],
  )
  const sold = exactAmountText(amountIn, tokenIn, labels)
  return `${sold} → ${nameOf(tokenOut, labels)} at block ${block}\n\n${table}`
}
