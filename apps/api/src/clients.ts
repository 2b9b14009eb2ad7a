import { type Client, createClient } from '@braid-swap/chain'
import type { ApiConfig } from './config.js'

/** The part of a budget that wallets, tokens and gas estimates are read from. */
const READERS_SHARE = 0.1
/** The part that the chain's past is searched with. */
const SEARCH_SHARE = 0.15

/**
 * The client that follows the market, the one that requests read through, and the one that searches
 * the past. On a budget each has
 * its own part, so that no number of requests can keep the market from being followed; a read whose
 * turn would come too late fails at once.
 */
export function openClients({
  rpcUrls,
  rpcRequestsPerMinute,
  nodeTimeoutMs,
}: Pick<ApiConfig, 'rpcUrls' | 'rpcRequestsPerMinute' | 'nodeTimeoutMs'>): {
  readonly client: Client
  readonly reader: Client
  readonly searcher: Client
} {
  if (rpcRequestsPerMinute === undefined) {
    const client = createClient(rpcUrls)
    return { client, reader: client, searcher: client }
  }
  const forReaders = Math.ceil(rpcRequestsPerMinute * READERS_SHARE)
  const forSearch = Math.ceil(rpcRequestsPerMinute * SEARCH_SHARE)
  const client = createClient(rpcUrls, {
    requestsPerMinute: rpcRequestsPerMinute - forReaders - forSearch,
  })
  const searcher = createClient(rpcUrls, { requestsPerMinute: forSearch })
  const reader = createClient(rpcUrls, {
    requestsPerMinute: forReaders,
    patienceMs: nodeTimeoutMs,
  })
  return { client, reader, searcher }
}
