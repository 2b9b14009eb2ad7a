// A component as a site with wagmi writes it: a quote, and a swap by the wallet of the visitor. It is rendered as a
// server does, where nobody is connected and nothing is quoted yet.
import {
  createBraid,
  createSwapMemory,
  type SendTerms,
  type SwapOrder,
  sendSwap,
} from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { createConfig, http, useConnectorClient, WagmiProvider } from 'wagmi'
import { hyperEvm } from 'wagmi/chains'

const braid = createBraid({ url: 'http://127.0.0.1:8080', apiKey: 'none' })
const config = createConfig({ chains: [hyperEvm], transports: { [hyperEvm.id]: http() } })
const memory = createSwapMemory()

type Props = { readonly order: SwapOrder & { readonly amount: bigint }; readonly terms: SendTerms }

export function Swap({ order, terms }: Props) {
  const { src, dst, amount } = order
  const { data: wallet } = useConnectorClient()
  const { data: quote } = useQuery({
    queryKey: [src, dst, `${amount}`],
    queryFn: ({ signal }) => braid.quote({ src, dst, amount }, { signal }),
    refetchInterval: 1_000,
  })
  const sell = () => wallet && sendSwap(wallet, order, terms, { braid, memory })
  return (
    <button type="button" onClick={sell}>
      {quote ? `${quote.dstAmount}` : 'loading'}
    </button>
  )
}

const order = {
  src: NATIVE,
  dst: `0x${'2'.repeat(40)}`,
  amount: 10n ** 18n,
  slippage: 0.5,
} as const
const terms = { minAmountOut: 1n, maxNetworkFee: 10n ** 16n, latestDeadline: 4_000_000_000n }
const page = renderToString(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <Swap order={order} terms={terms} />
    </QueryClientProvider>
  </WagmiProvider>,
)
if (!page.includes('loading')) throw new Error(`it draws ${page}`)
console.log(page)
