import { configDefaults, readTokenList } from '@braid-swap/api'
import { type Address, buildGraph, quote } from '@braid-swap/core'
import {
  backedTokens,
  precomputeReference,
  solveOrder,
  UntrustedRouteError,
} from '@braid-swap/core/advanced'
import { bpsAbove, evaluate } from '../evaluate.js'
import { type Market, weiOfDollars } from '../market.js'
import { mixedRequests } from '../requests/requests.js'
import { hyperEvmMarket } from '../requests/terms.js'
import { mean, percentile } from '../stats.js'
import type { Goal, Lab, Measured } from './goal.js'

const MOST_BPS = 2

/** Tokens of Ethereum that stand for an operator's list, the deepest first. */
const LISTED_OF_ETHEREUM = 60

/** Depth in each of two pools, and in all, in dollars, by which a token earns what the list gives. */
const [EACH_DOLLARS, ALL_DOLLARS] = [100, 5_000]

/** What it costs that routes pass only tokens of the operator's list and those that have earned it. */
export const intermediates: Goal = {
  name: 'intermediates',
  question: 'What do orders lose if routes pass listed and backed tokens only?',
  target: 'a mean loss of at most 2 bp, and no order with a route is told that there is none',
  measure,
}

/** The policy whose loss is the goal's. */
const EARNED = 'listed or backed'

type Cell = {
  readonly name: string
  readonly lossBps: readonly number[]
  readonly lost: number
  /** Of these, those that are not told that only an untrusted token is in the way. */
  readonly untold: number
  /** Time with listed tokens only, as a share of the time with all. */
  readonly timeRatio: number
}

function measure(lab: Lab): Measured {
  const ethereum = lab.ethereum.clean
  const deepest = [...ethereum.prices.depthOf].sort(([, a], [, b]) => b - a)
  const hyperEvm = [...readTokenList(configDefaults.tokenListFile, 999).keys()]
  const cells = [
    ...measureOn(lab, hyperEvmMarket(), hyperEvm),
    ...measureOn(
      lab,
      ethereum,
      deepest.slice(0, LISTED_OF_ETHEREUM).map(([token]) => token),
    ),
  ]
  return {
    measured: cells
      .map(
        ({ name, lossBps, lost, untold }) =>
          `${name}: mean ${mean(lossBps).toPrecision(2)}, p95 ${percentile(lossBps, 0.95).toPrecision(2)} bp of ${lossBps.length} orders, ${lost} without a route, ${untold} of them not told why`,
      )
      .join('; '),
    isReached: cells.every(
      ({ name, lossBps, untold }) =>
        untold === 0 && (!name.endsWith(EARNED) || mean(lossBps) <= MOST_BPS),
    ),
    figures: cells.map(({ name, lossBps }) => ({
      ...{ name: `${name} mean loss bp`, value: mean(lossBps), better: 'low' as const },
    })),
    tables: [
      {
        title: 'loss of output net of gas',
        columns: [
          'market',
          'orders',
          'mean bp',
          'p95 bp',
          'p99 bp',
          'worst bp',
          'without a route',
          'time, ×',
        ],
        rows: cells.map(({ name, lossBps, lost, timeRatio }) => [
          ...[name, lossBps.length, mean(lossBps)],
          ...[0.95, 0.99, 1].map((part) => percentile(lossBps, part)),
          ...[lost, timeRatio],
        ]),
      },
    ],
  }
}

/** True if a refusal names the policy. */
function isTold(ask: () => unknown): boolean {
  try {
    ask()
    return true
  } catch (error) {
    return error instanceof UntrustedRouteError
  }
}

/** The loss with the list alone, and with the tokens beside it that are backed. */
function measureOn(lab: Lab, market: Market, list: readonly Address[]): readonly Cell[] {
  const graph = precomputeReference(buildGraph(market.snapshot))
  const { wrappedNative } = market.snapshot
  const listed = new Set([wrappedNative, ...list])
  const weiOf = (dollars: number) => Number(weiOfDollars(market, wrappedNative, dollars))
  const least = { eachWei: weiOf(EACH_DOLLARS), allWei: weiOf(ALL_DOLLARS) }
  const backed = backedTokens(graph, listed, least).keys()
  const policies = [
    ['listed', listed],
    [EARNED, new Set([...listed, ...backed])],
  ] as const
  const requests = mixedRequests(market, lab.isQuick ? 40 : 1_000, lab.seed + 30)
  return policies.map(([policy, onlyIntermediates]) => {
    const lossBps: number[] = []
    const [freeMs, keptMs]: [number[], number[]] = [[], []]
    let [lost, untold] = [0, 0]
    for (const request of requests) {
      const { gasPrice, maxLegs } = request
      const ask = (times: number[], more: object) => {
        const startMs = performance.now()
        const hops = solveOrder(graph, request.order, { gasPrice, maxLegs, ...more })?.hops
        times.push(performance.now() - startMs)
        return evaluate(request, hops)?.net
      }
      // The first search of an order warms the graph for the others.
      ask([], {})
      const [free, kept] = [ask(freeMs, {}), ask(keptMs, { onlyIntermediates })]
      if (free === undefined) continue
      if (kept === undefined) {
        lost += 1
        if (!isTold(() => quote(graph, request.order, { onlyIntermediates }))) untold += 1
      } else lossBps.push(Math.max(0, -bpsAbove(kept, free)))
    }
    const timeRatio = mean(keptMs) / mean(freeMs)
    return { name: `${market.name} ${policy}`, lossBps, lost, untold, timeRatio }
  })
}
