import { steadyMs } from '@braid-swap/chain'
import { collectDefaultMetrics } from 'prom-client'
import type { KeyStore } from '../keys/keyStore.js'
import type { LiveMarket } from '../market/liveMarket.js'
import type { MarketSource } from '../market/marketSource.js'
import { type Clients, healthOf } from '../node/clients.js'
import { addFaultMetrics } from './faultMetrics.js'
import { addFeedMetrics, type Shared } from './feedMetrics.js'
import { createMetrics, type Metrics } from './metrics.js'
import { addNodeMetrics } from './nodeMetrics.js'

/** The metrics of a process with a market: its own, Node's, its nodes' and its feed's. */
export function createProcessMetrics(
  market: LiveMarket,
  of: {
    readonly clients: Clients
    readonly source: MarketSource
    readonly redis: Shared | undefined
    readonly keys: KeyStore
  },
): Metrics {
  const metrics = createMetrics(market, steadyMs)
  collectDefaultMetrics({ register: metrics.registry })
  addNodeMetrics(metrics, () => healthOf(of.clients))
  addFeedMetrics(metrics, of)
  const { failedSaves } = of.source
  addFaultMetrics(metrics, { keys: of.keys, failedSaves })
  return metrics
}
