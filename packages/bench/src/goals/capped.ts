import type { Address } from '@braid-swap/core'
import { bpsAbove } from '../evaluate.js'
import { weiOfDollars } from '../market.js'
import { ANY_LEGS, type Request, toRequest } from '../request.js'
import { ordersWorth } from '../requests/requests.js'
import { defaultTerms, hyperEvmMarket, SMALL_BLOCK_GAS } from '../requests/terms.js'
import { searchRoutes } from '../search/ownSearch.js'
import { percentile } from '../stats.js'
import { bpsAt, gapsOf } from './gaps.js'
import type { Figure, Goal, Lab, Measured, Table } from './goal.js'
import { tryOne } from './trial.js'

const LEG_CAPS = [3, 4, 6, 8, 12]
const NOTIONALS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
const GWEI = 1

/** Gas of a block in which less is possible than in a small block of HyperEVM. */
const TIGHT_BLOCK_GAS = 2_000_000
const BLOCKS = [SMALL_BLOCK_GAS, TIGHT_BLOCK_GAS]

const WHYPE: Address = '0x5555555555555555555555555555555555555555'
const USDC: Address = '0xb88339cb7199b77e23db6e890353e22632ba630f'
const USDT0: Address = '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb'
const USDH: Address = '0x111111a1a0667d36bd57c0a9f569b98057111111'

// Whole WHYPE in, and the whole tokens out of a route that fits the tight block, found by hand.
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
const WEI_PER_WHYPE = 10n ** 18n
const WEI_PER_DOLLAR_TOKEN = 1e6

const SOLVES = 1_200
const MAX_LOSS_BPS = 1
const MIN_ORDER_DOLLARS = 10_000
const MAX_ORDER_DOLLARS = 3_000_000

const PAIRS = 80
// $1 doubled so often is $67 million, more than any pool of the market holds.
const DOUBLINGS = 26
// A smaller fall is the rounding of shares.
const MIN_FALL = 1e-6

/** Routes where hops or the gas of a block are scarce. */
export const capped: Goal = {
  name: 'capped',
  question: 'How good are routes where hops, or a block’s gas, are scarce?',
  target: `caps of 3 to 12 legs, $1,000 to $10 million: certified gap p95 ≤ 10 bp; eight known orders within 1 bp; a search of 1,200 solves better by > 1 bp on ≤ 1 % of 200 orders from $10,000; gap where the block binds: median ≤ 100 bp; twice the input pays less only where the bound proves that it must`,
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const legs = await measureLegCaps(lab)
  const known = await measureKnown(lab)
  const orders: Ordered[] = []
  const falls: Falls[] = []
  for (const blockGas of BLOCKS) {
    orders.push(await measureOrders(lab, blockGas))
    falls.push(await measureFalls(lab, blockGas))
  }
  const [own, ownFalls] = [orders[0]!, falls[0]!]
  const p95 = bpsAt(legs.gaps, 0.95)
  return {
    measured: `caps on legs: p50 ${bpsAt(legs.gaps, 0.5).toPrecision(3)}, p95 ${p95.toPrecision(3)} bp; known orders: worst ${known.worstBps.toPrecision(3)} bp below; ${own.lost.length} of ${own.count} orders lose > 1 bp to the search; gap where the block binds (${own.bindingGaps.length}): median ${percentile(own.bindingGaps, 0.5).toPrecision(3)} bp; ${ownFalls.unproved} of ${ownFalls.quotes} outputs fall below that of less input without proof`,
    isReached:
      p95 <= 10 &&
      known.worstBps <= MAX_LOSS_BPS &&
      own.lost.length <= 0.01 * own.count &&
      !(percentile(own.bindingGaps, 0.5) > 100) &&
      ownFalls.unproved === 0,
    tables: [legs.table, known.table, lostTable(own), blocksTable(orders, falls)],
    figures: [
      { name: 'capped legs p50 bp', value: bpsAt(legs.gaps, 0.5), better: 'low' },
      { name: 'capped legs p95 bp', value: p95, better: 'low' },
      { name: 'known orders worst bp', value: known.worstBps, better: 'low' },
      { name: 'orders lost %', value: (100 * own.lost.length) / own.count, better: 'low' },
      ...BLOCKS.flatMap((blockGas, i): Figure[] => [
        {
          name: `${nameOf(blockGas)}, gap where it binds, median bp`,
          value: percentile(orders[i]!.bindingGaps, 0.5),
          better: 'low',
        },
        {
          name: `${nameOf(blockGas)}, falls not proved`,
          value: falls[i]!.unproved,
          better: 'low',
        },
        {
          name: `${nameOf(blockGas)}, deepest fall not proved %`,
          value: 100 * falls[i]!.deepest,
          better: 'low',
        },
      ]),
    ],
  }
}

