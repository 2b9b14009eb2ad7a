import { createBraid, RefusedError } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { isEmbedded } from './embed.js'
import { isSameOrder, orderOf, saleAt } from './order/order.js'
import type { QuotedOrder } from './order/orderCard.js'
import { useDraft } from './order/useDraft.js'
import { OrderPart } from './orderPart.js'
import { canChangeKey, type Setting } from './pageConfig.js'
import { Pictures } from './pictures.js'
import { usePrices } from './quote/usePrices.js'
import { worthOf } from './quote/valuation.js'
import { createRecorder, type Exchange } from './requestRecorder.js'
import { TopBar } from './topBar.js'
import { isCurrent, type Live, type PageQuote, useQuote } from './usePolling.js'
import { useTokens } from './useTokens.js'
import { useWallet } from './wallet/useWallet.js'
import { WalletDialog } from './wallet/walletDialog.js'

/** The time after which the API counts as unreachable, because its last quote is then old. */
const TIMEOUT_MS = 8_000

type DeskProps = {
  readonly setting: Setting
  readonly apiKey: string
  /** `why` is absent if the visitor wants to enter another key. */
  readonly onKeyRefused: (why?: string) => void
}

/** The swap page of a visitor with a key: order, quote, pictures and the raw request. */
export function Desk({ setting, apiKey, onKeyRefused }: DeskProps) {
  const [exchange, setExchange] = useState<Exchange>()
  const braid = useMemo(() => {
    const record = (path: string, made: Exchange) => path.endsWith('/quote') && setExchange(made)
    return createBraid({
      ...{ url: location.origin, apiKey, chainId: setting.chainId, fetch: createRecorder(record) },
      timeoutMs: TIMEOUT_MS,
    })
  }, [apiKey, setting])
  const [draft, setDraft] = useDraft(setting)
  const { tokens, failure } = useTokens(braid, [draft.src, draft.dst])
  const reading = orderOf(draft, tokens)
  const order = 'order' in reading ? reading.order : undefined
  const live = useQuote(braid, order)
  const prices = usePrices(braid, [draft.src, draft.dst, NATIVE])
  const wallet = useWallet(setting)
  const [isChoosing, setChoosing] = useState(false)
  const isOfOrder =
    order !== undefined && live.order !== undefined && isSameOrder(order, live.order)
  const error = isOfOrder ? live.error : undefined
  const keyError = [error, failure].find((of) => of instanceof RefusedError && of.status === 401)
  useEffect(() => {
    if (keyError instanceof RefusedError) onKeyRefused(keyError.message)
  }, [keyError])
  const quote = isCurrent(live, order) ? live.value : undefined
  const quoted = quotedOf(live, { prices, tokens, usdTokens: setting.usdTokens })
  return (
    <>
      <TopBar
        {...{ setting, wallet }}
        quote={live.value}
        isStale={quote === undefined}
        onWallet={() => setChoosing(true)}
      />
      <WalletDialog desk={wallet} isOpen={isChoosing} onClose={() => setChoosing(false)} />
      <main class={isEmbedded ? 'desk embedded' : 'desk'}>
        <div class="desk-order">
          <OrderPart
            {...{ braid, setting, wallet, tokens, draft, reading, quote, quoted, prices }}
            {...{ errors: [error, failure], isChoosing, onDraft: setDraft }}
            onConnect={() => setChoosing(true)}
          />
        </div>
        {!isEmbedded && (
          <Pictures
            {...{ braid, tokens, order, live, error, exchange, apiKey }}
            usdPerDst={quoted?.worth.perDst}
            onOtherKey={canChangeKey(setting) ? () => onKeyRefused() : undefined}
          />
        )}
      </main>
    </>
  )
}

/** The last quote with both sides valued in dollars at its own rates. */
function quotedOf(
  { order, value: quote }: Live<PageQuote>,
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
