/**
 * The account that pays for a swap: a wallet of the visitor, or the demo account of a devnet. Both are
 * EIP-1193 providers behind a viem client, so that a swap is sent in one way only.
 */
import type { Address } from '@braid-swap/core'
import { type Client, createClient, custom, type EIP1193Provider } from 'viem'

/** An account, and the provider that signs for it. */
export type Payer = {
  readonly kind: 'wallet' | 'demo'
  /** Lower case. */
  readonly address: Address
  readonly client: Client
  /** The account executes several calls as one (EIP-5792, atomic). */
  readonly canBatch: boolean
}

/** The part of an EIP-1193 provider that the page uses. */
export type Provider = Pick<EIP1193Provider, 'request'> &
  Partial<Pick<EIP1193Provider, 'on' | 'removeListener'>>

/** A viem client over a provider. It never repeats a request, because each may open the wallet. */
export function clientOf(provider: Pick<EIP1193Provider, 'request'>): Client {
  return createClient({
    ccipRead: false,
    transport: custom(provider, { retryCount: 0 }),
  })
}
