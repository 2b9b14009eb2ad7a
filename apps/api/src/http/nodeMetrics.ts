import type { EndpointHealth } from '@braid-swap/chain'
import { Counter } from 'prom-client'
import { addSeries, type InRegistry } from './readers.js'

/**
 * Adds the health of each RPC endpoint, by its index in the list of URLs. The URLs themselves do not
 * appear, because they may contain keys.
 */
export function addNodeMetrics(
  metrics: InRegistry,
  readHealth: () => readonly EndpointHealth[],
): void {
  new Counter({
    ...{ name: 'braid_rpc_requests_total', registers: [metrics.registry] },
    help: 'Requests; each of a batch counts. failed: lost, late, malformed, busy; limited: HTTP 429 and its like',
    labelNames: ['endpoint', 'outcome'],
    collect() {
      this.reset()
      for (const { index, requests, failures, limited } of readHealth()) {
        const outcomes = { answered: requests - failures, failed: failures - limited, limited }
        for (const [outcome, count] of Object.entries(outcomes))
          this.inc({ endpoint: `${index}`, outcome }, Math.max(0, count))
      }
    },
  })
  const help = '0 while the endpoint cools down'
  addSeries(metrics, { name: 'braid_rpc_healthy', help, labels: ['endpoint'] }, () =>
    readHealth().map(
      ({ index, restsMs }) => [{ endpoint: `${index}` }, Number(restsMs === 0)] as const,
    ),
  )
}
