/** The goals of quotes over HTTP, judged from measured rows: the same report as that of the solver. */
import type { Figure, Finding, Table } from '../goals/goal.js'
import { percentile } from '../stats.js'
import { type Measured, type Row, rowOf, solverRow } from './rows.js'

const [RATE, P99_TO_P50, P99_TO_IDEAL, BLOCKS, HEALTH_MS, POLITE] = [0.8, 3, 1.5, 1.3, 100, 0.95]

/** One process: its rate as a part of the solver's own. */
export function rateFinding(measured: readonly Measured[]): Finding {
  const alone = solverRow(measured.flatMap(({ solved }) => solved))
  const rows = measured.map(rowOf)
  const busy = rows.filter(({ blocks }) => !blocks).slice(1)
  const shares = busy.map(({ cpuShare }) => cpuShare)
  const least = Math.min(...shares)
  const rates = busy.map(({ rateShare }) => rateShare)
  return finding('N1', 'rate', {
    target: `≥ ${RATE} of the solver's own rate on the same orders, from 4 connections`,
    measured: `${least.toFixed(2)} to ${Math.max(...shares).toFixed(2)} by the processor, ${Math.min(...rates).toFixed(2)} to ${Math.max(...rates).toFixed(2)} by the clock; the solver alone ${alone.perSecond.toFixed(0)}/s, p50 ${ms(alone.p50Ms)}, p99 ${ms(alone.p99Ms)}`,
    isReached: least >= RATE,
    tables: [tableOf('one process, by connections', rows)],
    figures: [
      { name: 'processor share', value: least, better: 'high' },
      { name: 'processor ms', value: busy[0]!.cpuMs, better: 'low' },
      { name: 'solver processor ms', value: alone.cpuMs, better: 'low' },
    ],
  })
}

/** Times at half of the capacity, and what blocks add. Rows: all orders, then small ones alone. */
export function halfFindings(measured: readonly Measured[]): readonly Finding[] {
  const rows = measured.map(rowOf)
  const [all, allBlocks, small, smallBlocks, even] = rows as [Row, Row, Row, Row, Row, Row]
  const spread = (row: Row) => row.p99Ms / row.p50Ms
  const toIdeal = (row: Row) => row.p99Ms / row.ideal!.p99Ms
  const added = allBlocks.p99Ms / all.p99Ms
  const smallAdded = smallBlocks.p99Ms / small.p99Ms
  const half = finding('N2', 'half of the capacity', {
    target: `p99 ≤ ${P99_TO_P50} × p50 at a constant rate`,
    measured: `p99 ${spread(even).toFixed(2)} × p50; all turns together ${(even.pooledP99Ms / even.p50Ms).toFixed(2)} × p50`,
    isReached: spread(even) <= P99_TO_P50,
    tables: [tableOf('arrivals at half of the capacity', rows), queuesTable([all, small, even])],
    figures: [{ name: 'p99 to p50, constant rate', value: spread(even), better: 'low' }],
  })
  const random = finding('N7', 'random arrivals', {
    target: `at half of the capacity, p99 ≤ ${P99_TO_IDEAL} × the p99 of a queue before the solver alone`,
    measured: `${toIdeal(all).toFixed(2)} × the queue's, ${spread(all).toFixed(1)} × p50; small orders ${toIdeal(small).toFixed(2)} × the queue's, ${spread(small).toFixed(1)} × p50`,
    isReached: [all, small].every((row) => toIdeal(row) <= P99_TO_IDEAL),
    tables: [],
    figures: [
      { name: 'p99 to p50', value: spread(all), better: 'low' },
      { name: 'p99 to the ideal queue', value: toIdeal(all), better: 'low' },
      { name: 'p99 to p50, small orders', value: spread(small), better: 'low' },
      { name: 'p99 to the ideal queue, small orders', value: toIdeal(small), better: 'low' },
    ],
  })
  const blocks = finding('N3', 'blocks', {
    target: `a block a second raises p99 by ≤ ${BLOCKS} ×, the same requests at the same times`,
    measured: `all orders × ${added.toFixed(2)}, small ones × ${smallAdded.toFixed(2)}`,
    isReached: added <= BLOCKS && smallAdded <= BLOCKS,
    tables: [],
    figures: [
      { name: 'p99 with blocks', value: added, better: 'low' },
      { name: 'p99 with blocks, small orders', value: smallAdded, better: 'low' },
    ],
  })
  return [half, random, blocks]
}

