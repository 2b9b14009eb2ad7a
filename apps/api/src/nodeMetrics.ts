import type { EndpointHealth } from '@braid-swap/chain'
import { Counter, Gauge } from 'prom-client'
import type { Metrics } from './metrics.js'

/** Counted since the start, by name without the prefix. */
const COUNTERS: readonly [string, string, (health: EndpointHealth) => number][] = [
  ['requests', 'Requests, those of a batch each', ({ requests }) => requests],
  ['failures', 'Requests without an answer: lost, late, broken, busy', ({ failures }) => failures],
  ['limited', 'Failures for asking too often: 429 and its like', ({ limited }) => limited],
  ['retries', 'Requests that had failed or been refused before', ({ retries }) => retries],
  ['received_bytes', 'Of answers', ({ bytesIn }) => bytesIn],
  ['sent_bytes', 'Of requests', ({ bytesOut }) => bytesOut],
]

/**
 * Adds how each node fares, by its place in the list of addresses: these may hold keys, and are not
 * told.
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
  gauge('braid_rpc_healthy', '0 while it is left alone', ({ restsMs }) => Number(restsMs === 0))
  gauge('braid_rpc_rest_seconds', 'Left alone for so long', ({ restsMs }) => restsMs / 1_000)
}
