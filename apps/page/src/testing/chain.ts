// The chain of the tests' pages, as the API tells it.

import type { PageConfig } from '../pageConfig.js'

/** HyperEVM. */
export const chain: PageConfig['chain'] = {
  name: 'HyperEVM',
  native: { symbol: 'HYPE', name: 'HYPE', decimals: 18 },
  rpcUrl: 'https://rpc.hyperliquid.xyz/evm',
  explorer: { name: 'HyperEVMScan', url: 'https://hyperevmscan.io' },
  blocks: [
    { name: 'small', everyMs: 1_000 },
    { name: 'big', everyMs: 60_000, choice: 'the action evmUserModify of HyperCore' },
  ],
  systemAddresses: [
    {
      from: `0x${'2'.repeat(40)}`,
      to: `0x${'2'.repeat(40)}`,
      why: 'it is a system address of HyperCore',
    },
  ],
}
