import type { Market } from '../market.js'
import { ordersWorth, type Terms } from '../requests/requests.js'
import { defaultTerms, hyperEvmMarket } from '../requests/terms.js'
import { bpsAt, type Gap, gapsOf } from './gaps.js'
import type { Figure, Goal, Lab, Measured } from './goal.js'

const NOTIONALS = [10, 100, 1_000, 10_000]
const GWEI = 0.1
const LEGS = 24

/** The gap of small orders, whose gas is a large part of their output. */
export const small: Goal = {
  name: 'small',
  question: 'How far from the bound are small orders, at the gas of two chains?',
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
    const ready = await lab.ours.ready(market)
    for (const dollars of NOTIONALS) {
      const requests = ordersWorth(market, {
        ...{ count: lab.isQuick ? 8 : 150, seed: lab.seed + 22, label: `$${dollars}`, dollars },
        ...terms,
      })
      cells.push({ market: market.name, dollars, gaps: await gapsOf(ready, requests) })
    }
  }
  const judged = cells.filter(({ dollars }) => dollars <= 1_000)
  return {
    measured: judged.map(inWords).join('; '),
    isReached: judged.every(isGood),
    tables: [
      {
        title: 'certified gap',
        columns: ['market', 'dollars', 'orders', 'p50 bp', 'p95 bp', 'worst bp', 'within a swap %'],
        rows: cells.map(({ market, dollars, gaps }) => [
          ...[market, dollars, gaps.length],
          ...[bpsAt(gaps, 0.5), bpsAt(gaps, 0.95), bpsAt(gaps, 1), 100 * withinSwap(gaps)],
        ]),
      },
    ],
    figures: cells.flatMap(({ market, dollars, gaps }): Figure[] => [
      { name: `${market} $${dollars} p50 bp`, value: bpsAt(gaps, 0.5), better: 'low' },
      { name: `${market} $${dollars} p95 bp`, value: bpsAt(gaps, 0.95), better: 'low' },
    ]),
  }
}

function isGood({ dollars, gaps }: Cell): boolean {
  if (dollars === 10) return withinSwap(gaps) >= 0.99
  return bpsAt(gaps, 0.5) <= 0.1 && bpsAt(gaps, 0.95) <= 5
}

function inWords({ market, dollars, gaps }: Cell): string {
  if (dollars === 10) return `${market} $10: ${(100 * withinSwap(gaps)).toFixed(1)} % within a swap`
  return `$${dollars}: ${bpsAt(gaps, 0.5).toPrecision(2)} / ${bpsAt(gaps, 0.95).toPrecision(2)} bp`
}

/** The part of the gaps that is at most the gas of one swap. */
function withinSwap(gaps: readonly Gap[]): number {
  return gaps.filter(({ inSwaps }) => inSwaps <= 1).length / Math.max(1, gaps.length)
}
