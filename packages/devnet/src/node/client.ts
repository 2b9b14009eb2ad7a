import { type ChainRecord, hyperEvm, viemChainOf } from '@braid-swap/chain'
import {
  type Chain,
  type Client,
  createTestClient,
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

/** A viem client with the public and the anvil actions, for a devnet of a chain at this URL. */
export function createChainClient(rpcUrl: string, record: ChainRecord = hyperEvm): ChainClient {
  const chain = viemChainOf({ ...record, name: `${record.name} devnet`, rpcUrl })
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
