import { decimalsOf, type Market, weiOfDollars } from '../market.js'
import { type Request, toRequest } from '../request.js'
import { ordersWorth } from '../requests.js'
import type { ReadyRouter } from '../routers/router.js'
import { defaultTerms, hyperEvmMarket } from '../terms.js'
import { tryOne } from '../trial.js'
import type { Goal, Lab, Measured } from './goal.js'

const PAIRS = 40
// $1 doubled so often is $134 million, more than any pool of the market holds.
const DOUBLINGS = 27
// A smaller fall is the rounding of shares.
const LEAST_FALL = 1e-6
const [DRAWN, LEAST_DRAWN] = [8, 1_000]

/** H2: more input pays more output, except where the certificate proves that it cannot. */
export const moreIn: Goal = {
  id: 'H2',
  title: 'more in, more out',
  target: `${PAIRS} pairs × doubling amounts: the net output falls nowhere unless the bound at that amount proves that it must`,
  measure,
}

type Point = {
  readonly pair: string
  readonly dollars: number
  /** Net output in whole tokens. */
  readonly out: number
  readonly gross: number
  /** The bound on the net output, in whole tokens. */
  readonly bound: number
  /** The highest net output at a smaller amount. */
  readonly before: number
}

async function measure(lab: Lab): Promise<Measured> {
  const market = hyperEvmMarket()
  const ready = await lab.ours.ready(market)
  const points: Point[] = []
  const pairs = pairsOf(lab, market)
  for (const [i, request] of pairs.entries()) {
    if (i % 10 === 0) lab.log(`H2: ${i} of ${pairs.length}`)
    points.push(...(await curveOf(market, ready, request)))
  }
  const falls = points.filter(({ out, before }) => out < before * (1 - LEAST_FALL))
  const unproved = falls.filter(({ bound, before }) => bound >= before)
  const deepest = Math.max(0, ...unproved.map(({ out, before }) => 1 - out / before))
  return {
    measured: `${points.length} quotes: ${falls.length} falls, ${unproved.length} not proved to be due, the deepest of them ${(100 * deepest).toPrecision(3)} %`,
    isReached: unproved.length === 0,
    tables: [
      {
        title: 'falls that the bound does not prove',
        columns: ['pair', 'dollars', 'net out', 'at a smaller amount', 'bound'],
        rows: unproved.map(({ pair, dollars, out, before, bound }) => [
          ...[pair, dollars, out, before, bound],
        ]),
      },
    ],
    charts: [outputChart(market, points)],
    figures: [
      { name: 'falls', value: falls.length, better: 'low' },
      { name: 'falls not proved', value: unproved.length, better: 'low' },
      { name: 'deepest fall not proved %', value: 100 * deepest, better: 'low' },
    ],
  }
}

/** Pairs that differ in a token; the amounts are replaced. */
function pairsOf(lab: Lab, market: Market): readonly Request[] {
  const drawn = ordersWorth(market, {
    ...{ count: 4 * PAIRS, seed: lab.seed + 21, label: 'pair', dollars: 100 },
    ...defaultTerms(market),
  })
  const byPair = new Map(drawn.map((of) => [`${of.order.tokenIn}${of.order.tokenOut}`, of]))
  return [...byPair.values()].slice(0, lab.isQuick ? 2 : PAIRS)
}

async function curveOf(
  market: Market,
  ready: ReadyRouter,
  pair: Request,
): Promise<readonly Point[]> {
  const { tokenIn, tokenOut } = pair.order
  const unit = 10 ** decimalsOf(market, tokenOut)
  const points: Point[] = []
  let before = 0
  for (let n = 0; n < DOUBLINGS; n++) {
    const dollars = 2 ** n
    const amountIn = weiOfDollars(market, tokenIn, dollars)
    const order = { tokenIn, tokenOut, amountIn }
    const request = toRequest(market, { ...pair, order, ...defaultTerms(market) })
    const { answer, worth } = await tryOne(ready, request)
    if (!worth || !answer) continue
    const out = Number(worth.net) / unit
    const bound = answer.bound ? Number(answer.bound.amount) / unit : Number.POSITIVE_INFINITY
    const gross = Number(worth.gross) / unit
    points.push({
      pair: `${nameOf(tokenIn)} → ${nameOf(tokenOut)}`,
      dollars,
      out,
      gross,
      bound,
      before,
    })
    before = Math.max(before, out)
  }
  return points
}

function nameOf(token: string): string {
  return token.slice(0, 6)
}

/** Output against amount for the pairs whose output falls, and for some others. */
function outputChart(market: Market, points: readonly Point[]) {
  const pairs = [...new Set(points.map(({ pair }) => pair))]
  const fallOf = (pair: string) =>
    Math.max(0, ...points.filter((p) => p.pair === pair).map(({ out, before }) => before - out))
  const shown = new Set(pairs.toSorted((a, b) => fallOf(b) - fallOf(a)).slice(0, DRAWN))
  const most = (pair: string) =>
    Math.max(...points.filter((p) => p.pair === pair).map(({ gross }) => gross))
  const values = points
    .filter(({ pair, dollars }) => shown.has(pair) && dollars >= LEAST_DRAWN)
    .map(({ pair, dollars, gross }) => ({ pair, dollars, part: gross / most(pair) }))
  return {
    name: 'more-in-more-out',
    spec: {
      title: `Output against amount under a block’s gas, ${market.name}`,
      data: { values },
      mark: { type: 'line', point: true },
      encoding: {
        x: { field: 'dollars', type: 'quantitative', scale: { type: 'log' }, title: 'amount, $' },
        y: {
          ...{ field: 'part', type: 'quantitative' },
          title: 'output, part of the highest',
        },
        color: { field: 'pair', type: 'nominal', title: null },
      },
    },
  }
}
