import { type Client, createClient, type EndpointHealth, readHealth } from '@braid-swap/chain'
import type { ApiConfig } from './config.js'

/** The part of a budget that wallets, tokens and gas estimates are read from. */
const READERS_SHARE = 0.1
/** The part that the chain's past is searched with. */
const SEARCH_SHARE = 0.15

/** What the nodes are asked through. */
export type Clients = {
  /** Follows the market. */
  readonly client: Client
  /** What requests read through. */
  readonly reader: Client
  /** Searches the chain's past. */
  readonly searcher: Client
}

/**
 * The clients of an API. On a budget each has its own part, so that no number of requests can keep
 * the market from being followed; a read whose turn would come too late fails at once.
 */
export function openClients({
  rpcUrls,
  rpcRequestsPerMinute,
  rpcLogRange,
  nodeTimeoutMs,
}: Pick<ApiConfig, 'rpcUrls' | 'rpcRequestsPerMinute' | 'rpcLogRange' | 'nodeTimeoutMs'>): Clients {
  const range = rpcLogRange === undefined ? {} : { logRange: rpcLogRange }
  if (rpcRequestsPerMinute === undefined) {
    const client = createClient(rpcUrls, range)
    return { client, reader: client, searcher: client }
  }
  const forReaders = Math.ceil(rpcRequestsPerMinute * READERS_SHARE)
  const forSearch = Math.ceil(rpcRequestsPerMinute * SEARCH_SHARE)
  const client = createClient(rpcUrls, {
    ...range,
    requestsPerMinute: rpcRequestsPerMinute - forReaders - forSearch,
  })
  const searcher = createClient(rpcUrls, { ...range, requestsPerMinute: forSearch })
  const reader = createClient(rpcUrls, {
    requestsPerMinute: forReaders,
    patienceMs: nodeTimeoutMs,
  })
  return { client, reader, searcher }
}

/** Each endpoint as all the clients together fare with it, in the order of their URLs. */
export function healthOf(clients: Clients): readonly EndpointHealth[] {
  const [first, ...others] = [...new Set(Object.values(clients))].map(readHealth)
  return (first ?? []).map((one, i) =>
    others.reduce((sum, other) => addHealth(sum, other[i]!), one),
  )
}

function addHealth(a: EndpointHealth, b: EndpointHealth): EndpointHealth {
  return {
    index: a.index,
    requests: a.requests + b.requests,
    failures: a.failures + b.failures,
    limited: a.limited + b.limited,
    retries: a.retries + b.retries,
    bytesIn: a.bytesIn + b.bytesIn,
    bytesOut: a.bytesOut + b.bytesOut,
    restsMs: Math.max(a.restsMs, b.restsMs),
  }
}
