import type { Graph } from '@braid-swap/core'
import { type Chain, createTokens, startChain } from '@braid-swap/devnet'
import type { AppConfig } from '../config/appConfig.js'
import type { Page } from '../http/page.js'
import { frozenGraph, ISLAND, PURR, REEF, UBTC, USDC } from './frozenMarket.js'
import { startTestApi, type TestApi } from './startTestApi.js'

/** A chain with the frozen market's tokens, and the API on the frozen market beside it. */
export type TestWorld = {
  readonly chain: Chain
  readonly api: TestApi
  readonly stop: () => Promise<void>
}

/** A real node for names, wallets and gas; the market itself is frozen and not on it. */
export async function startTestWorld(
  options: {
    readonly graph?: Graph
    readonly config?: Partial<AppConfig>
    readonly page?: Page
    /** Ends streams of quotes. */
    readonly ending?: AbortSignal
  } = {},
): Promise<TestWorld> {
  const chain = await startChain()
  await createTokens(chain, [
    { address: USDC, symbol: 'USDC', name: 'USD Coin', decimals: 6 },
    { address: UBTC, symbol: 'UBTC', name: 'Unit Bitcoin', decimals: 8 },
    { address: PURR, symbol: 'PURR', name: 'Purr', decimals: 18 },
    { address: ISLAND, symbol: 'ISLE', name: 'Island', decimals: 18 },
    { address: REEF, symbol: 'REEF', name: 'Reef', decimals: 18 },
  ])
  const api = await startTestApi({ graph: frozenGraph, rpcUrl: chain.rpcUrl, ...options })
  const stop = async () => {
    await api.stop()
    await chain.stop()
  }
  return { chain, api, stop }
}
