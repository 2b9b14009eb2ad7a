import {
  type Chain,
  createPublicClient,
  defineChain,
  fallback,
  http,
  type PublicClient,
  type Transport,
  webSocket,
  withRetry,
} from 'viem'
import { isPassing, retryAfterMs } from './answers.js'

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

/** How patient a client is. */
export type ClientOptions = {
  /** A request is given up after this long; default 10,000. */
  readonly timeoutMs?: number
  /** Retries after a failure worth retrying, waiting 250 ms · 2ⁿ or what `Retry-After` says; default 3. */
  readonly retryCount?: number
  /** Sends the requests of one tick as one JSON-RPC batch; default true. Turn off where refused. */
  readonly batch?: boolean
}

/**
 * A client of chain 999 over http(s) or ws(s), by the scheme of the URL; several URLs are tried in
 * their order, the next one when the one before fails.
 *
 * @example const client = createClient('http://127.0.0.1:8545')
 */
export function createClient(
  rpcUrl: string | readonly string[],
  options: ClientOptions = {},
): Client {
  const urls = typeof rpcUrl === 'string' ? [rpcUrl] : rpcUrl
  const transports = urls.map((url) => transportOf(url, options))
  const [first, ...rest] = transports
  if (first === undefined) throw new RangeError('createClient needs at least one URL')
  return createPublicClient({
    chain: hyperEvm,
    transport: rest.length === 0 ? first : fallback(transports, { retryCount: 0 }),
    // A remembered block number would make a snapshot older than it says.
    cacheTime: 0,
  })
}

const RETRY_DELAY_MS = 250
const LONGEST_DELAY_MS = 10_000

function transportOf(url: string, options: ClientOptions): Transport {
  const patience = { timeout: options.timeoutMs ?? 10_000, retryCount: 0 }
  const transport = /^wss?:/i.test(url)
    ? webSocket(url, patience)
    : http(url, { ...patience, batch: options.batch ?? true })
  return retrying(transport, options.retryCount ?? 3)
}

// viem's own retries repeat refusals too, and a refused batch is to be halved at once.
function retrying(transport: Transport, retryCount: number): Transport {
  return (config) => {
    const { request, ...rest } = transport({ ...config, retryCount: 0 })
    const ask = (...args: Parameters<typeof request>) =>
      withRetry(() => request(...args), {
        retryCount,
        delay: ({ count, error }) =>
          Math.min(retryAfterMs(error) ?? RETRY_DELAY_MS * 2 ** count, LONGEST_DELAY_MS),
        shouldRetry: ({ error }) => isPassing(error),
      })
    return { ...rest, request: ask as typeof request }
  }
}
