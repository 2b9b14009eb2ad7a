import { bpsAbove } from '../evaluate.js'
import { tines } from '../peers/tines.js'
import { uniswap } from '../peers/uniswap.js'
import { ANY_LEGS } from '../request.js'
import { referenceRequests } from '../requests.js'
import { kyber } from '../routers/kyber.js'
import type { ReadyRouter } from '../routers/router.js'
import { singlePath } from '../routers/singlePath.js'
import { sqs } from '../routers/sqs.js'
import { waterFill } from '../routers/waterFill.js'
import { type Trial, tryAll } from '../trial.js'
import type { Goal, Lab, Measured } from './goal.js'

const CAPS = [12, 20, ANY_LEGS] as const
const MAX_SUM_BPS = 52
const PART_OF_KNOWN = 1.05

// Best known gaps with at most 20 legs, in bp below the reference optimum, per trade; and the gaps
// of Tines with 12 and 100 flows, measured elsewhere.
const KNOWN_20 = [3.65, 0.61, 12.6, 0.08, 0.58, 0.47, 3.53, 0.46, 0.48, 28.8]
const KNOWN_TINES_12 = [6.57, 2.67, 50.4, 6.3, 384, 36.6, 119, 210, 185, 258]
const KNOWN_TINES_100 = [4.26, 0.92, 12.4, 0.4, 15.5, 1.01, 19.8, 0.6, 6.8, 49.2]

/** G3: the ten large trades against their known optimum, without gas, at most 20 legs. */
export const absoluteQuality: Goal = {
  id: 'G3',
  title: 'absolute quality',
  target: 'ten trades, ≤ 20 legs: each ≤ best known × 1.05, sum ≤ 52 bp below the optimum',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const market = lab.ethereum.clean
  const ours = await lab.ours.ready(market)
  const peers = [singlePath, sqs, kyber, waterFill(20), waterFill(256)]
  if (lab.hasPeers) peers.push(tines(12), tines(100), uniswap)
  const ready: ReadyRouter[] = []
  for (const cap of CAPS) ready.push(cappedAt(ours, cap))
  for (const peer of peers) ready.push(await peer.ready(market))
  const requests = referenceRequests(lab.ethereum, { gwei: 0 })
  const repeats = lab.isQuick ? 1 : 3
  const trials: (readonly Trial[])[] = []
  for (const request of requests) {
    lab.log(`G3 ${request.label}`)
    trials.push(await tryAll(ready, request, { warmUps: 0, repeats }))
  }
  const gapOf = (i: number, trial: Trial | undefined) =>
    trial?.worth ? -bpsAbove(trial.worth.gross, lab.ethereum.trades[i]!.reference) : Infinity
  const gaps = trials.map((row, i) => gapOf(i, row[1]))
  const sum = gaps.reduce((a, b) => a + b, 0)
  const within = gaps.filter((gap, i) => gap <= KNOWN_20[i]! * PART_OF_KNOWN + 1e-3).length
  const cell = (i: number, t: Trial) =>
    t.worth ? `${gapOf(i, t).toPrecision(3)} (${t.worth.legs})` : 'none'
  const calibrations = lab.hasPeers ? [calibrationTable(trials, gapOf)] : []
  return {
    measured: `sum ${sum.toFixed(1)} bp, ${within} of 10 within 1.05 of the best known`,
    isReached: within === trials.length && sum <= MAX_SUM_BPS,
    figures: [{ name: 'sum bp', value: sum, better: 'low' }],
    tables: [
      {
        title: 'bp below the reference optimum (legs), gas price 0',
        columns: ['trade', ...ready.map(({ name }) => name), 'best known ≤ 20'],
        rows: trials.map((row, i) => [
          requests[i]!.label,
          ...row.map((t) => cell(i, t)),
          KNOWN_20[i]!,
        ]),
      },
      {
        title: 'milliseconds per quote on the same trades, fastest of the repeats',
        columns: ['trade', ...ready.map(({ name }) => name)],
        rows: trials.map((row, i) => [requests[i]!.label, ...row.map(({ ms }) => ms)]),
      },
      ...calibrations,
    ],
    charts: [gapChart(trials, gapOf)],
  }
}

function cappedAt(router: ReadyRouter, maxLegs: number): ReadyRouter {
  const name = `${router.name} ${maxLegs === ANY_LEGS ? 'no cap' : `≤ ${maxLegs}`}`
  return { ...router, name, quote: (request) => router.quote({ ...request, maxLegs }) }
}

/** The adapter of the peer is right if it reproduces figures measured elsewhere. */
function calibrationTable(
  trials: readonly (readonly Trial[])[],
  gapOf: (i: number, trial: Trial | undefined) => number,
) {
  const find = (row: readonly Trial[], name: string) => row.find(({ router }) => router === name)
  const compare = (got: number, known: number) =>
    `${got.toPrecision(3)} / ${known} ${Math.abs(got / known - 1) <= 0.1 ? '✓' : '✗'}`
  return {
    title: 'calibration: Tines here / measured elsewhere, bp (✓ within 10 %)',
    columns: ['trade', 'Tines (12)', 'Tines (100)'],
    rows: trials.map((row, i) => [
      row[0]!.request.label,
      compare(gapOf(i, find(row, 'Tines (12)')), KNOWN_TINES_12[i]!),
      compare(gapOf(i, find(row, 'Tines (100)')), KNOWN_TINES_100[i]!),
    ]),
  }
}

function gapChart(
  trials: readonly (readonly Trial[])[],
  gapOf: (i: number, trial: Trial | undefined) => number,
) {
  const values = trials.flatMap((row, i) =>
    row.map((t) => ({ trade: t.request.label, router: t.router, bp: gapOf(i, t) })),
  )
  return {
    name: 'absolute-quality',
    spec: {
      title: 'Ten large trades: bp below the optimum',
      data: { values: values.filter(({ bp }) => Number.isFinite(bp)) },
      mark: { type: 'point', filled: true, size: 50 },
      encoding: {
        y: { field: 'trade', type: 'nominal', title: null },
        x: { field: 'bp', type: 'quantitative', scale: { type: 'symlog', constant: 0.1 } },
        color: { field: 'router', type: 'nominal', title: null },
      },
    },
  }
}
