// Opens a client of a chain: several endpoints behind one failover transport.

import { badOption } from '@braid-swap/core/advanced'
import { type Client, clientOf } from '../transport/client.js'
import { createEndpoint } from '../transport/endpoint.js'
import type { SharedLimit } from '../transport/rateLimit.js'
import { type ChainRecord, viemChainOf } from './chainRecord.js'
import { hyperEvm } from './hyperevm.js'

/** Chain, timeouts, retries and rate limits of a client. */
export type ClientOptions = {
  /** {@link hyperEvm} by default. */
  readonly chain?: ChainRecord
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
   * absent. Clients of the same node share a limit by
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
 * A client of a chain over http(s) or ws(s), by the scheme of the URL. With several URLs it uses
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
    ...{ retryCount, patienceMs, chain: viemChainOf(options.chain ?? hyperEvm) },
    ...(soleRestMs !== undefined && { soleRestMs }),
  })
}
