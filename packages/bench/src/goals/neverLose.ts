import type { Market } from '../market.js'
import { adversarialCases } from '../markets/adversarial.js'
import { loadRecorded } from '../markets/recorded.js'
import { tines } from '../peers/tines.js'
import { uniswap } from '../peers/uniswap.js'
import { ANY_LEGS, type Request } from '../request.js'
import { smallRequests, stratifiedRequests } from '../requests.js'
import { kyber } from '../routers/kyber.js'
import type { ReadyRouter, Router } from '../routers/router.js'
import { singlePath } from '../routers/singlePath.js'
import { sqs } from '../routers/sqs.js'
import { waterFill } from '../routers/waterFill.js'
import { type Duel, judge, neverLost, scoreTable } from '../score.js'
import { type Trial, tryAll, tryOne } from '../trial.js'
import { type Goal, type Lab, type Measured, once } from './goal.js'

const GWEI = 1
const WANTED = 0.995

/** G1: never a lower net output than any rival, with no more hops than the rival used. */
export const neverLose: Goal = {
  id: 'G1',
  title: 'never lose',
  target: 'net ≥ best single path on 100 %, ≥ each peer on ≥ 99.5 % of requests',
  measure,
}

/** The rivals, emulations first; packages only if they may be installed. */
function rivals(lab: Lab): readonly Router[] {
  const emulations = [singlePath, sqs, kyber, waterFill(20), waterFill(256)]
  return lab.hasPeers ? [...emulations, tines('auto'), tines(12), tines(100), uniswap] : emulations
}

/** All duels by the set of requests, and how many bounds were checked, for G1 and H5. */
export const allDuels = once(async (lab: Lab) => {
  const sets = requestSets(lab)
  const duelsBySet = new Map<string, readonly Duel[]>()
  const proofs = { checked: 0, failed: 0 }
  for (const [name, jobs] of sets) {
    const duels: Duel[] = []
    const ready = new Map<Market, { ours: ReadyRouter; peers: readonly ReadyRouter[] }>()
    for (const [i, { market, request }] of jobs.entries()) {
      if (i % 50 === 0) lab.log(`G1 ${name}: ${i} of ${jobs.length}`)
      const teams = ready.get(market) ?? (await readyTeams(lab, market))
      ready.set(market, teams)
      duels.push(...(await duel(teams, request, proofs)))
    }
    duelsBySet.set(name, duels)
  }
  return { duelsBySet, proofs }
})

/** The part of duels not lost, by peer. */
export function ratesOf(duels: readonly Duel[]) {
  const peers = [...new Set(duels.map(({ peer }) => peer))]
  return peers.map((peer) => ({ peer, rate: neverLost(duels.filter((d) => d.peer === peer)) }))
}

async function measure(lab: Lab): Promise<Measured> {
  const { duelsBySet, proofs } = await allDuels(lab)
  const all = [...duelsBySet.values()].flat()
  const rates = ratesOf(all)
  const isGood = ({ peer, rate }: (typeof rates)[number]) =>
    rate >= (peer === singlePath.name ? 1 : WANTED)
  const worst = rates.reduce((a, b) => (b.rate < a.rate ? b : a))
  const isComplete = lab.hasPeers
  return {
    measured: `${rates.length} peers, ${all.length} duels; least: ${(100 * worst.rate).toFixed(2)} % not lost to ${worst.peer}; bounds checked: ${proofs.checked}, not proved: ${proofs.failed}${isComplete ? '' : ' (npm peers left out)'}`,
    isReached: rates.every(isGood) && proofs.failed === 0 ? (isComplete ? true : undefined) : false,
    tables: [...[...duelsBySet].map(([name, duels]) => scoreTable(name, duels)), lossTable(all)],
    charts: [outcomeChart(all)],
    figures: rates.map(({ peer, rate }) => ({
      ...{ name: `not lost to ${peer} %`, value: 100 * rate, better: 'high' },
    })),
  }
}

