import type { Market } from '../market.js'
import { ordersWorth, type Terms } from '../requests.js'
import { percentile } from '../stats.js'
import { defaultTerms, hyperEvmMarket } from '../terms.js'
import { tryOne } from '../trial.js'
import { type Gap, toGap } from './gap.js'
import { type Figure, figureKey, type Goal, type Lab, type Measured } from './goal.js'

const NOTIONALS = [10, 100, 1_000, 10_000]
const GWEI = 0.1
const LEGS = 24

/** H3: the certified gap of small orders. */
export const smallOrders: Goal = {
  id: 'H3',
  title: 'small orders',
  target:
    '$100 and $1,000, default gas, HyperEVM and Ethereum: certified gap p50 ≤ 0.1 bp, p95 ≤ 5 bp; $10: within one swap’s gas for 99 %',
  measure,
}

type Cell = { readonly market: string; readonly dollars: number; readonly gaps: readonly Gap[] }

async function measure(lab: Lab): Promise<Measured> {
  const hyperEvm = hyperEvmMarket()
  const markets: readonly (readonly [Market, Terms])[] = [
    [hyperEvm, defaultTerms(hyperEvm)],
    [lab.ethereum.clean, { gwei: GWEI, maxLegs: LEGS }],
  ]
  const cells: Cell[] = []
  for (const [market, terms] of markets) {
    for (const dollars of NOTIONALS) {
      const gaps = await gapsOf(lab, market, dollars, terms)
      cells.push({ market: market.name, dollars, gaps })
    }
  }
  const bps = ({ gaps }: Cell, part: number) =>
    percentile(
      gaps.map((gap) => gap.bps),
      part,
    )
  const withinSwap = ({ gaps }: Cell) =>
    gaps.filter(({ inSwaps }) => inSwaps <= 1).length / Math.max(1, gaps.length)
  const isGood = (cell: Cell) =>
    cell.dollars === 10
      ? withinSwap(cell) >= 0.99
      : cell.dollars > 1_000 || (bps(cell, 0.5) <= 0.1 && bps(cell, 0.95) <= 5)
  const figures = cells.flatMap((cell): Figure[] => [
    { name: figureName(cell, 'p50'), value: bps(cell, 0.5), better: 'low' },
    { name: figureName(cell, 'p95'), value: bps(cell, 0.95), better: 'low' },
  ])
  const shown = cells.filter(({ dollars }) => dollars <= 1_000)
  return {
    measured: shown
      .map((cell) =>
        cell.dollars === 10
          ? `${cell.market} $10: ${(100 * withinSwap(cell)).toFixed(1)} % within a swap`
          : `$${cell.dollars}: ${bps(cell, 0.5).toPrecision(2)} / ${bps(cell, 0.95).toPrecision(2)} bp`,
      )
      .join('; '),
    isReached: shown.every(isGood),
    tables: [
      {
        title: 'certified gap',
        columns: ['market', 'dollars', 'orders', 'p50 bp', 'p95 bp', 'worst bp', 'within a swap %'],
        rows: cells.map((cell) => [
          ...[cell.market, cell.dollars, cell.gaps.length],
          ...[bps(cell, 0.5), bps(cell, 0.95), bps(cell, 1), 100 * withinSwap(cell)],
        ]),
      },
    ],
    charts: [gapChart(lab, cells, figures)],
    figures,
  }
}

async function gapsOf(lab: Lab, market: Market, dollars: number, terms: Terms) {
  const ready = await lab.ours.ready(market)
  const requests = ordersWorth(market, {
    ...{ count: lab.isQuick ? 8 : 150, seed: lab.seed + 22, label: `$${dollars}`, dollars },
    ...terms,
  })
  const gaps: Gap[] = []
  for (const request of requests) {
    const gap = toGap(await tryOne(ready, request))
    if (gap) gaps.push(gap)
  }
  return gaps
}

function figureName({ market, dollars }: Omit<Cell, 'gaps'>, part: string): string {
  return `${market} $${dollars} ${part} bp`
}

// Gaps below this are drawn at it, because a logarithm has no zero.
const LEAST_DRAWN = 1e-3

/** Gap by notional, in this run and in the report before. */
function gapChart(lab: Lab, cells: readonly Cell[], figures: readonly Figure[]) {
  const values = cells.flatMap((cell) =>
    ['p50', 'p95'].flatMap((part) => {
      const name = figureName(cell, part)
      const now = figures.find((figure) => figure.name === name)?.value
      const before = lab.previous.get(figureKey('H3', { name }))
      const point = (run: string, bp: number | undefined) =>
        bp === undefined
          ? []
          : [
              {
                ...{ market: cell.market, dollars: cell.dollars, run: `${part} ${run}` },
                bp: Math.max(bp, LEAST_DRAWN),
              },
            ]
      return [...point('before', before), ...point('now', now)]
    }),
  )
  return {
    name: 'gap-by-notional',
    spec: {
      title: 'Certified gap by notional',
      data: { values },
      mark: { type: 'line', point: true },
      encoding: {
        x: { field: 'dollars', type: 'quantitative', scale: { type: 'log' }, title: 'order, $' },
        y: { field: 'bp', type: 'quantitative', scale: { type: 'log' }, title: 'gap, bp' },
        color: { field: 'run', type: 'nominal', title: null },
        strokeDash: { field: 'market', type: 'nominal', title: null },
      },
    },
  }
}
