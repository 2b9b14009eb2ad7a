import { createBraid, RefusedError } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { isEmbedded } from './embed.js'
import { defaultDst, isSameOrder, orderOf, saleAt } from './order/order.js'
import type { QuotedOrder } from './order/orderCard.js'
import { useDraft } from './order/useDraft.js'
import { isCurrent, type PageQuote, type Polled, useQuote } from './order/usePolling.js'
import { worthOf } from './order/valuation.js'
import { OrderPart } from './orderPart.js'
import { canChangeKey, type PageConfig } from './pageConfig.js'
import { Pictures } from './pictures.js'
import { usePrices } from './quote/usePrices.js'
import { TopBar } from './topBar.js'
import { useTokens } from './useTokens.js'
import { useWallet } from './wallet/useWallet.js'
import { WalletDialog } from './wallet/walletDialog.js'

/** The time after which the API counts as unreachable, because its last quote is then old. */
const TIMEOUT_MS = 8_000

type SwapPageProps = {
  readonly config: PageConfig
  readonly apiKey: string
  /** `why` is absent if the visitor wants to enter another key. */
  readonly onKeyRefused: (why?: string) => void
}

/** The swap page of a visitor with a key: order, quote and pictures. */
export function SwapPage({ config, apiKey, onKeyRefused }: SwapPageProps) {
  const braid = useMemo(() => {
    const { chainId } = config
    return createBraid({ url: location.origin, apiKey, chainId, timeoutMs: TIMEOUT_MS })
  }, [apiKey, config])
  const [draft, setDraft] = useDraft(config)
  const { tokens, failure } = useTokens(braid, [draft.src, draft.dst])
  useEffect(() => {
    if (tokens.size === 0 || tokens.has(draft.dst) || hasDst(location.hash)) return
    const dst = defaultDst(draft.src, tokens, config)
    if (dst) setDraft({ ...draft, dst })
  }, [tokens])
  const reading = orderOf(draft, tokens)
  const order = 'order' in reading ? reading.order : undefined
  const polled = useQuote(braid, order)
  const prices = usePrices(braid, [draft.src, draft.dst, NATIVE])
  const wallet = useWallet(config)
  const [isChoosing, setChoosing] = useState(false)
  const isOfOrder =
    order !== undefined && polled.order !== undefined && isSameOrder(order, polled.order)
  const error = isOfOrder ? polled.error : undefined
  const keyError = [error, failure].find((of) => of instanceof RefusedError && of.status === 401)
  useEffect(() => {
    if (keyError instanceof RefusedError) onKeyRefused(keyError.message)
  }, [keyError])
  const quote = isCurrent(polled, order) ? polled.value : undefined
  const quoted = quotedOf(polled, { prices, tokens, usdTokens: config.usdTokens })
  return (
    <>
      <TopBar
        {...{ config, wallet }}
        quote={polled.value}
        isStale={quote === undefined}
        onWallet={() => setChoosing(true)}
      />
      <WalletDialog connection={wallet} isOpen={isChoosing} onClose={() => setChoosing(false)} />
      <main class={isEmbedded ? 'layout embedded' : 'layout'}>
        <div class="layout-order">
          <OrderPart
            {...{ braid, config, wallet, tokens, draft, reading, quote, quoted, prices }}
            {...{ errors: [error, failure], isChoosing, apiKey, onDraft: setDraft }}
            onConnect={() => setChoosing(true)}
            onOtherKey={canChangeKey(config) ? () => onKeyRefused() : undefined}
          />
        </div>
        {!isEmbedded && (
          <Pictures {...{ braid, tokens, order, polled, error }} usdPerDst={quoted?.worth.perDst} />
        )}
      </main>
    </>
  )
}

const hasDst = (hash: string) => new URLSearchParams(hash.slice(1)).has('dst')

/** The last quote with both sides valued in dollars at its own rates. */
function quotedOf(
  { order, value: quote }: Polled<PageQuote>,
  by: Parameters<typeof worthOf>[2],
): QuotedOrder | undefined {
  if (!order || !quote) return undefined
  const { dstAmount, meta } = quote
  const sale = saleAt(order, quote)
  if (!sale) return undefined
  return {
    ...{ order, sale, quote },
    worth: worthOf(sale, { dstAmount, spotDstAmount: meta.spotDstAmount }, by),
  }
}