type Job = { readonly market: Market; readonly request: Request }

function requestSets(lab: Lab): ReadonlyMap<string, readonly Job[]> {
  const market = lab.ethereum.clean
  const { seed } = lab
  const on = (requests: readonly Request[]) => requests.map((request) => ({ market, request }))
  const counts = lab.isQuick ? [20, 6, 1] : [200, 60, 10]
  return new Map<string, readonly Job[]>([
    ['stratified', on(stratifiedRequests(market, { count: counts[0]!, seed, gwei: GWEI }))],
    ['small trades', on(smallRequests(market, { count: counts[1]!, seed: seed + 1, gwei: GWEI }))],
    ['adversarial', adversarialCases(counts[2]!, seed + 2)],
    ...loadRecorded().map((recorded): readonly [string, readonly Job[]] => {
      const requests = stratifiedRequests(recorded, { count: counts[1]!, seed, gwei: GWEI })
      return [recorded.name, requests.map((request) => ({ market: recorded, request }))]
    }),
  ])
}

async function readyTeams(lab: Lab, market: Market) {
  const peers: ReadyRouter[] = []
  for (const router of rivals(lab)) peers.push(await router.ready(market))
  return { ours: await lab.ours.ready(market), peers }
}

async function duel(
  teams: { readonly ours: ReadyRouter; readonly peers: readonly ReadyRouter[] },
  request: Request,
  proofs: { checked: number; failed: number },
): Promise<readonly Duel[]> {
  const byCap = new Map<number, Trial>()
  const oursAt = async (maxLegs: number): Promise<Trial> => {
    const known = byCap.get(maxLegs) ?? (await tryOne(teams.ours, { ...request, maxLegs }))
    if (!byCap.has(maxLegs)) {
      proofs.checked += known.answer?.bound ? 1 : 0
      proofs.failed += known.isUnproved ? 1 : 0
    }
    byCap.set(maxLegs, known)
    return known
  }
  const free = await oursAt(ANY_LEGS)
  const trials = await tryAll(teams.peers, request)
  const duels: Duel[] = []
  for (const trial of trials) {
    const cap = trial.worth?.legs ?? ANY_LEGS
    const ours = (free.worth?.legs ?? 0) <= cap ? free : await oursAt(cap)
    duels.push({
      peer: trial.router,
      requestId: request.id,
      label: request.label,
      ...judge(ours.worth, trial.worth),
      ourLegs: ours.worth?.legs ?? 0,
      peerLegs: trial.worth?.legs ?? 0,
      peerMs: trial.ms,
    })
  }
  return duels
}

const LOSSES_SHOWN = 30

function lossTable(duels: readonly Duel[]) {
  const losses = duels.filter(({ outcome }) => outcome === 'loss')
  losses.sort((a, b) => (Number.isNaN(a.bps) ? -1 : Number.isNaN(b.bps) ? 1 : a.bps - b.bps))
  return {
    title: `worst losses (${losses.length} in all)`,
    columns: ['peer', 'request', 'label', 'bp', 'our legs', 'peer legs'],
    rows: losses
      .slice(0, LOSSES_SHOWN)
      .map((d) => [d.peer, d.requestId, d.label, d.bps, d.ourLegs, d.peerLegs]),
  }
}

function outcomeChart(duels: readonly Duel[]) {
  return {
    name: 'never-lose',
    spec: {
      title: 'Requests won, tied and lost against each peer',
      data: { values: duels.map(({ peer, outcome }) => ({ peer, outcome })) },
      mark: 'bar',
      encoding: {
        y: { field: 'peer', type: 'nominal', title: null },
        x: { aggregate: 'count', stack: 'normalize', title: 'share of requests' },
        color: {
          field: 'outcome',
          type: 'nominal',
          scale: { domain: ['win', 'tie', 'loss'], range: ['#2a7f62', '#c9c9c9', '#c0392b'] },
        },
      },
    },
  }
}
