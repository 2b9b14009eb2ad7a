import { decimalsOf, type Market, weiOfDollars } from '../market.js'
import { type Request, toRequest } from '../request.js'
import { ordersWorth } from '../requests.js'
import type { ReadyRouter } from '../routers/router.js'
import { searchRoutes } from '../search/ownSearch.js'
import { defaultTerms, hyperEvmMarket } from '../terms.js'
import { tryOne } from '../trial.js'
import type { Figure, Goal, Lab, Measured } from './goal.js'

// And as many others, which show whether what was tuned on these holds.
const PAIRS = 40
// $1 doubled so often is $134 million, more than any pool of the market holds.
const DOUBLINGS = 27
// A smaller fall is the rounding of shares.
const LEAST_FALL = 1e-6
// Local improvements of the slow search for a better route where the output falls.
const SOLVES = 1_200
const COLUMNS = 8
// A bound above this part of the highest output is drawn at it.
const HIGHEST_DRAWN = 1.3
const [PROVED, NOT_PROVED] = ['proves', 'does not prove']

/** H2: more input pays more output, except where the certificate proves that it cannot. */
export const moreIn: Goal = {
  id: 'H2',
  title: 'more in, more out',
  target: `${PAIRS} pairs and ${PAIRS} others × doubling amounts: the net output falls nowhere unless the bound at that amount proves that it must`,
  measure,
}

export type Point = {
  readonly pair: string
  readonly dollars: number
  /** Net output in whole tokens. */
  readonly out: number
  /** The bound on the net output, in whole tokens. */
  readonly bound: number
  /** The highest net output at a smaller amount. */
  readonly before: number
  /** Where the output falls and no bound proves it due: that of the best route of the slow search. */
  readonly searched?: number
}

async function measure(lab: Lab): Promise<Measured> {
  const market = hyperEvmMarket()
  const ready = await lab.ours.ready(market)
  const pairs = pairsOf(lab, market)
  const curves: (readonly Point[])[] = []
  for (const [i, request] of pairs.entries()) {
    if (i % 10 === 0) lab.log(`H2: ${i} of ${pairs.length}`)
    curves.push(await curveOf(lab, market, ready, request))
  }
  const half = pairs.length / 2
  const own = fallsOf(curves.slice(0, half).flat())
  const others = fallsOf(curves.slice(half).flat())
  return {
    measured: `${inWords(own)}; of the other pairs: ${inWords(others)}`,
    isReached: own.unproved.length + others.unproved.length === 0,
    tables: [
      tableOf('falls that the bound does not prove', own),
      tableOf('falls of the other pairs that the bound does not prove', others),
    ],
    charts: [
      outputChart(market, own.points),
      { ...outputChart(market, others.points), name: 'more-in-more-out-others' },
    ],
    figures: [...figuresOf('', own), ...figuresOf(', other pairs', others)],
  }
}

type Falls = {
  readonly points: readonly Point[]
  readonly falls: number
  /** Falls that no bound proves due, and those of them for which the search finds a better route. */
  readonly unproved: readonly Point[]
  readonly lost: number
  /** The deepest fall that is not proved, in percent. */
  readonly deepest: number
}

function fallsOf(points: readonly Point[]): Falls {
  const unproved = points.filter(isUnproved)
  return {
    ...{ points, unproved },
    falls: points.filter(isFall).length,
    lost: unproved.filter(({ out, searched = 0 }) => searched > out * (1 + LEAST_FALL)).length,
    deepest: 100 * Math.max(0, ...unproved.map(({ out, before }) => 1 - out / before)),
  }
}

function inWords({ points, falls, unproved, lost, deepest }: Falls): string {
  return `${points.length} quotes: ${falls} falls, ${unproved.length} not proved to be due, the deepest of them ${deepest.toPrecision(3)} %; a search of ${SOLVES.toLocaleString('en')} solves finds a better route for ${lost}`
}

function tableOf(title: string, { unproved }: Falls) {
  return {
    title,
    columns: ['pair', 'dollars', 'net out', 'of the search', 'at a smaller amount', 'bound'],
    rows: unproved.map(({ pair, dollars, out, searched = Number.NaN, before, bound }) => [
      ...[pair, dollars, out, searched, before, bound],
    ]),
  }
}

