// HyperEVM: the chain that is served unless an operator names another.

import { shippedChain, shippedChainId } from '@braid-swap/contracts'
import { type ChainRecord, usualChain } from './chainRecord.js'
import { hyperEvmUnserved } from './hyperevmUnserved.js'
import { hyperEvmHubs, hyperEvmVenues, USDC, USDT0, WHYPE } from './hyperevmVenues.js'

/** HyperEVM. Its addresses are from public registries; `toConfirm` of a venue says what is weaker. */
export const hyperEvm: ChainRecord = {
  ...usualChain,
  id: shippedChainId,
  name: 'HyperEVM',
  native: { symbol: 'HYPE', name: 'HYPE', decimals: 18 },
  wrapped: { address: WHYPE, symbol: 'WHYPE', name: 'Wrapped HYPE', decimals: 18 },
  hubs: hyperEvmHubs,
  usdTokens: [USDC, USDT0],
  venues: hyperEvmVenues,
  unserved: hyperEvmUnserved,
  blocks: [
    { name: 'small', gasLimit: 3_000_000, everyMs: 1_000 },
    {
      name: 'big',
      gasLimit: 30_000_000,
      everyMs: 60_000,
      choice: 'the action evmUserModify of HyperCore',
    },
  ],
  systemAddresses: shippedChain.systemAddresses,
  // The spot books HYPE/USDC (107) and USDT0/USDC (166), and the default distance: one percent.
  guard: {
    books: [
      { token: WHYPE, asset: 10_107 },
      { token: USDT0, asset: 10_166 },
    ],
    units: [USDC],
    maxOffBps: 100,
  },
  explorer: { name: 'HyperEVMScan', url: 'https://hyperevmscan.io' },
  rpcUrl: 'https://rpc.hyperliquid.xyz/evm',
  sources: ['hyperliquid.gitbook.io', 'github.com/wevm/viem', 'github.com/lifinance/contracts'],
}
