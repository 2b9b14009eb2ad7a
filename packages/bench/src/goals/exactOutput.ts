import {
  buildGraph,
  checkBound,
  type ExactOutQuote,
  type Graph,
  inputGapBpsOf,
  type Options,
  quote,
  quoteExactOut,
} from '@braid-swap/core'
import { precomputeReference, replay } from '@braid-swap/core/advanced'
import { type Market, weiOfDollars } from '../market.js'
import type { Request } from '../request.js'
import { ordersWorth } from '../requests/requests.js'
import { defaultTerms, hyperEvmMarket } from '../requests/terms.js'
import { percentile } from '../stats.js'
import type { Goal, Lab, Measured } from './goal.js'

const ORDERS = 10_000
// Orders to draw. Some have no route, and a block's gas makes those of HyperEVM slow.
const ON_HYPEREVM = 2_000
const ON_ETHEREUM = 9_000
const ETHEREUM_TERMS = { gwei: 0.1, maxLegs: 24 }
// The bound is checked on every n-th order, because the check costs as much as the answer.
const CHECK_EVERY = 10

/** Orders that name the output. */
export const exactOutput: Goal = {
  name: 'exact-output',
  question: 'Is the input of an exact-output quote the least, and how good is it?',
  target: `≥ ${ORDERS.toLocaleString('en')} orders: the replay pays at least the amount wanted, one wei less in pays less, the gap is certified`,
  measure,
}

type Judged = {
  readonly market: string
  readonly gapBps: number | null | undefined
  /** The output missing to that of an exact-input quote of the same input, in basis points. */
  readonly lossBps: number
  readonly fault?: string
}

async function measure(lab: Lab): Promise<Measured> {
  const hyperEvm = hyperEvmMarket()
  const judged: Judged[] = []
  let refused = 0
  for (const [market, terms, count] of [
    [hyperEvm, defaultTerms(hyperEvm), ON_HYPEREVM],
    [lab.ethereum.clean, ETHEREUM_TERMS, ON_ETHEREUM],
  ] as const) {
    const graph = precomputeReference(buildGraph(market.snapshot))
    const requests = ordersWorth(market, {
      ...{ count: lab.isQuick ? 20 : count, seed: lab.seed + 25, label: 'exact output' },
      dollars: (prng) => prng.logBetween(1, 1e6),
      ...terms,
    })
    for (const [i, request] of requests.entries()) {
      if (i % 1_000 === 0) lab.log(`exact-output: ${market.name}: ${i} of ${requests.length}`)
      const found = judgeOrder(graph, market, request, i)
      if (found) judged.push(found)
      else refused++
    }
  }
  return report(judged, refused, lab)
}

/** Quotes one order and looks for faults; `undefined` if no route pays the wanted amount. */
function judgeOrder(graph: Graph, market: Market, request: Request, i: number): Judged | undefined {
  const { tokenIn, tokenOut, amountIn: worth } = request.order
  const dollars = Number(worth) / Math.max(1, Number(weiOfDollars(market, tokenIn, 1)))
  const wanted = { tokenIn, tokenOut, amountOut: weiOfDollars(market, tokenOut, dollars) || 1n }
  const options: Options = {
    gasPrice: request.gasPrice,
    maxLegs: request.maxLegs,
    maxGas: request.maxGas ?? Number.POSITIVE_INFINITY,
  }
  const answer = orUndefined(() => quoteExactOut(graph, wanted, options))
  if (!answer) return undefined
  const { amountIn } = answer.order
  const sold = orUndefined(() => quote(graph, answer.order, options))
  const fault = faultOf(graph, answer, i % CHECK_EVERY === 0)
  return {
    market: market.name,
    gapBps: inputGapBpsOf({ ...answer, amountIn }),
    lossBps: sold ? Math.max(0, 1 - Number(answer.amountOut) / Number(sold.amountOut)) * 1e4 : 0,
    ...(fault !== undefined && { fault }),
  }
}

function faultOf(
  { snapshot }: Graph,
  { route, order, wanted, inputBound }: ExactOutQuote,
  isChecked: boolean,
): string | undefined {
  const paid = (amountIn: bigint) => replay(route, { ...order, amountIn })?.amountOut ?? 0n
  if (paid(order.amountIn) < wanted) return 'pays less than wanted'
  if (order.amountIn > 1n && paid(order.amountIn - 1n) >= wanted) return 'one wei less is enough'
  if (!isChecked || !inputBound) return undefined
  const { tokenIn, tokenOut } = order
  const { amount } = checkBound(snapshot, { tokenIn, tokenOut, amountOut: wanted }, inputBound)
  return amount === undefined || amount < inputBound.amount ? 'the bound is not proved' : undefined
}

const REFUSALS = ['NO_ROUTE', 'INSUFFICIENT_LIQUIDITY', 'AMOUNT_TOO_SMALL']

function orUndefined<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch (error) {
    if (error instanceof Error && 'code' in error && REFUSALS.includes(`${error.code}`))
      return undefined
    throw error
  }
}

function report(judged: readonly Judged[], refused: number, lab: Lab): Measured {
  const faults = judged.flatMap(({ fault }) => fault ?? [])
  const disproved = judged.filter(({ gapBps }) => gapBps === null).length
  const gapsOf = (of: readonly Judged[]) => of.flatMap(({ gapBps }) => gapBps ?? [])
  const losses = judged.map(({ lossBps }) => lossBps)
  const markets = [...new Set(judged.map(({ market }) => market))]
  const isEnough = judged.length >= ORDERS
  const isSound = faults.length === 0 && disproved === 0
  return {
    measured: `${judged.length} answered, ${refused} refused: ${faults.length} faults, ${disproved} bounds disproved; gap p50 ${percentile(gapsOf(judged), 0.5).toPrecision(3)}, p95 ${percentile(gapsOf(judged), 0.95).toPrecision(3)} bp`,
    isReached: lab.isQuick && isSound ? undefined : isSound && isEnough,
    tables: [
      {
        title: 'gap of the cost to its bound, and output below an exact-input quote, in bp',
        columns: ['market', 'answered', 'gap p50', 'gap p95', 'gap p99', 'loss p99', 'worst loss'],
        rows: markets.map((name) => {
          const own = judged.filter(({ market }) => market === name)
          const ownLosses = own.map(({ lossBps }) => lossBps)
          const gap = (part: number) => percentile(gapsOf(own), part)
          const loss = (part: number) => percentile(ownLosses, part)
          return [name, own.length, gap(0.5), gap(0.95), gap(0.99), loss(0.99), loss(1)]
        }),
      },
      {
        title: 'faults',
        columns: ['fault', 'orders'],
        rows: [...new Set(faults)].map((fault) => [
          fault,
          faults.filter((other) => other === fault).length,
        ]),
      },
    ],
    figures: [
      { name: 'faults', value: faults.length, better: 'low' },
      { name: 'gap p50 bp', value: percentile(gapsOf(judged), 0.5), better: 'low' },
      { name: 'gap p95 bp', value: percentile(gapsOf(judged), 0.95), better: 'low' },
      { name: 'loss p99 bp', value: percentile(losses, 0.99), better: 'low' },
    ],
  }
}
