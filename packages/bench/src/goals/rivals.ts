import { bpsAbove, isBeyondEnd } from '../evaluate.js'
import type { Market } from '../market.js'
import { adversarialCases } from '../markets/adversarial.js'
import { loadRecorded } from '../markets/recorded.js'
import { tines } from '../peers/tines.js'
import { uniswap } from '../peers/uniswap.js'
import { ANY_LEGS, type Request } from '../request.js'
import {
  pairRequests,
  referenceRequests,
  smallRequests,
  stratifiedRequests,
} from '../requests/requests.js'
import { kyber } from '../routers/kyber.js'
import type { ReadyRouter, Router } from '../routers/router.js'
import { singlePath } from '../routers/singlePath.js'
import { sqs } from '../routers/sqs.js'
import { waterFill } from '../routers/waterFill.js'
import { isServable } from '../search/servable.js'
import { type Duel, duel, lossTable, notLostByRival, scoreTable } from './duels.js'
import type { Goal, Lab, Measured, Table } from './goal.js'
import { type Trial, tryAll, tryOne } from './trial.js'

const GWEI = 1
const MIN_NOT_LOST = 0.999

// The ten trades are asked for at these caps on hops; the second is judged.
const CAPS = [12, 20, ANY_LEGS] as const
const MAX_SUM_BPS = 52
const MAX_PART_OF_KNOWN = 1.05

// Best known gaps with at most 20 legs, in bp below the reference optimum, per trade; and the gaps
// of Tines with 12 and 100 flows, measured elsewhere.
const KNOWN_20 = [3.65, 0.61, 12.6, 0.08, 0.58, 0.47, 3.53, 0.46, 0.48, 28.8]
const KNOWN_TINES_12 = [6.57, 2.67, 50.4, 6.3, 384, 36.6, 119, 210, 185, 258]
const KNOWN_TINES_100 = [4.26, 0.92, 12.4, 0.4, 15.5, 1.01, 19.8, 0.6, 6.8, 49.2]

// Caps on hops at which an exhaustive search says whether there is a route.
const SEARCHED_HOPS = [2, 3, 4, 5]

/** Our router against rivals, on the same pools and with no more hops than the rival used. */
export const rivals: Goal = {
  name: 'rivals',
  question: 'Does any rival pay more, or find a route where we find none?',
  target:
    'not lost to single paths on 100 %, to each rival on ≥ 99.9 % at equal legs; ten large trades, ≤ 20 legs: each ≤ best known × 1.05, sum ≤ 52 bp below the optimum; no route missed that an exhaustive search finds',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const sets = await duelsBySet(lab)
  const all = [...sets.values()].flat()
  const parts = notLostByRival(all)
  const least = parts.reduce((a, b) => (b.part < a.part ? b : a))
  const isNeverLost = parts.every(
    ({ rival, part }) => part >= (rival === singlePath.name ? 1 : MIN_NOT_LOST),
  )
  const trades = await measureTrades(lab)
  const missed = await countMissed(lab)
  const isReached = isNeverLost && trades.isReached && missed.orders === 0
  const withoutPeers = lab.hasPeers ? '' : ' (npm rivals left out)'
  return {
    measured: `${parts.length} rivals, ${all.length} duels; least: ${(100 * least.part).toFixed(2)} % not lost to ${least.rival}${withoutPeers}; ten trades: sum ${trades.sum.toFixed(1)} bp, ${trades.within} of 10 within 1.05 of the best known; ${missed.orders} of ${missed.asked} orders without a route that there is`,
    isReached: isReached && !lab.hasPeers ? undefined : isReached,
    tables: [
      ...[...sets].map(([name, duels]) => scoreTable(name, duels)),
      lossTable(all),
      ...trades.tables,
    ],
    figures: [
      ...parts.map(({ rival, part }) => ({
        ...{ name: `not lost to ${rival} %`, value: 100 * part, better: 'high' as const },
      })),
      { name: 'ten trades, sum bp', value: trades.sum, better: 'low' },
      { name: 'routes missed', value: missed.orders, better: 'low' },
    ],
  }
}

type Job = { readonly market: Market; readonly request: Request }

async function duelsBySet(lab: Lab): Promise<ReadonlyMap<string, readonly Duel[]>> {
  const sets = new Map<string, readonly Duel[]>()
  const ready = new Map<Market, Parameters<typeof duel>[0]>()
  for (const [name, jobs] of jobsBySet(lab)) {
    lab.log(`rivals: ${jobs.length} ${name}`)
    const duels: Duel[] = []
    for (const { market, request } of jobs) {
      const teams = ready.get(market) ?? (await readyTeams(lab, market))
      ready.set(market, teams)
      duels.push(...(await duel(teams, request)))
    }
    sets.set(name, duels)
  }
  return sets
}

