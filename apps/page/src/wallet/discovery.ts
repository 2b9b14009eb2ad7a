/** Finds the wallets of the browser by EIP-6963, where each wallet announces itself by an event. */
import { createStore, type EIP6963ProviderInfo } from 'mipd'
import { useEffect, useState } from 'preact/hooks'
import type { Provider } from './payer.js'

/** A wallet of the browser. Its name and icon are its own and prove nothing. */
export type FoundWallet = {
  readonly info: Pick<EIP6963ProviderInfo, 'name' | 'rdns'> & { readonly icon?: string }
  readonly provider: Provider
}

/** The name in `rdns` of a wallet that does not announce itself. */
const UNANNOUNCED = 'unannounced'

/** The wallets found so far; more may announce themselves at any time. */
export function useWallets(): readonly FoundWallet[] {
  const [found, setFound] = useState<readonly FoundWallet[]>([])
  useEffect(() => {
    const store = createStore()
    // The store reports the same wallet again if a script of its own is loaded twice.
    const read = () => {
      const byName = new Map(store.getProviders().map((wallet) => [wallet.info.rdns, wallet]))
      setFound(byName.size > 0 ? [...byName.values()] : oldWallets())
    }
    read()
    const stop = store.subscribe(read)
    return () => {
      stop()
      store.destroy()
    }
  }, [])
  return found
}

/** The wallet of a browser that knows only `window.ethereum`, from before EIP-6963. */
function oldWallets(): readonly FoundWallet[] {
  const { ethereum } = globalThis as { readonly ethereum?: Provider }
  if (typeof ethereum?.request !== 'function') return []
  return [{ info: { name: 'Browser wallet', rdns: UNANNOUNCED }, provider: ethereum }]
}
