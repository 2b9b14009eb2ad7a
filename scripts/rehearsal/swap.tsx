// A component as an app writes it: a quote, and a swap by the wallet of the visitor.
import { createBraid, type SendTerms, type SwapOrder } from '@braid-swap/client'
import { useQuote, useSwap } from '@braid-swap/client/react'
import type { Account, Chain, Transport, WalletClient } from 'viem'

const braid = createBraid({ url: 'http://127.0.0.1:8080', apiKey: 'none' })

type Props = {
  readonly order: SwapOrder & { readonly amount: bigint }
  readonly terms: SendTerms
  readonly wallet: WalletClient<Transport, Chain, Account>
}

export function Swap({ order, terms, wallet }: Props) {
  const { src, dst, amount } = order
  const quote = useQuote(braid, amount > 0n ? { src, dst, amount } : undefined)
  const { state, swap } = useSwap(braid, wallet)
  return (
    <button type="button" disabled={state.status === 'working'} onClick={() => swap(order, terms)}>
      {quote.status === 'quoted' ? `${quote.quote.dstAmount}` : quote.status}
    </button>
  )
}