function nameOf(blockGas: number): string {
  return `block of ${blockGas / 1e6}M`
}

async function measureLegCaps(lab: Lab) {
  const market = lab.ethereum.clean
  const ready = await lab.ours.ready(market)
  const gaps: { readonly cap: number; readonly dollars: number; readonly bps: number }[] = []
  for (const dollars of NOTIONALS) {
    lab.log(`capped: $${dollars}`)
    const requests = ordersWorth(market, {
      ...{ count: lab.isQuick ? 2 : 30, seed: lab.seed + 23, label: `$${dollars}`, dollars },
      gwei: GWEI,
    })
    for (const cap of LEG_CAPS) {
      const cut = requests.map((request) => ({ ...request, maxLegs: cap }))
      for (const { bps } of await gapsOf(ready, cut)) gaps.push({ cap, dollars, bps })
    }
  }
  const cell = (dollars: number, cap: number) =>
    bpsAt(
      gaps.filter((gap) => gap.cap === cap && gap.dollars === dollars),
      0.95,
    )
  const table: Table = {
    title: `p95 of the gap in bp, by notional and cap (${gaps.length} orders)`,
    columns: ['', ...LEG_CAPS.map((cap) => `≤ ${cap} legs`)],
    rows: NOTIONALS.map((dollars) => [
      `$${dollars.toLocaleString('en')}`,
      ...LEG_CAPS.map((cap) => cell(dollars, cap)),
    ]),
  }
  return { gaps, table }
}

async function measureKnown(lab: Lab) {
  const market = hyperEvmMarket()
  const ready = await lab.ours.ready(market)
  const rows: (readonly [string, number, number, number])[] = []
  for (const [whole, name, tokenOut, best] of KNOWN) {
    const order = { tokenIn: WHYPE, tokenOut, amountIn: whole * WEI_PER_WHYPE }
    const label = `${whole.toLocaleString('en')} WHYPE → ${name}`
    const terms = defaultTerms(market, TIGHT_BLOCK_GAS)
    const { worth } = await tryOne(ready, toRequest(market, { id: label, label, order, ...terms }))
    const out = Number(worth?.gross ?? 0n) / WEI_PER_DOLLAR_TOKEN
    rows.push([label, out, best, (1 - out / best) * 10_000])
  }
  const table: Table = {
    title: `known orders, ${nameOf(TIGHT_BLOCK_GAS)}`,
    columns: ['order', 'out', 'known', 'bp below'],
    rows,
  }
  return { table, worstBps: Math.max(...rows.map(([, , , bps]) => bps)) }
}

type Lost = { readonly request: Request; readonly lossBps: number; readonly gapBps: number }

type Ordered = {
  readonly count: number
  /** Orders for which the search finds a better route; only searched in a small block. */
  readonly lost: readonly Lost[]
  /** Gaps in basis points of the orders for which a larger block would pay more. */
  readonly bindingGaps: readonly number[]
}