function jobsBySet(lab: Lab): ReadonlyMap<string, readonly Job[]> {
  const { seed } = lab
  const on = (market: Market, requests: readonly Request[]) =>
    requests.map((request) => ({ market, request }))
  const { clean } = lab.ethereum
  const counts = lab.isQuick
    ? { stratified: 20, others: 6, ofKind: 1 }
    : { stratified: 200, others: 60, ofKind: 10 }
  const terms = { count: counts.others, gwei: GWEI }
  return new Map<string, readonly Job[]>([
    [
      'stratified',
      on(clean, stratifiedRequests(clean, { count: counts.stratified, seed, gwei: GWEI })),
    ],
    ['small trades', on(clean, smallRequests(clean, { ...terms, seed: seed + 1 }))],
    ['adversarial', adversarialCases(counts.ofKind, seed + 2)],
    ...loadRecorded().map((market): readonly [string, readonly Job[]] => [
      market.name,
      on(market, stratifiedRequests(market, { ...terms, seed })),
    ]),
  ])
}

async function readyTeams(lab: Lab, market: Market) {
  return { ours: await lab.ours.ready(market), rivals: await readyAll(rivalsOf(lab), market) }
}

/** The rivals, emulations first; packages from npm only if they are installed. */
function rivalsOf(lab: Lab): readonly Router[] {
  const emulations = [singlePath, sqs, kyber, waterFill(20), waterFill(256)]
  return lab.hasPeers ? [...emulations, tines('auto'), tines(12), tines(100), uniswap] : emulations
}

async function readyAll(
  routers: readonly Router[],
  market: Market,
): Promise<readonly ReadyRouter[]> {
  const ready: ReadyRouter[] = []
  for (const router of routers) ready.push(await router.ready(market))
  return ready
}

/** The ten large trades against their known optimum, without gas. */
async function measureTrades(lab: Lab) {
  const market = lab.ethereum.clean
  const ours = await lab.ours.ready(market)
  const routers = [
    ...CAPS.map((cap) => capLegs(ours, cap)),
    ...(await readyAll(rivalsOf(lab), market)),
  ]
  const gapOf = (i: number, trial: Trial | undefined) =>
    trial?.worth ? -bpsAbove(trial.worth.gross, lab.ethereum.trades[i]!.reference) : Infinity
  const trials: (readonly Trial[])[] = []
  for (const request of referenceRequests(lab.ethereum, { gwei: 0 })) {
    lab.log(`rivals: ${request.label}`)
    trials.push(await tryAll(routers, request))
  }
  const gaps = trials.map((row, i) => gapOf(i, row[1]))
  const sum = gaps.reduce((a, b) => a + b, 0)
  const within = gaps.filter((gap, i) => gap <= KNOWN_20[i]! * MAX_PART_OF_KNOWN + 1e-3).length
  const cell = (i: number, t: Trial) =>
    t.worth ? `${gapOf(i, t).toPrecision(3)} (${t.worth.legs})` : 'none'
  const table: Table = {
    title: 'bp below the reference optimum (legs), gas price 0',
    columns: ['trade', ...routers.map(({ name }) => name), 'best known ≤ 20'],
    rows: trials.map((row, i) => [
      ...[row[0]!.request.label, ...row.map((t) => cell(i, t)), KNOWN_20[i]!],
    ]),
  }
  return {
    ...{ sum, within, isReached: within === trials.length && sum <= MAX_SUM_BPS },
    tables: lab.hasPeers ? [table, calibrationTable(trials, gapOf)] : [table],
  }
}

function capLegs(router: ReadyRouter, maxLegs: number): ReadyRouter {
  const name = `${router.name} ${maxLegs === ANY_LEGS ? 'no cap' : `≤ ${maxLegs}`}`
  return { ...router, name, quote: (request) => router.quote({ ...request, maxLegs }) }
}

/** The adapter of Tines is right if it reproduces figures measured elsewhere. */
function calibrationTable(
  trials: readonly (readonly Trial[])[],
  gapOf: (i: number, trial: Trial | undefined) => number,
): Table {
  const compare = (i: number, name: string, known: number) => {
    const got = gapOf(
      i,
      trials[i]!.find(({ router }) => router === name),
    )
    return `${got.toPrecision(3)} / ${known} ${Math.abs(got / known - 1) <= 0.1 ? '✓' : '✗'}`
  }
  return {
    title: 'calibration: Tines here / measured elsewhere, bp (✓ within 10 %)',
    columns: ['trade', 'Tines (12)', 'Tines (100)'],
    rows: trials.map((row, i) => [
      row[0]!.request.label,
      compare(i, 'Tines (12)', KNOWN_TINES_12[i]!),
      compare(i, 'Tines (100)', KNOWN_TINES_100[i]!),
    ]),
  }
}

/**
 * Counts orders without a route that an exhaustive search finds, over all pools, scams included; not those for which the
 * best single path is beyond the end of the market.
 */
async function countMissed(lab: Lab) {
  const market = lab.ethereum.whole
  const ready = await lab.ours.ready(market)
  const paths = await singlePath.ready(market)
  const count = lab.isQuick ? 10 : 1_000
  let asked = 0
  let orders = 0
  for (const request of pairRequests(market, { count, seed: lab.seed + 24, gwei: 0 })) {
    for (const maxLegs of SEARCHED_HOPS) {
      const capped = { ...request, maxLegs }
      const { worth } = await tryOne(ready, capped)
      asked++
      if (worth || !isServable(market, request.order, maxLegs)) continue
      const { answer } = await tryOne(paths, capped)
      if (!answer || !isBeyondEnd(capped, answer.hops)) orders++
    }
  }
  return { asked, orders }
}
