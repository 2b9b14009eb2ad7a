import { compareNets, type Evaluation } from './evaluate.js'
import type { Table } from './goals/goal.js'
import { bootstrapMean, mean, percentile, percentilesOf } from './stats.js'

/** Our result against one peer's on one request. */
export type Duel = {
  readonly peer: string
  readonly requestId: string
  readonly label: string
  readonly outcome: 'win' | 'tie' | 'loss'
  /**
   * Our net minus the peer's, in basis points of the larger gross output; NaN without two routes.
   */
  readonly bps: number
  readonly ourLegs: number
  readonly peerLegs: number
  readonly peerMs: number
}

/** Decides a duel; a router without an executable route loses to one that has one. */
export function judge(
  ours: Evaluation | undefined,
  theirs: Evaluation | undefined,
): { readonly outcome: Duel['outcome']; readonly bps: number } {
  if (!ours || !theirs) {
    return { outcome: ours ? 'win' : theirs ? 'loss' : 'tie', bps: Number.NaN }
  }
  const scale = Math.max(Number(ours.gross), Number(theirs.gross))
  return {
    outcome: compareNets(ours.net, theirs.net),
    bps: (Number(ours.net - theirs.net) / scale) * 10_000,
  }
}

/** The part of duels not lost, 0 to 1. */
export function neverLost(duels: readonly Duel[]): number {
  return duels.filter(({ outcome }) => outcome !== 'loss').length / Math.max(1, duels.length)
}

/** One row per peer: wins, ties, losses, basis points and the peer's own latency. */
export function scoreTable(title: string, duels: readonly Duel[]): Table {
  const peers = [...new Set(duels.map(({ peer }) => peer))]
  return {
    title,
    columns: [
      'peer',
      'requests',
      'wins',
      'ties',
      'losses',
      'not lost %',
      'median bp',
      'mean bp',
      '95 % CI',
      'worst bp',
      'peer p50 ms',
      'p95',
      'p99',
    ],
    rows: peers.map((peer) =>
      scoreRow(
        peer,
        duels.filter((duel) => duel.peer === peer),
      ),
    ),
  }
}

function scoreRow(peer: string, duels: readonly Duel[]): readonly (string | number)[] {
  const count = (outcome: Duel['outcome']) => duels.filter((d) => d.outcome === outcome).length
  const bps = duels.map((duel) => duel.bps).filter((value) => !Number.isNaN(value))
  const [low, high] = bootstrapMean(bps)
  const latency = percentilesOf(duels.map(({ peerMs }) => peerMs))
  return [
    peer,
    duels.length,
    count('win'),
    count('tie'),
    count('loss'),
    100 * neverLost(duels),
    percentile(bps, 0.5),
    mean(bps),
    `${low.toPrecision(3)} … ${high.toPrecision(3)}`,
    Math.min(...bps),
    latency.p50,
    latency.p95,
    latency.p99,
  ]
}
