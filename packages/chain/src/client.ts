import {
  type Chain,
  createPublicClient,
  defineChain,
  type PublicClient,
  type Transport,
} from 'viem'
import { createEndpoint, type Endpoint, type EndpointHealth } from './endpoint.js'
import { failover } from './failover.js'

/** HyperEVM as viem describes a chain; its Multicall3 is where every batch is read through. */
export const hyperEvm = defineChain({
  id: 999,
  name: 'HyperEVM',
  nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
  rpcUrls: { default: { http: ['https://rpc.hyperliquid.xyz/evm'] } },
  contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
})

/** A viem client that knows its chain. */
export type Client = PublicClient<Transport, Chain>

/** How patient a client is, and how much it may ask. */
export type ClientOptions = {
  /** A request is given up after this long; default 10,000. */
  readonly timeoutMs?: number
  /** Tries after the first, beyond one for each endpoint; default 3. */
  readonly retryCount?: number
  /** Sends the requests of one tick as one JSON-RPC batch; default true. Turn off where refused. */
  readonly batch?: boolean
  /**
   * Requests that each endpoint may get in any minute, those of a batch each counted; no limit if
   * absent. The official endpoint of HyperEVM allows 100.
   */
  readonly requestsPerMinute?: number
  /** Blocks that one question for logs may span; found out by what is refused if absent. */
  readonly logRange?: number
  /**
   * A request that could not go within this time, because every endpoint rests or the budget is
   * spent, fails at once with `RPC_BUSY`; default 60,000.
   */
  readonly patienceMs?: number
}

/**
 * A client of chain 999 over http(s) or ws(s), by the scheme of the URL. Of several URLs the first
 * that fares well is asked; one that fails rests, for longer each time or for as long as its
 * `Retry-After` says.
 *
 * @example const client = createClient('http://127.0.0.1:8545')
 */
export function createClient(
  rpcUrl: string | readonly string[],
  options: ClientOptions = {},
): Client {
  const urls = typeof rpcUrl === 'string' ? [rpcUrl] : rpcUrl
  if (urls.length === 0) throw new RangeError('createClient needs at least one URL')
  const { timeoutMs = 10_000, retryCount = 3, batch = true, patienceMs = 60_000 } = options
  const { requestsPerMinute, logRange } = options
  const endpoints = urls.map((url, index) =>
    createEndpoint(url, {
      ...{ index, timeoutMs, batch, random: Math.random },
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(logRange !== undefined && { logRange }),
    }),
  )
  return createPublicClient({
    chain: hyperEvm,
    transport: failover(endpoints, { retryCount, patienceMs }),
    // A remembered block number would make a snapshot older than it says.
    cacheTime: 0,
  })
}

/** The endpoints of a client that {@link createClient} made; none of any other's. */
export function endpointsOf(client: Client): readonly Endpoint[] {
  const { endpoints } = client.transport as { readonly endpoints?: readonly Endpoint[] }
  return endpoints ?? []
}

/** How each endpoint of a client fares, in the order of their URLs. */
export function readHealth(client: Client): readonly EndpointHealth[] {
  return endpointsOf(client).map(({ health }) => health())
}

/** Blocks that one question for logs may span at every endpoint of a client; infinite if unknown. */
export function logRangeOf(client: Client): number {
  return Math.min(...endpointsOf(client).map(({ logRange }) => logRange))
}

/** The milliseconds that one request takes of a client's budget, over all endpoints; 0: no budget. */
export function msPerRequest(client: Client): number {
  const perMinute = endpointsOf(client).reduce((sum, e) => sum + e.requestsPerMinute, 0)
  return perMinute === 0 ? 0 : 60_000 / (perMinute * SUSTAINED)
}

/** The part of its budget that a client which paces itself uses. */
const SUSTAINED = 0.95

/** Requests that a client's endpoints were asked so far. */
export function countRequests(client: Client): number {
  return readHealth(client).reduce((sum, { requests }) => sum + requests, 0)
}
