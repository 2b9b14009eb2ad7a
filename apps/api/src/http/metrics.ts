import type { Ledger } from '@braid-swap/chain'
import { Counter, Histogram, Registry } from 'prom-client'
import type { ApiError } from '../errors.js'
import type { LiveMarket } from '../market/liveMarket.js'
import { close, createHttpServer, listen, urlOf } from './httpServer.js'
import { addGauge, addSeries, type InRegistry } from './readers.js'

/** The metrics of the API, for Prometheus. */
export type Metrics = {
  readonly registry: Registry
  /** By route, status and code. */
  readonly requestSeconds: Histogram<'route' | 'status' | 'code'>
  /** By the id of the key, never the key itself, and whether its limits allowed it. */
  readonly requests: Counter<'key' | 'outcome'>
  /** Requests that are not valid HTTP, or not complete in time. */
  readonly malformed: Counter<'code'>
  readonly solveSeconds: Histogram<'endpoint'>
  /** Distance of the answer to the solver's upper bound. */
  readonly gapBps: Histogram
  /** Answers above their own bound: the bound is wrong and the gap unknown. */
  readonly boundExceeded: Counter
  /** Time from the arrival of a request to its turn. */
  readonly queueSeconds: Histogram
  /** Requests refused by load: `full`, `displaced`, `deadline`, or `gone` if the client left. */
  readonly shed: Counter<'reason'>
  /** What sampled answers pay less than quoted some blocks later; 10,000 if they revert. By venue of the route, or `all`. */
  readonly sampleBps: Histogram<'age' | 'venue'>
  /** By outcome compared with the quote: `equal`, `more`, `less`, `reverted`, `failed`, `not_run`. */
  readonly simulations: Counter<'outcome'>
  /**
   * Swaps that their sender can pay, by what the node says: `passes`, `reverts`, `not_answered`. Of some that revert
   * is also counted what is to blame: `blamed_pool`, `blamed_none`, `blamed_unknown`.
   */
  readonly estimates: Counter<'outcome'>
  /** Adds the number of open streams. */
  readonly streams: (count: () => number) => void
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const GAP = 'Most that a better route could add, in basis points'
const SAMPLES = 'What sampled answers pay less than quoted some blocks later; all, if they revert'
const BPS = [0, 0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 500]

/** Creates the metrics in a new registry. Gauges read the market when Prometheus scrapes them. */
export function createMetrics(market: LiveMarket, now: () => number): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    addGauge({ registry }, name, help, read)
  gauge('braid_state_age_seconds', 'Seconds since the last new head was received', () => {
    const state = market.current()
    return state ? Math.max(0, now() - state.receivedAtMs) / 1_000 : undefined
  })
  gauge('braid_state_block_number', 'Block of the current market state', () => {
    const state = market.current()
    return state ? Number(state.graph.snapshot.block.number) : undefined
  })
  addMarket({ registry }, market)
  const histogram = <L extends string>(
    name: string,
    help: string,
    { labelNames, buckets }: { readonly labelNames: readonly L[]; readonly buckets: number[] },
  ) => new Histogram<L>({ name, help, registers, buckets, labelNames: [...labelNames] })
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter<L>({ name, help, registers, labelNames })
  // A counter that begins with its first fault has no rate, so no alert would tell of that.
  const known = <L extends string>(of: Counter<L>, label: L, ...values: readonly string[]) => {
    for (const value of values) of.inc({ [label]: value } as Record<L, string>, 0)
    return of
  }
  return {
    registry,
    requestSeconds: histogram('braid_request_duration_seconds', 'Time to answer', {
      ...{ labelNames: ['route', 'status', 'code'], buckets: SECONDS },
    }),
    requests: counter('braid_requests_total', 'Requests with a valid key', 'key', 'outcome'),
    malformed: counter(
      'braid_malformed_requests_total',
      'Requests that are not valid HTTP, or not complete in time',
      'code',
    ),
    solveSeconds: histogram('braid_solve_duration_seconds', 'Time to find a route', {
      ...{ labelNames: ['endpoint'], buckets: SECONDS },
    }),
    gapBps: histogram('braid_optimality_gap_bps', GAP, { labelNames: [], buckets: BPS }),
    boundExceeded: new Counter({
      ...{ name: 'braid_bound_exceeded_total', registers },
      help: 'Answers above their own bound, whose gap is unknown',
    }),
    queueSeconds: histogram('braid_queue_seconds', 'Time that a request waited for its turn', {
      ...{ labelNames: [], buckets: SECONDS },
    }),
    shed: known(
      counter('braid_shed_total', 'Requests with a valid key refused by load', 'reason'),
      ...(['reason', 'full', 'displaced', 'deadline', 'gone'] as const),
    ),
    sampleBps: histogram('braid_sample_gap_bps', SAMPLES, {
      ...{ labelNames: ['age', 'venue'], buckets: BPS },
    }),
    simulations: known(
      counter('braid_simulations_total', 'Simulations by outcome', 'outcome'),
      ...(['outcome', 'less', 'reverted'] as const),
    ),
    estimates: known(
      counter('braid_swap_estimates_total', 'Estimates of swaps that can be paid', 'outcome'),
      ...(['outcome', 'passes', 'reverts'] as const),
    ),
    streams: (count) => void gauge('braid_streams', 'Open streams of quotes', count),
  }
}