async function measureOrders(lab: Lab, blockGas: number): Promise<Ordered> {
  const market = hyperEvmMarket()
  const ready = await lab.ours.ready(market)
  const requests = ordersWorth(market, {
    ...{ count: lab.isQuick ? 6 : 200, seed: lab.seed + 20, label: 'block gas' },
    dollars: (prng) => prng.logBetween(MIN_ORDER_DOLLARS, MAX_ORDER_DOLLARS),
    ...defaultTerms(market, blockGas),
  })
  let count = 0
  const lost: Lost[] = []
  const bindingGaps: number[] = []
  for (const [i, request] of requests.entries()) {
    if (i % 20 === 0) lab.log(`capped: ${nameOf(blockGas)}, order ${i} of ${requests.length}`)
    const { answer, worth } = await tryOne(ready, request)
    if (!worth || !answer) continue
    count++
    const gapBps = answer.bound ? (1 - Number(worth.net) / Number(answer.bound.amount)) * 10_000 : 0
    const free = await tryOne(ready, { ...request, maxGas: ANY_LEGS })
    if (free.worth && bpsAbove(free.worth.net, worth.net) > MAX_LOSS_BPS) bindingGaps.push(gapBps)
    if (blockGas !== SMALL_BLOCK_GAS) continue
    const ask = { start: answer.hops, solves: lab.isQuick ? 20 : SOLVES, seed: lab.seed + i }
    const found = searchRoutes(market, request, ask)
    const lossBps = found ? bpsAbove(found.net, worth.net) : 0
    if (lossBps > MAX_LOSS_BPS) lost.push({ request, lossBps, gapBps })
  }
  return { count, lost, bindingGaps }
}

function lostTable({ lost }: Ordered): Table {
  return {
    title: `orders lost to the search, ${nameOf(SMALL_BLOCK_GAS)}`,
    columns: ['order', 'bp', 'gap bp'],
    rows: lost.map(({ request: { order }, lossBps, gapBps }) => [
      ...[`${order.amountIn} ${order.tokenIn} → ${order.tokenOut}`, lossBps, gapBps],
    ]),
  }
}

type Falls = {
  readonly quotes: number
  /** Falls of the output that no bound proves due. */
  readonly unproved: number
  /** The deepest of them, as a part of the output before. */
  readonly deepest: number
}

/** Doubles the amount of each pair and counts the outputs that fall although the bound leaves room. */
async function measureFalls(lab: Lab, blockGas: number): Promise<Falls> {
  const market = hyperEvmMarket()
  const ready = await lab.ours.ready(market)
  const terms = defaultTerms(market, blockGas)
  const drawn = ordersWorth(market, {
    ...{ count: 4 * PAIRS, seed: lab.seed + 21, label: 'pair', dollars: 100, ...terms },
  })
  const byPair = new Map(drawn.map((of) => [`${of.order.tokenIn}${of.order.tokenOut}`, of]))
  let [quotes, unproved, deepest] = [0, 0, 0]
  for (const { order } of [...byPair.values()].slice(0, lab.isQuick ? 4 : PAIRS)) {
    let most = 0
    for (let n = 0; n <= DOUBLINGS; n++) {
      const amountIn = weiOfDollars(market, order.tokenIn, 2 ** n)
      const request = toRequest(market, {
        ...{ id: 'pair', label: 'pair', order: { ...order, amountIn }, ...terms },
      })
      const { answer, worth } = await tryOne(ready, request)
      if (!worth || !answer) continue
      quotes++
      const net = Number(worth.net)
      const bound = answer.bound ? Number(answer.bound.amount) : Number.POSITIVE_INFINITY
      if (net < most * (1 - MIN_FALL) && bound >= most) {
        unproved++
        deepest = Math.max(deepest, 1 - net / most)
      }
      most = Math.max(most, net)
    }
  }
  return { quotes, unproved, deepest }
}

function blocksTable(orders: readonly Ordered[], falls: readonly Falls[]): Table {
  return {
    title: 'by the gas of the block',
    columns: [
      ...['block', 'orders', 'it binds for', 'gap there p50 bp', 'p95 bp'],
      ...['doubled amounts', 'falls not proved', 'deepest %'],
    ],
    rows: BLOCKS.map((blockGas, i) => [
      ...[nameOf(blockGas), orders[i]!.count, orders[i]!.bindingGaps.length],
      ...[0.5, 0.95].map((part) => percentile(orders[i]!.bindingGaps, part)),
      ...[falls[i]!.quotes, falls[i]!.unproved, 100 * falls[i]!.deepest],
    ]),
  }
}
