import {
  type ChainRecord,
  type Client,
  createClient,
  type EndpointHealth,
  readHealth,
  type SharedLimit,
  shareRequests,
  viemChainOf,
} from '@braid-swap/chain'
import { createPublicClient, custom } from 'viem'

/**
 * Parts of the request budget by purpose: following comes first, at two requests a round; then wallets, tokens and the
 * gas estimates of swaps; then the search of past blocks. What is left unused is lent, to the follower first, which
 * makes its tests from it.
 */
const SHARES = { following: 0.5, reads: 0.4, search: 0.1 } as const
/** A key gets half of the calls for requests, so that it cannot take wallets and gas estimates from others. */
const KEY_PART = 0.5
/** Calls of the node for a swap with `from`: the wallet, and the estimate of its gas. */
export const CALLS_OF_SWAP = 2

/** Calls of the node in a minute that all requests may cause, and one key; `undefined` without a limit. */
export function callsAMinute(rpcRequestsPerMinute: number | undefined) {
  if (rpcRequestsPerMinute === undefined) return undefined
  const all = rpcRequestsPerMinute * SHARES.reads
  return { all, ofKey: all * KEY_PART }
}

/** The RPC clients of the API. */
export type Clients = {
  /** Follows the market. */
  readonly client: Client
  /** Serves the reads of API requests. */
  readonly reader: Client
  /** Searches past blocks for pools. */
  readonly searcher: Client
}

/**
 * Opens the clients of an API. With a request budget, a part of it is kept for each client, so that API
 * requests cannot starve the market follower, and lent to the others while unused. A read that would wait too long
 * fails at once.
 */
export function openClients({
  chain,
  rpcUrls,
  rpcRequestsPerMinute,
  nodeTimeoutMs,
  maxStateAgeMs,
}: {
  readonly chain: ChainRecord
  readonly rpcUrls: readonly string[]
  readonly rpcRequestsPerMinute?: number
  readonly nodeTimeoutMs: number
  readonly maxStateAgeMs: number
}): Clients {
  if (rpcUrls.length === 0) {
    const client = withoutNode(chain)
    return { client, reader: client, searcher: client }
  }
  const range = {
    chain,
    // A node that is well again is asked before the market is much older than its limit.
    soleRestMs: maxStateAgeMs,
  }
  if (rpcRequestsPerMinute === undefined) {
    const client = createClient(rpcUrls, range)
    return { client, reader: client, searcher: client }
  }
  const forReader = { chain, patienceMs: nodeTimeoutMs, soleRestMs: maxStateAgeMs }
  const shares = [SHARES.following, SHARES.reads, SHARES.search]
  const [forMarket, forReads, forSearch] = shareRequests(rpcRequestsPerMinute, shares) as [
    ...[SharedLimit, SharedLimit, SharedLimit],
  ]
  const client = createClient(rpcUrls, { ...range, requestsPerMinute: forMarket })
  const searcher = createClient(rpcUrls, { ...range, requestsPerMinute: forSearch })
  const reader = createClient(rpcUrls, { ...forReader, requestsPerMinute: forReads })
  return { client, reader, searcher }
}

/** A client for a process without a node: every call fails. */
function withoutNode(record: ChainRecord): Client {
  const request = async () => {
    throw new Error('this process has no RPC node')
  }
  const chain = viemChainOf(record)
  return createPublicClient({ chain, transport: custom({ request }, { retryCount: 0 }) })
}

/** The health of each endpoint, summed over all clients, in the order of the URLs. */
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
    restsMs: Math.max(a.restsMs, b.restsMs),
  }
}
