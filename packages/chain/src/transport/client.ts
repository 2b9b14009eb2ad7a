// The viem client of chain 999: several endpoints behind one failover transport, with rate limits
// and health figures. Every read of the package goes through it.

import { badOption } from '@braid-swap/core/advanced'
import {
  type Chain,
  createPublicClient,
  defineChain,
  type PublicClient,
  type Transport,
} from 'viem'
import { createEndpoint, type Endpoint, type EndpointHealth } from './endpoint.js'
import { type FailoverOptions, fallbackTransport } from './fallback.js'
import { type AskEndpoint, type EndpointProfile, MAX_CALL_GAS, probeEndpoint } from './profile.js'
import type { SharedLimit } from './rateLimit.js'

/** HyperEVM as a viem chain. Every batch of reads goes through its Multicall3. */
export const hyperEvm = defineChain({
  id: 999,
  name: 'HyperEVM',
  nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
  rpcUrls: { default: { http: ['https://rpc.hyperliquid.xyz/evm'] } },
  contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
})

/** A viem client that knows its chain. */
export type Client = PublicClient<Transport, Chain>

/** Timeouts, retries and rate limits of a client. */
export type ClientOptions = {
  /** Timeout of one request; default 10,000. */
  readonly timeoutMs?: number
  /** Attempts in addition to one per endpoint; default 3. */
  readonly retryCount?: number
  /**
   * Sends the requests of one tick as one JSON-RPC batch; default true. Turn off if a node refuses
   * batches.
   */
  readonly batch?: boolean
  /**
   * Limit of requests per endpoint in any minute; each request of a batch counts. No limit if
   * absent. The official endpoint of HyperEVM allows 100. Clients of the same node share a limit by
   * {@link shareRequests}.
   */
  readonly requestsPerMinute?: number | SharedLimit
  /** Blocks that one `eth_getLogs` may span. If absent, learned from what the node refuses. */
  readonly logRange?: number
  /**
   * Longest wait before a request is sent; default 60,000. If every endpoint is cooling down or
   * rate-limited for longer, the request fails at once with `RPC_BUSY`.
   */
  readonly patienceMs?: number
  /**
   * Longest cool-down of an endpoint while no other is available, whatever its `Retry-After` says. No
   * limit if absent.
   */
  readonly soleRestMs?: number
  /** Largest answer over HTTP after decompression, in bytes; default 64 MiB. */
  readonly maxAnswerBytes?: number
}

/** More than the 25 MB at which geth cuts its answers to a batch. */
const MAX_ANSWER_BYTES = 64 * 1_024 * 1_024

/**
 * A client of chain 999 over http(s) or ws(s), by the scheme of the URL. With several URLs it uses
 * the first healthy one. An endpoint that fails cools down, longer after each failure, or for as
 * long as its `Retry-After` says. Throws BAD_OPTIONS for what is no such URL, or none.
 *
 * @example const client = createClient('http://127.0.0.1:8545')
 */
export function createClient(
  rpcUrl: string | readonly string[],
  options: ClientOptions = {},
): Client {
  const urls = typeof rpcUrl === 'string' ? [rpcUrl] : rpcUrl
  if (!Array.isArray(urls) || urls.length === 0)
    throw badOption('rpcUrl', rpcUrl, 'at least one URL')
  for (const url of urls) {
    const isUrl = URL.canParse(url) && /^(https?|wss?):/.test(url)
    if (!isUrl) throw badOption('rpcUrl', url, 'a URL of http, https, ws or wss')
  }
  const { timeoutMs = 10_000, retryCount = 3, batch = true, patienceMs = 60_000 } = options
  const { requestsPerMinute, logRange, soleRestMs, maxAnswerBytes = MAX_ANSWER_BYTES } = options
  const endpoints = urls.map((url, index) =>
    createEndpoint(url, {
      ...{ index, timeoutMs, batch, maxAnswerBytes, random: Math.random },
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(logRange !== undefined && { logRange }),
    }),
  )
  return clientOf(endpoints, {
    ...{ retryCount, patienceMs },
    ...(soleRestMs !== undefined && { soleRestMs }),
  })
}

/** The endpoints of a client made by {@link createClient}; empty for any other client. */
export function endpointsOf(client: Client): readonly Endpoint[] {
  const { endpoints } = client.transport as { readonly endpoints?: readonly Endpoint[] }
  return endpoints ?? []
}

/** Health of each endpoint of a client, in the order of their URLs. */
export function readHealth(client: Client): readonly EndpointHealth[] {
  return endpointsOf(client).map(({ health }) => health())
}

/** Blocks that one `eth_getLogs` may span at every endpoint of a client; infinite if unknown. */
export function logRangeOf(client: Client): number {
  return Math.min(
    ...endpointsOf(client).map(({ logRange, profile }) =>
      Math.min(logRange, profile()?.logRange ?? Number.POSITIVE_INFINITY),
    ),
  )
}

/** The profiles of a client's endpoints, as far as they are known. */
export function profilesOf(client: Client): readonly EndpointProfile[] {
  return endpointsOf(client).flatMap(({ profile }) => profile() ?? [])
}

/** Gives the endpoints of a client profiles that were probed before, in the order of their URLs. */
export function learnProfiles(
  client: Client,
  profiles: readonly (EndpointProfile | undefined)[],
): void {
  for (const [i, endpoint] of endpointsOf(client).entries()) {
    const profile = profiles[i]
    if (profile) endpoint.learn(profile)
  }
}

/**
 * Probes the endpoints of a client that have no profile yet, or with `isAgain` all of them, about seven
 * requests each. Returns the profiles of all, in the order of their URLs; undefined for one that does not
 * answer.
 */
export async function probeEndpoints(
  client: Client,
  { isAgain = false }: { readonly isAgain?: boolean } = {},
): Promise<readonly (EndpointProfile | undefined)[]> {
  return Promise.all(
    endpointsOf(client).map(async (endpoint) => {
      const alone = clientOf([endpoint], { retryCount: 1, patienceMs: 60_000 })
      const ask: AskEndpoint = (method, params) => alone.request({ method, params } as never)
      const known = endpoint.profile()
      if (known && !isAgain) return known
      const isRangeKnown = Number.isFinite(endpoint.logRange)
      const found = await probeEndpoint(ask, { isRangeKnown }).catch(() => undefined)
      if (found) endpoint.learn(found)
      return found
    }),
  )
}

/** A client over endpoints that exist already. */
export function clientOf(endpoints: readonly Endpoint[], options: FailoverOptions): Client {
  return createPublicClient({
    chain: hyperEvm,
    transport: fallbackTransport(endpoints, options),
    // A cached block number would make a snapshot older than it claims to be.
    cacheTime: 0,
  })
}

/** The least gas that an endpoint allows a call. */
export function callGasOf(client: Client): bigint {
  const gas = profilesOf(client).map(({ callGas }) => callGas)
  return gas.reduce((a, b) => (a < b ? a : b), MAX_CALL_GAS)
}

/** Returns true if every endpoint of a client has a rate limit. */
export function hasRateLimit(client: Client): boolean {
  const endpoints = endpointsOf(client)
  return endpoints.length > 0 && endpoints.every((one) => Number.isFinite(one.requestsPerMinute))
}

/** Milliseconds until an endpoint takes so many requests, at most a whole burst, at once; 0 without a limit. */
export function refillMs(client: Client, requests: number): number {
  const waits = endpointsOf(client).map((endpoint) => endpoint.refillMs(requests))
  return waits.length === 0 ? 0 : Math.min(...waits)
}
