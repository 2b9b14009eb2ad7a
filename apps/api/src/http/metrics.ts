import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Discovery, LiveMarket, MarketCounts } from '../market/liveMarket.js'
import type { Suspensions } from '../quoting/suspensions.js'
import { close, createHttpServer, listen, urlOf } from './httpServer.js'
import { addGauge, type InRegistry } from './readers.js'

/** The metrics of the API, for Prometheus. */
export type Metrics = {
  readonly registry: Registry
  /** By route, status and code. */
  readonly requestSeconds: Histogram<'route' | 'status' | 'code'>
  /** By the id of the key, never the key itself. */
  readonly requests: Counter<'key'>
  readonly limited: Counter<'key'>
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
  /** By outcome compared with the quote: `equal`, `more`, `less`, `reverted`, `failed`, `not_run`. */
  readonly simulations: Counter<'outcome'>
  /** Estimates of swaps that their sender can pay, by outcome: `passes`, `reverts`, `not_answered`. */
  readonly estimates: Counter<'outcome'>
  /** Swaps that the node says would revert, by what is to blame: `pool`, `none`, or `unknown`. */
  readonly revertedSwaps: Counter<'blamed'>
  /** Streams ended because their reader left too much unread. */
  readonly slowStreams: Counter
  /** Adds the number of open streams. */
  readonly streams: (count: () => number) => void
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const GAP = 'Most that a better route could add, in basis points'
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
  const pools = () => market.current()?.graph.pools.length
  gauge('braid_state_pools', 'Pools in the current market state', pools)
  const count = (name: string, help: string, of: keyof MarketCounts) =>
    gauge(`braid_${name}`, help, () => market.counts?.()[of])
  count('swept_pools', 'Pools re-read to check the state derived from logs', 'sweptPools')
  count('drifted_pools', 'Pools whose derived state differed from the chain', 'driftedPools')
  const stoodS = () => (market.trouble?.()?.lastsMs ?? 0) / 1_000
  gauge('braid_market_trouble_seconds', 'Seconds for which the market has not advanced', stoodS)
  count('failed_rounds', 'Update rounds that failed', 'failedRounds')
  gauge('braid_nodes_disagree', '1 while the RPC nodes disagree on a block', () => {
    return market.disagreement ? Number(market.disagreement() !== undefined) : undefined
  })
  addDiscovery(registry, market)
  addVenues(registry, market)
  addShares(registry, market)
  const histogram = <L extends string>(
    name: string,
    help: string,
    { labelNames, buckets }: { readonly labelNames: readonly L[]; readonly buckets: number[] },
  ) => new Histogram<L>({ name, help, registers, buckets, labelNames: [...labelNames] })
  const counter = <L extends string>(name: string, help: string, label: L) =>
    new Counter<L>({ name, help, registers, labelNames: [label] })
  return {
    registry,
    requestSeconds: histogram('braid_request_duration_seconds', 'Time to answer', {
      ...{ labelNames: ['route', 'status', 'code'], buckets: SECONDS },
    }),
    requests: counter('braid_requests_total', 'Requests with a valid key', 'key'),
    limited: counter('braid_limited_total', 'Requests refused by the rate limit of a key', 'key'),
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
    shed: counter('braid_shed_total', 'Requests with a valid key refused by load', 'reason'),
    simulations: counter('braid_simulations_total', 'Simulations by outcome', 'outcome'),
    estimates: counter(
      'braid_swap_estimates_total',
      'Estimates of swaps that can be paid, by outcome',
      'outcome',
    ),
    revertedSwaps: counter(
      'braid_swap_faults_total',
      'Swaps that would revert, by what is blamed',
      'blamed',
    ),
    slowStreams: new Counter({
      ...{ name: 'braid_streams_slow_total', registers },
      help: 'Streams ended because their reader left too much unread',
    }),
    streams: (count) => void gauge('braid_streams', 'Open streams of quotes', count),
  }
}

