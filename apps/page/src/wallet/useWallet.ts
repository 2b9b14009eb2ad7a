/**
 * The connection to one wallet: connect, disconnect, account and chain as the wallet reports them. A
 * connected wallet is remembered by name, and asked again at the next visit only if it still agrees.
 */
import type { Address } from '@braid-swap/core'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Client } from 'viem'
import { getAddresses, getCapabilities, getChainId, requestAddresses } from 'viem/actions'
import type { PageConfig } from '../pageConfig.js'
import { kept } from '../storage.js'
import { WalletError, walletErrorOf } from '../walletError.js'
import { switchWallet } from './chain.js'
import { type FoundWallet, useWallets } from './discovery.js'
import { clientOf } from './payer.js'

/** A wallet that shares an account with the page. */
export type Connected = {
  readonly wallet: FoundWallet
  readonly client: Client
  /** Lower case. */
  readonly address: Address
  readonly chainId: number
  /** It executes several calls as one on our chain (EIP-5792). */
  readonly canBatch: boolean
}

/** The wallets of the browser and the connection to one of them. */
export type WalletConnection = {
  readonly found: readonly FoundWallet[]
  readonly connected: Connected | undefined
  /** The wallet that is asked right now. */
  readonly asked: FoundWallet | undefined
  readonly error: unknown
  /** Resolves to true if the wallet shares an account; else `error` says why it does not. */
  readonly connect: (wallet: FoundWallet) => Promise<boolean>
  readonly disconnect: () => void
  /** Asks the wallet to use our chain. */
  readonly switchChain: () => Promise<void>
}

const KEPT = 'braid.wallet'

/** Connects to a wallet, and follows its account and chain. */
export function useWallet(config: PageConfig): WalletConnection {
  const found = useWallets()
  const [connected, setConnected] = useState<Connected>()
  const [asked, setAsked] = useState<FoundWallet>()
  const [error, setError] = useState<unknown>()
  const fail = (failure: unknown) => setError(walletErrorOf(failure))

  const connect = useCallback(async (wallet: FoundWallet) => {
    setAsked(wallet)
    setError(undefined)
    try {
      const opened = await open(wallet, requestAddresses, config)
      kept.write(KEPT, wallet.info.rdns)
      setConnected(opened)
      return true
    } catch (failure) {
      fail(failure)
      return false
    } finally {
      setAsked(undefined)
    }
  }, [])
  const disconnect = useCallback(() => {
    kept.forget(KEPT)
    setConnected(undefined)
    setError(undefined)
  }, [])
  const switchChain = useCallback(async () => {
    if (!connected) return
    setError(undefined)
    try {
      await switchWallet(connected.client, config)
      const chainId = await getChainId(connected.client)
      setConnected((now) => now && { ...now, chainId })
    } catch (failure) {
      fail(failure)
    }
  }, [connected])

  useRemembered(found, connected === undefined, async (wallet) =>
    setConnected(await open(wallet, getAddresses, config)),
  )
  useEvents(connected, config, {
    onChange: (change) => setConnected((now) => now && { ...now, ...change }),
    onGone: (why) => {
      setConnected(undefined)
      setError(why)
    },
  })
  return { found, connected, asked, error, connect, disconnect, switchChain }
}

/** Reads account, chain and abilities. `read` may open the wallet or not. Throws WALLET_…. */
async function open(
  wallet: FoundWallet,
  read: (client: Client) => Promise<readonly Address[]>,
  config: PageConfig,
): Promise<Connected> {
  const client = clientOf(wallet.provider)
  const [address] = await read(client)
  if (address === undefined) throw lockedError()
  const chainId = await getChainId(client)
  const account = address.toLowerCase() as Address
  const canBatch = await readCanBatch(client, account, config)
  return { wallet, client, address: account, chainId, canBatch }
}

/** Reads if the wallet executes calls atomically, or would after a change that it asks for itself. */
async function readCanBatch(
  client: Client,
  account: Address,
  { chainId }: PageConfig,
): Promise<boolean> {
  try {
    const { atomic } = await getCapabilities(client, { account, chainId })
    return atomic?.status === 'supported' || atomic?.status === 'ready'
  } catch {
    // Most wallets do not know the method; they approve and swap one after the other.
    return false
  }
}

function lockedError(): WalletError {
  return new WalletError('WALLET_LOCKED', 'The wallet is locked or shares no account.')
}

/** Connects again to the wallet of the last visit, once, without opening it. */
function useRemembered(
  found: readonly FoundWallet[],
  isFree: boolean,
  connect: (wallet: FoundWallet) => Promise<void>,
): void {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    const wallet = found.find(({ info }) => info.rdns === kept.read(KEPT))
    if (!wallet || !isFree || isDone) return
    setDone(true)
    // A wallet that is locked at the start is no error; the button still offers it.
    connect(wallet).catch(() => {})
  }, [found, isFree, isDone])
}

type Changes = {
  readonly onChange: (change: Partial<Connected>) => void
  readonly onGone: (why: WalletError) => void
}

/** Follows the events of EIP-1193. */
function useEvents(
  connected: Connected | undefined,
  config: PageConfig,
  { onChange, onGone }: Changes,
): void {
  const provider = connected?.wallet.provider
  const client = connected?.client
  useEffect(() => {
    if (!provider?.on || !client) return
    const accounts = async (addresses: readonly string[]) => {
      const address = addresses[0]?.toLowerCase() as Address | undefined
      if (address === undefined) return onGone(lockedError())
      onChange({ address, canBatch: await readCanBatch(client, address, config) })
    }
    const chain = (chainId: string) => onChange({ chainId: Number(chainId) })
    const gone = () =>
      onGone(new WalletError('WALLET_DISCONNECTED', 'The wallet has closed the connection.'))
    provider.on('accountsChanged', accounts)
    provider.on('chainChanged', chain)
    provider.on('disconnect', gone)
    return () => {
      provider.removeListener?.('accountsChanged', accounts)
      provider.removeListener?.('chainChanged', chain)
      provider.removeListener?.('disconnect', gone)
    }
  }, [provider, client])
}
