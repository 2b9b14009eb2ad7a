/**
 * Our route against each rival's. Input: a request. Output: one duel for each rival, ours with no more
 * hops than that rival used.
 */
import { compareNets, type Evaluation, isBeyondEnd } from '../evaluate.js'
import { ANY_LEGS, type Request } from '../request.js'
import type { ReadyRouter } from '../routers/router.js'
import { bootstrapMean, mean, percentile, percentilesOf } from '../stats.js'
import type { Table } from './goal.js'
import { type Trial, tryAll, tryOne } from './trial.js'

/** Our result against one rival's on one request. */
export type Duel = {
  readonly rival: string
  readonly requestId: string
  readonly label: string
  /** An order that we refuse as the rival's own route is beyond the end of the market is neither won nor lost. */
  readonly outcome: 'win' | 'tie' | 'loss' | 'refused'
  /**
   * Our net minus the rival's, in basis points of the larger gross output; NaN without two routes.
   */
  readonly bps: number
  readonly ourLegs: number
  readonly rivalLegs: number
  readonly rivalMs: number
}

/** Runs one request on all routers and judges ours against each rival. */
export async function duel(
  teams: { readonly ours: ReadyRouter; readonly rivals: readonly ReadyRouter[] },
  request: Request,
): Promise<readonly Duel[]> {
  const byCap = new Map<number, Trial>()
  const oursAt = async (maxLegs: number): Promise<Trial> => {
    const trial = byCap.get(maxLegs) ?? (await tryOne(teams.ours, { ...request, maxLegs }))
    byCap.set(maxLegs, trial)
    return trial
  }
  const free = await oursAt(ANY_LEGS)
  const duels: Duel[] = []
  for (const { router, worth, ms, answer } of await tryAll(teams.rivals, request)) {
    const cap = worth?.legs ?? ANY_LEGS
    const ours = (free.worth?.legs ?? 0) <= cap ? free : await oursAt(cap)
    const isRefused = !free.worth && worth && isBeyondEnd(request, answer!.hops)
    duels.push({
      rival: router,
      requestId: request.id,
      label: request.label,
      ...(isRefused ? { outcome: 'refused', bps: Number.NaN } : judge(ours.worth, worth)),
      ourLegs: ours.worth?.legs ?? 0,
      rivalLegs: worth?.legs ?? 0,
      rivalMs: ms,
    })
  }
  return duels
}

/** Decides a duel; a router without an executable route loses to one that has one. */
export function judge(
  ours: Evaluation | undefined,
  theirs: Evaluation | undefined,
): Pick<Duel, 'outcome' | 'bps'> {
  if (!ours || !theirs) {
    return { outcome: ours ? 'win' : theirs ? 'loss' : 'tie', bps: Number.NaN }
  }
  const scale = Math.max(Number(ours.gross), Number(theirs.gross))
  return {
    outcome: compareNets(ours.net, theirs.net),
    bps: (Number(ours.net - theirs.net) / scale) * 10_000,
  }
}

/** The part of the duels with each rival that is not lost, 0 to 1. */
export function notLostByRival(
  duels: readonly Duel[],
): readonly { readonly rival: string; readonly part: number }[] {
  return byRival(duels).map(([rival, own]) => ({ rival, part: notLost(own) }))
}

function byRival(duels: readonly Duel[]): readonly (readonly [string, readonly Duel[]])[] {
  const names = [...new Set(duels.map(({ rival }) => rival))]
  return names.map((name) => [name, duels.filter(({ rival }) => rival === name)])
}

function notLost(duels: readonly Duel[]): number {
  return duels.filter(({ outcome }) => outcome !== 'loss').length / Math.max(1, duels.length)
}

/** One row for each rival: wins, ties, losses, refused orders, basis points and the rival's own latency. */
export function scoreTable(title: string, duels: readonly Duel[]): Table {
  return {
    title,
    columns: [
      ...['rival', 'requests', 'wins', 'ties', 'losses', 'refused', 'not lost %', 'median bp'],
      'mean bp',
      ...['95 % CI', 'worst bp', 'rival p50 ms', 'p95', 'p99'],
    ],
    rows: byRival(duels).map(([rival, own]) => scoreRow(rival, own)),
  }
}

function scoreRow(rival: string, duels: readonly Duel[]): readonly (string | number)[] {
  const count = (outcome: Duel['outcome']) => duels.filter((d) => d.outcome === outcome).length
  const bps = duels.map((duel) => duel.bps).filter((value) => !Number.isNaN(value))
  const [low, high] = bootstrapMean(bps)
  const latency = percentilesOf(duels.map(({ rivalMs }) => rivalMs))
  return [
    ...[rival, duels.length, count('win'), count('tie'), count('loss'), count('refused')],
    100 * notLost(duels),
    ...[percentile(bps, 0.5), mean(bps), `${low.toPrecision(3)} … ${high.toPrecision(3)}`],
    ...[Math.min(...bps), latency.p50, latency.p95, latency.p99],
  ]
}

const MAX_LOSSES_SHOWN = 30

/** The worst losses of all. */
export function lossTable(duels: readonly Duel[]): Table {
  // A loss without a route of ours has no basis points and comes first.
  const rank = ({ bps }: Duel) => (Number.isNaN(bps) ? Number.NEGATIVE_INFINITY : bps)
  const losses = duels.filter(({ outcome }) => outcome === 'loss')
  losses.sort((a, b) => rank(a) - rank(b))
  return {
    title: `worst losses (${losses.length} in all)`,
    columns: ['rival', 'request', 'label', 'bp', 'our legs', 'rival legs'],
    rows: losses
      .slice(0, MAX_LOSSES_SHOWN)
      .map((d) => [d.rival, d.requestId, d.label, d.bps, d.ourLegs, d.rivalLegs]),
  }
}