function figuresOf(of: string, { falls, unproved, lost, deepest }: Falls): readonly Figure[] {
  return [
    { name: `falls${of}`, value: falls, better: 'low' },
    { name: `falls not proved${of}`, value: unproved.length, better: 'low' },
    { name: `falls where a search finds a better route${of}`, value: lost, better: 'low' },
    { name: `deepest fall not proved %${of}`, value: deepest, better: 'low' },
  ]
}

function isFall({ out, before }: Pick<Point, 'out' | 'before'>): boolean {
  return out < before * (1 - LEAST_FALL)
}

/** Whether the output falls although the bound leaves room for more. */
function isUnproved(point: Pick<Point, 'out' | 'before' | 'bound'>): boolean {
  return isFall(point) && point.bound >= point.before
}

/** Pairs that differ in a token; the amounts are replaced. */
function pairsOf(lab: Lab, market: Market): readonly Request[] {
  const drawn = ordersWorth(market, {
    ...{ count: 8 * PAIRS, seed: lab.seed + 21, label: 'pair', dollars: 100 },
    ...defaultTerms(market),
  })
  const byPair = new Map(drawn.map((of) => [`${of.order.tokenIn}${of.order.tokenOut}`, of]))
  return [...byPair.values()].slice(0, lab.isQuick ? 4 : 2 * PAIRS)
}

async function curveOf(
  lab: Lab,
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
    const point = { pair: `${nameOf(tokenIn)} → ${nameOf(tokenOut)}`, dollars, out, bound, before }
    const ask = { start: answer.hops, solves: SOLVES, seed: lab.seed + n }
    const found = isUnproved(point) ? searchRoutes(market, request, ask) : undefined
    points.push({ ...point, ...(found && { searched: Number(found.net) / unit }) })
    before = Math.max(before, out)
  }
  return points
}

function nameOf(token: string): string {
  return token.slice(0, 6)
}

/**
 * Output against amount, one small chart for each pair. A point marks a fall: whether the bound proves
 * that it is due, or not. The grey line is the bound.
 */
export function outputChart(market: Pick<Market, 'name'>, points: readonly Point[]) {
  const most = new Map<string, number>()
  for (const { pair, out } of points) most.set(pair, Math.max(most.get(pair) ?? 0, out))
  const values = points
    .filter(({ pair }) => most.get(pair)! > 0)
    .map(({ pair, dollars, out, bound, before }) => ({
      ...{ pair, dollars },
      part: Math.max(0, out / most.get(pair)!),
      bound: Math.min(HIGHEST_DRAWN, bound / most.get(pair)!),
      ...(isFall({ out, before }) && { fall: bound < before ? PROVED : NOT_PROVED }),
    }))
  const x = {
    ...{ field: 'dollars', type: 'quantitative', scale: { type: 'log' }, title: null },
    axis: { values: [1, 1e3, 1e6], format: '~s' },
  }
  const y = (field: string) => ({
    field,
    type: 'quantitative',
    title: null,
    axis: { tickCount: 2 },
  })
  const color = {
    ...{ field: 'fall', type: 'nominal', title: 'a fall that the bound' },
    legend: { titleLimit: 300 },
    scale: { domain: [PROVED, NOT_PROVED], range: ['#2a9d8f', '#d62828'] },
  }
  return {
    name: 'more-in-more-out',
    spec: {
      title: `Net output, as a part of the highest, against amount in dollars, ${market.name}`,
      data: { values },
      columns: COLUMNS,
      facet: { field: 'pair', type: 'nominal', title: null, header: { labelFontSize: 9 } },
      spec: {
        ...{ width: 105, height: 70 },
        layer: [
          {
            mark: { type: 'line', color: '#bbbbbb', strokeWidth: 1 },
            encoding: { x, y: y('bound') },
          },
          { mark: { type: 'line', strokeWidth: 1.5 }, encoding: { x, y: y('part') } },
          {
            transform: [{ filter: 'isValid(datum.fall)' }],
            mark: { type: 'point', filled: true, size: 30, opacity: 1 },
            encoding: { x, y: y('part'), color },
          },
        ],
      },
    },
  }
}
