import type { EndpointHealth } from '@braid-swap/chain'
import { Counter, Gauge } from 'prom-client'
import type { Metrics } from './metrics.js'

/** Counters since the start: name without prefix, help text, value. */
const COUNTERS: readonly [string, string, (health: EndpointHealth) => number][] = [
  ['requests', 'Requests; each request of a batch counts', ({ requests }) => requests],
  ['failures', 'Requests that failed: lost, late, malformed, busy', ({ failures }) => failures],
  ['limited', 'Failures by rate limits, such as HTTP 429', ({ limited }) => limited],
  ['retries', 'Retried requests', ({ retries }) => retries],
  ['received_bytes', 'Bytes received in responses', ({ bytesIn }) => bytesIn],
  ['sent_bytes', 'Bytes sent in requests', ({ bytesOut }) => bytesOut],
]

/**
 * Adds the health of each RPC endpoint, by its index in the list of URLs. The URLs themselves do not
 * appear, because they may contain keys.
 */
export function addNodeMetrics(
  { registry }: Metrics,
  readHealth: () => readonly EndpointHealth[],
): void {
  const registers = [registry]
  for (const [name, help, read] of COUNTERS) {
    new Counter({
      ...{ name: `braid_rpc_${name}_total`, help, registers, labelNames: ['endpoint'] },
      collect() {
        this.reset()
        for (const health of readHealth()) this.inc({ endpoint: `${health.index}` }, read(health))
      },
    })
  }
  const gauge = (name: string, help: string, read: (health: EndpointHealth) => number) =>
    new Gauge({
      ...{ name, help, registers, labelNames: ['endpoint'] },
      collect() {
        for (const health of readHealth()) this.set({ endpoint: `${health.index}` }, read(health))
      },
    })
  gauge('braid_rpc_healthy', '0 while the endpoint cools down', ({ restsMs }) =>
    Number(restsMs === 0),
  )
  gauge('braid_rpc_rest_seconds', 'Seconds left of the cool-down', ({ restsMs }) => restsMs / 1_000)
}