/** Adds the progress of the search for pools. */
function addDiscovery(registry: Registry, { discovery }: LiveMarket): void {
  if (!discovery) return
  const registers = [registry]
  const gauges: readonly [string, string, (now: Discovery) => number | bigint | undefined][] = [
    ['venues', 'Venues that are searched for pools', ({ venues }) => venues],
    ['venues_done', 'Venues searched completely', ({ venuesDone }) => venuesDone],
    ['blocks_searched', 'Blocks searched for pools', (now) => now.blocksSearched],
    ['blocks_left', 'Blocks left to search', ({ blocksLeft }) => blocksLeft],
    ['seconds_left', 'Seconds left at the average pace', ({ msLeft }) => msLeft && msLeft / 1_000],
    ['pools_found', 'Pools found in all venues', ({ poolsFound }) => poolsFound],
  ]
  for (const [name, help, read] of gauges) {
    addGauge({ registry }, `braid_discovery_${name}`, help, () => {
      const value = read(discovery())
      return value === undefined ? undefined : Number(value)
    })
  }
  new Gauge({
    ...{ name: 'braid_prices_compared', registers },
    help: '1: sampled pools were compared with an order book; 0: no book answers. Absent: guard off',
    collect() {
      const { pricesCompared } = discovery()
      if (pricesCompared === undefined) this.remove()
      else this.set(pricesCompared ? 1 : 0)
    },
  })
  new Gauge({
    ...{ name: 'braid_chain_swaps', help: 'Swaps on the chain, by their pool', registers },
    labelNames: ['pool'],
    collect() {
      this.reset()
      for (const [pool, count] of Object.entries(discovery().swaps ?? {})) this.set({ pool }, count)
    },
  })
  new Gauge({
    ...{ name: 'braid_pools_set_aside', help: 'Pools that are not served, by reason', registers },
    labelNames: ['reason'],
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(discovery().setAside))
        this.set({ reason }, count)
    },
  })
}

/** Adds the states of venues on trial, without those that have no pool to be asked. */
function addVenues(registry: Registry, { venues }: LiveMarket): void {
  if (!venues) return
  new Gauge({
    ...{ name: 'braid_venue_state', help: '1: the venue is in this state', registers: [registry] },
    labelNames: ['venue', 'state'],
    collect() {
      this.reset()
      for (const { venue, state, since, reason } of venues()) {
        if (since !== undefined || reason !== undefined) this.set({ venue, state }, 1)
      }
    },
  })
}

/** Adds the known pools of venues by whether they are served, and what they hold. */
function addShares(registry: Registry, { shares }: LiveMarket): void {
  if (!shares) return
  const registers = [registry]
  new Gauge({
    ...{ name: 'braid_venue_pools', registers, labelNames: ['venue', 'outcome'] },
    help: 'Known pools of a venue: served, or the reason why not',
    collect() {
      this.reset()
      for (const { venue, served, refused } of shares()) {
        this.set({ venue, outcome: 'served' }, served)
        for (const [outcome, count] of Object.entries(refused)) this.set({ venue, outcome }, count)
      }
    },
  })
  new Gauge({
    ...{ name: 'braid_venue_refused', registers, labelNames: ['venue'] },
    help: '1 for a venue of which no pool is served although one could be',
    collect() {
      this.reset()
      for (const { venue, isRefused } of shares()) if (isRefused) this.set({ venue }, 1)
    },
  })
  new Gauge({
    ...{ name: 'braid_venue_held_native', registers, labelNames: ['venue', 'outcome'] },
    help: 'What pools of a venue hold, in native tokens: in those served, and in all',
    collect() {
      this.reset()
      for (const { venue, held } of shares()) {
        if (!held) continue
        this.set({ venue, outcome: 'served' }, held.served / 1e18)
        this.set({ venue, outcome: 'all' }, held.all / 1e18)
      }
    },
  })
}

/** Adds the requests that wait for their turn or are under way. */
export function addAdmissionMetrics(
  metrics: InRegistry,
  { waiting, total }: Readonly<Record<'waiting' | 'total', () => number>>,
): void {
  addGauge(metrics, 'braid_queue_length', 'Requests that wait for their turn', waiting)
  addGauge(metrics, 'braid_requests_in_progress', 'Requests that wait or are under way', total)
}

/** Adds the pools and tokens that are left out because a swap failed there. */
export function addSuspensionMetrics(
  metrics: InRegistry,
  { current }: Pick<Suspensions, 'current'>,
): void {
  const help = 'Pools and tokens left out for minutes because a swap failed there'
  addGauge(metrics, 'braid_suspensions', help, () => current().size)
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
