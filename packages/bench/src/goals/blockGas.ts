import type { Address } from '@braid-swap/core'
import { bpsAbove, type Evaluation } from '../evaluate.js'
import type { Market } from '../market.js'
import { ANY_LEGS, type Request, toRequest } from '../request.js'
import { ordersWorth } from '../requests.js'
import type { ReadyRouter } from '../routers/router.js'
import { searchRoutes } from '../search/ownSearch.js'
import { percentile } from '../stats.js'
import { defaultTerms, hyperEvmMarket } from '../terms.js'
import { tryOne } from '../trial.js'
import type { Goal, Lab, Measured } from './goal.js'

const WHYPE: Address = '0x5555555555555555555555555555555555555555'
const USDC: Address = '0xb88339cb7199b77e23db6e890353e22632ba630f'
const USDT0: Address = '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb'
const USDH: Address = '0x111111a1a0667d36bd57c0a9f569b98057111111'
const E18 = 10n ** 18n

// Whole WHYPE in, and the whole tokens out of a route that fits the block, found by hand.
const KNOWN: readonly (readonly [bigint, string, Address, number])[] = [
  [50_000n, 'USDC', USDC, 1_983_106],
  [100_000n, 'USDC', USDC, 3_181_406],
  [200_000n, 'USDC', USDC, 3_152_789],
  [100_000n, 'USDT0', USDT0, 3_092_952],
  [200_000n, 'USDT0', USDT0, 3_161_168],
  [10_000n, 'USDH', USDH, 391_708],
  [20_000n, 'USDH', USDH, 406_972],
  [200_000n, 'USDH', USDH, 422_062],
]
const DECIMALS = 1e6
const SOLVES = 1_200
const MAX_LOSS_BPS = 1
const [LEAST_DOLLARS, MOST_DOLLARS] = [10_000, 3_000_000]

/** H1: routes where the gas of a small block is scarce. */
export const blockGas: Goal = {
  id: 'H1',
  title: 'block gas',
  target:
    'eight known orders within 1 bp; 200 orders from $10,000 at default options: a search of 1,200 solves better by > 1 bp on ≤ 1 %; certified gap where the block binds: median ≤ 100 bp',
  measure,
}

type Compared = {
  readonly request: Request
  readonly ours: Evaluation
  /** How far the search is above us, in basis points. */
  readonly lossBps: number
  readonly gapBps: number
  /** Whether a larger block would pay more. */
  readonly isBound: boolean
}

async function measure(lab: Lab): Promise<Measured> {
  const market = hyperEvmMarket()
  const ready = await lab.ours.ready(market)
  const known: (readonly [string, number, number, number])[] = []
  for (const [whole, name, tokenOut, best] of KNOWN) {
    const order = { tokenIn: WHYPE, tokenOut, amountIn: whole * E18 }
    const label = `${whole.toLocaleString('en')} WHYPE → ${name}`
    const request = toRequest(market, { id: label, label, order, ...defaultTerms(market) })
    const { worth } = await tryOne(ready, request)
    const out = Number(worth?.gross ?? 0n) / DECIMALS
    known.push([label, out, best, (1 - out / best) * 10_000])
  }
  const compared = await compareAll(lab, market, ready)
  const lost = compared.filter(({ lossBps }) => lossBps > MAX_LOSS_BPS)
  const bound = compared.filter(({ isBound }) => isBound)
  const lostPart = lost.length / Math.max(1, compared.length)
  const gapOf = (part: number) =>
    percentile(
      bound.map(({ gapBps }) => gapBps),
      part,
    )
  const worst = Math.max(...known.map(([, , , bps]) => bps))
  return {
    measured: `known orders: worst ${worst.toPrecision(3)} bp below; ${lost.length} of ${compared.length} orders lose > 1 bp to the search; gap where the block binds (${bound.length}): median ${gapOf(0.5).toPrecision(3)}, p95 ${gapOf(0.95).toPrecision(3)} bp`,
    isReached: worst <= MAX_LOSS_BPS && lostPart <= 0.01 && !(gapOf(0.5) > 100),
    tables: [
      { title: 'known orders', columns: ['order', 'out', 'known', 'bp below'], rows: known },
      {
        title: 'orders lost to the search',
        columns: ['order', 'dollars', 'bp', 'gap bp'],
        rows: lost.map(({ request, lossBps, gapBps }) => [
          `${request.order.amountIn} ${request.order.tokenIn} → ${request.order.tokenOut}`,
          ...[request.label, lossBps, gapBps],
        ]),
      },
    ],
    figures: [
      { name: 'known orders worst bp', value: worst, better: 'low' },
      { name: 'orders lost %', value: 100 * lostPart, better: 'low' },
      { name: 'gap where the block binds, median bp', value: gapOf(0.5), better: 'low' },
    ],
  }
}

async function compareAll(
  lab: Lab,
  market: Market,
  ready: ReadyRouter,
): Promise<readonly Compared[]> {
  const solves = lab.searchSolves ?? (lab.isQuick ? 20 : SOLVES)
  const requests = ordersWorth(market, {
    ...{ count: lab.isQuick ? 6 : 200, seed: lab.seed + 20, label: 'block gas' },
    dollars: (prng) => prng.logBetween(LEAST_DOLLARS, MOST_DOLLARS),
    ...defaultTerms(market),
  })
  const compared: Compared[] = []
  for (const [i, request] of requests.entries()) {
    if (i % 20 === 0) lab.log(`H1: ${i} of ${requests.length}`)
    const { answer, worth } = await tryOne(ready, request)
    const found = searchRoutes(market, request, { start: answer?.hops, solves, seed: lab.seed + i })
    if (!worth) continue
    const free = await tryOne(ready, { ...request, maxGas: ANY_LEGS })
    compared.push({
      request,
      ours: worth,
      lossBps: found ? Math.max(0, bpsAbove(found.net, worth.net)) : 0,
      gapBps: answer?.bound ? (1 - Number(worth.net) / Number(answer.bound.amount)) * 10_000 : 0,
      isBound: free.worth !== undefined && bpsAbove(free.worth.net, worth.net) > MAX_LOSS_BPS,
    })
  }
  return compared
}