/** `/healthz` beside a crowd, and a polite client among others. */
export function crowdFindings(
  health: readonly number[],
  polite: { readonly share: number; readonly p99Ms: number; readonly asked: number },
): readonly Finding[] {
  const [p50, p99, most] = [percentile(health, 0.5), percentile(health, 0.99), Math.max(...health)]
  return [
    finding('N4', 'health', {
      target: `a fresh /healthz within ${HEALTH_MS} ms beside 256 connections of quotes (p99)`,
      measured: `p50 ${ms(p50)}, p99 ${ms(p99)}, most ${ms(most)} of ${health.length}`,
      isReached: p99 <= HEALTH_MS,
      tables: [],
      figures: [{ name: 'p99 ms', value: p99, better: 'low' }],
    }),
    finding('N5', 'a polite key', {
      target: `≥ ${100 * POLITE} % of its answers beside 256 keyless connections and a flooding key`,
      measured: `${(100 * polite.share).toFixed(1)} % of ${polite.asked}, p99 ${ms(polite.p99Ms)}`,
      isReached: polite.share >= POLITE,
      tables: [],
      figures: [
        { name: 'share', value: polite.share, better: 'high' },
        { name: 'p99 ms', value: polite.p99Ms, better: 'low' },
      ],
    }),
  ]
}

/** Several processes. There is no target: what two cores give depends on what else runs on them. */
export function processesFinding(measured: readonly Measured[]): Finding {
  const rows = measured.map(rowOf)
  const most = rows.reduce((best, row) => (row.perSecond > best.perSecond ? row : best))
  return finding('N6', 'processes', {
    target: 'the curve of 1, 2 and 4 workers, and of 1, 2 and 4 processes through Redis',
    measured: `at most ${most.perSecond.toFixed(0)}/s with ${most.load}`,
    isReached: undefined,
    tables: [tableOf('64 connections over all processes', rows)],
    figures: rows.flatMap((row): Figure[] => [
      { name: `${nameOf(row)} processor ms`, value: row.cpuMs, better: 'low' },
    ]),
  })
}

function nameOf({ load, blocks }: Row): string {
  return blocks ? `${load}, blocks` : load
}

/** A table of rows. */
export function tableOf(title: string, rows: readonly Row[]): Table {
  const columns = ['load', 'blocks', 'quotes/s', 'rate', 'processor', 'processor ms']
  const times = ['p50 ms', 'p99 ms', 'p99 / p50', 'all p99 ms', 'queue p50 ms', 'queue p99 ms']
  return {
    title: `${title}; rate and processor as parts of the solver alone on the same orders`,
    columns: [...columns, ...times],
    rows: rows.map((row) => [
      ...[row.load, row.blocks ? 'every second' : 'none', row.perSecond],
      ...[row.rateShare, row.cpuShare, row.cpuMs, row.p50Ms, row.p99Ms, row.p99Ms / row.p50Ms],
      row.pooledP99Ms,
      ...[row.ideal?.p50Ms ?? Number.NaN, row.ideal?.p99Ms ?? Number.NaN],
    ]),
  }
}

/** What the arrivals and the orders alone make of the times, behind one server and behind more. */
function queuesTable(rows: readonly Row[]): Table {
  return {
    title: 'queues without any cost before the solver alone, each at half of its capacity',
    columns: ['load', 'orders', 'servers of one queue', 'p50 ms', 'p99 ms', 'p99 / p50'],
    rows: rows.flatMap(({ load, queues = [] }) =>
      queues.map(({ isEqual, servers, p50Ms, p99Ms }) => [
        ...[load, isEqual ? 'as if all took equally long' : 'as they are', servers],
        ...[p50Ms, p99Ms, p99Ms / p50Ms],
      ]),
    ),
  }
}

type Judged = Pick<Finding, 'target' | 'measured' | 'tables' | 'figures'> & {
  readonly isReached: boolean | undefined
}

function finding(id: string, title: string, { isReached, ...judged }: Judged): Finding {
  const verdict = isReached === undefined ? 'not measured' : isReached ? 'reached' : 'missed'
  return { id, title, ...judged, verdict, charts: [] }
}

function ms(value: number): string {
  return `${value.toPrecision(3)} ms`
}
