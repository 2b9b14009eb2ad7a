import {
  type Chain,
  type Client,
  createTestClient,
  defineChain,
  type HttpTransport,
  http,
  type PublicActions,
  type PublicRpcSchema,
  publicActions,
  rpcSchema,
  type TestActions,
  type TestRpcSchema,
  type WalletRpcSchema,
} from 'viem'

/** The chain id of HyperEVM, which the devnet uses. */
export const CHAIN_ID = 999

/** The address of Multicall3 on HyperEVM. */
export const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'

/** RPC methods beyond viem's test methods: reads, unlocked sending and one that viem lacks. */
type Methods = [
  ...PublicRpcSchema,
  ...WalletRpcSchema,
  { Method: 'anvil_setLoggingEnabled'; Parameters: [boolean]; ReturnType: null },
  { Method: 'anvil_dropAllTransactions'; Parameters?: undefined; ReturnType: null },
]

/** A viem client with the public and the anvil actions. */
export type ChainClient = Client<
  HttpTransport,
  Chain,
  undefined,
  [...TestRpcSchema<'anvil'>, ...Methods],
  PublicActions<HttpTransport, Chain> & TestActions
>

/** A viem client with the public and the anvil actions, for a devnet at this URL. */
export function createChainClient(rpcUrl: string): ChainClient {
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'HyperEVM devnet',
    nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: MULTICALL3 } },
  })
  return createTestClient({
    mode: 'anvil',
    rpcSchema: rpcSchema<Methods>(),
    cacheTime: 0,
    pollingInterval: 50,
    chain,
    // No retries, because a transaction must not be sent twice.
    transport: http(rpcUrl, { batch: { batchSize: 200 }, retryCount: 0, timeout: 60_000 }),
  }).extend(publicActions)
}
