import { useMemo } from 'preact/hooks'
import type { PageConfig } from '../pageConfig.js'
import { demoPayer } from './demoAccount.js'
import type { Payer } from './payer.js'
import type { Connected } from './useWallet.js'

/**
 * The account that pays: the connected wallet, else the demo account of a devnet. Undefined while
 * there is none, or the wallet uses another chain.
 */
export function usePayer(config: PageConfig, connected: Connected | undefined): Payer | undefined {
  const demo = useMemo(() => demoPayer(config), [config])
  return useMemo(() => {
    if (!connected) return demo
    const { address, client, canBatch, chainId } = connected
    if (chainId !== config.chainId) return undefined
    return { kind: 'wallet', address, client, canBatch }
  }, [connected, demo, config])
}
