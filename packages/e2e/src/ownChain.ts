// A chain that differs from the shipped one in all that a record says, and that nothing but its record describes.

import { type ChainRecord, checkChain } from '@braid-swap/chain'

const USDC = '0xb88339cb7199b77e23db6e890353e22632ba630f'
const USDT0 = '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb'

/** What an operator writes of it. */
export const ownChainFile = {
  ...{ id: 31_337, name: 'Own', rpcUrl: 'https://rpc.own.test', venues: [] },
  native: { symbol: 'OWN', name: 'Own' },
  wrapped: { address: `0x${'b0'.repeat(20)}`, symbol: 'WOWN', name: 'Wrapped Own' },
  usdTokens: [USDC, USDT0],
  hubs: [USDC, USDT0],
  blocks: [{ name: 'plain', gasLimit: 20_000_000, everyMs: 2_000 }],
  explorer: { name: 'OwnScan', url: 'https://scan.own.test' },
}

/** The chain of {@link ownChainFile}. */
export const ownChain: ChainRecord = checkChain(ownChainFile)
