// The viem client of a chain: several endpoints behind one failover transport, with rate limits
// and health figures. Every read of the package goes through it.

import { type Chain, createPublicClient, type PublicClient, type Transport } from 'viem'
import type { Endpoint, EndpointHealth } from './endpoint.js'
import { type FailoverOptions, fallbackTransport } from './fallback.js'
import { type AskEndpoint, type EndpointProfile, MAX_CALL_GAS, probeEndpoint } from './profile.js'

/** A viem client that knows its chain. */
export type Client = PublicClient<Transport, Chain>

/** The endpoints of a client made by `createClient`; empty for any other client. */
export function endpointsOf(client: Client): readonly Endpoint[] {
  const { endpoints } = client.transport as { readonly endpoints?: readonly Endpoint[] }
  return endpoints ?? []
}

/** Health of each endpoint of a client, in the order of their URLs. Never throws. */
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

/** The profiles of a client's endpoints, as far as they are known. Never throws. */
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

/** Returns false if every endpoint is known not to honour the state overrides of a call. */
export function mayOverride(client: Client): boolean {
  const profiles = profilesOf(client)
  return profiles.length === 0 || profiles.some(({ overrides }) => overrides === 'honoured')
}

/**
 * Probes the endpoints of a client that have no profile yet, or with `isAgain` all of them, about seven
 * requests each. Returns the profiles of all, in the order of their URLs; undefined for one that does not
 * answer. Never throws.
 */
export async function probeEndpoints(
  client: Client,
  { isAgain = false }: { readonly isAgain?: boolean } = {},
): Promise<readonly (EndpointProfile | undefined)[]> {
  return Promise.all(
    endpointsOf(client).map(async (endpoint) => {
      const once = { retryCount: 1, patienceMs: 60_000, chain: client.chain }
      const alone = clientOf([endpoint], once)
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
export function clientOf(
  endpoints: readonly Endpoint[],
  { chain, ...options }: FailoverOptions & { readonly chain: Chain },
): Client {
  return createPublicClient({
    chain,
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