/** Adds what the followed market counts: pools by what became of them, venues, swaps of the chain, audits. */
function addMarket(metrics: InRegistry, market: LiveMarket): void {
  const labels = ['venue', 'outcome']
  const pools = 'Known pools of a venue: served, or the reason why not'
  addSeries(metrics, { name: 'braid_pools', help: pools, labels }, () =>
    (market.shares?.() ?? []).flatMap(({ venue, served, refused }) =>
      Object.entries({ served, ...refused }).map(
        ([outcome, count]) => [{ venue, outcome }, count] as const,
      ),
    ),
  )
  const help = '1: the venue is in this state; refused: none of its pools is served'
  addSeries(metrics, { name: 'braid_venue_state', help, labels: ['venue', 'state'] }, () => [
    ...(market.venues?.() ?? [])
      // One that has no pool to be asked is in no state yet.
      .filter(({ since, reason }) => since !== undefined || reason !== undefined)
      .map(({ venue, state }) => [{ venue, state: `${state}` }, 1] as const),
    ...(market.shares?.() ?? [])
      .filter(({ isRefused }) => isRefused)
      .map(({ venue }) => [{ venue, state: 'refused' }, 1] as const),
  ])
  const swaps = { name: 'braid_chain_swaps', help: 'Swaps on the chain, by their pool' }
  addSeries(metrics, { ...swaps, labels: ['pool'] }, () =>
    Object.entries(market.discovery?.().swaps ?? {}).map(([pool, n]) => [{ pool }, n] as const),
  )
  const audits = { name: 'braid_audited_pools', help: 'Pools read again to check what logs say' }
  addSeries(metrics, { ...audits, labels: ['result'] }, () => {
    const counts = market.counts?.()
    if (!counts) return []
    const { sweptPools, driftedPools } = counts
    return [
      [{ result: 'same' }, sweptPools - driftedPools] as const,
      [{ result: 'drifted' }, driftedPools] as const,
    ]
  })
}

/**
 * Adds whether this process answers, and the code of the reason if it does not: what `/readyz` says.
 */
export function addReadyMetric(metrics: InRegistry, why: () => ApiError | undefined): void {
  const help = '1 while quotes and swaps are answered; else 0, with the code of the reason'
  addSeries(metrics, { name: 'braid_ready', help, labels: ['reason'] }, () => {
    const fault = why()
    return [[{ reason: fault?.code ?? '' }, Number(!fault)] as const]
  })
}

/** Adds the requests that wait for their turn. */
export function addAdmissionMetrics(
  metrics: InRegistry,
  { waiting }: { readonly waiting: () => number },
): void {
  addGauge(metrics, 'braid_queue_length', 'Requests that wait for their turn', waiting)
}

/** Adds the pools and tokens that are left out because a swap failed there. */
export function addSuspensionMetrics(
  metrics: InRegistry,
  { current }: Pick<Ledger, 'current'>,
): void {
  const help = 'Pools and tokens left out for minutes because a swap failed there'
  addGauge(metrics, 'braid_suspensions', help, () => {
    return [...current().values()].filter(({ isActedOn }) => isActedOn).length
  })
}

const HEALTHY = JSON.stringify({ status: 'ok' })

/** Serves `/metrics` and `/healthz` on a separate port, which callers need not reach, if one is set. */
export async function serveMetrics(
  registry: Registry,
  { host, port }: { readonly host: string; readonly port: number | undefined },
): Promise<{ readonly url: string; readonly stop: () => Promise<void> } | undefined> {
  if (port === undefined) return undefined
  const server = createHttpServer(async (request, response) => {
    // Connections to the API's own port may queue; a probe here waits behind none of them.
    if (request.url === '/healthz') {
      return response.writeHead(200, { 'content-type': 'application/json' }).end(HEALTHY)
    }
    if (request.url !== '/metrics') return response.writeHead(404).end()
    const text = await registry.metrics()
    return response.writeHead(200, { 'content-type': registry.contentType }).end(text)
  })
  const url = `${urlOf(await listen(server, { host, port }))}/metrics`
  return { url, stop: () => close(server) }
}
