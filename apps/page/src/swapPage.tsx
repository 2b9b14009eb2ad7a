import { createBraid, RefusedError } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ErrorNote } from './errorNote.js'
import { isAskedAgain } from './errorText.js'
import { type PageToken, symbolOf, type Tokens } from './format.js'
import { AmountQuestion } from './order/amountQuestion.js'
import { Balance } from './order/balance.js'
import { guardsOf, type Risk } from './order/guards.js'
import {
  type Draft,
  draftHash,
  isSameOrder,
  orderOf,
  type PageOrder,
  readDraft,
  type Sale,
  saleAt,
} from './order/order.js'
import { OrderCard, type QuotedOrder } from './order/orderCard.js'
import type { Setting } from './pageConfig.js'
import { CompareCard } from './quote/compareCard.js'
import { CurveCard } from './quote/curveCard.js'
import { Facts } from './quote/quoteDetails.js'
import { usePrices } from './quote/usePrices.js'
import { worthOf } from './quote/valuation.js'
import { RawCard } from './rawCard.js'
import { createRecorder, type Exchange } from './requestRecorder.js'
import { RouteCard } from './route/routeCard.js'
import { agreedOf } from './send/agreed.js'
import { SendPanel } from './send/sendPanel.js'
import { useBalance } from './send/useBalance.js'
import { TopBar } from './topBar.js'
import {
  isCurrent,
  isMarketsNo,
  type Live,
  type PageQuote,
  useComparison,
  useCurve,
  useQuote,
} from './usePolling.js'

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
  const { tokens, failure } = useTokens(braid)
  const [draft, setDraft] = useDraft(setting)
  const reading = orderOf(draft, tokens)
  const order = 'order' in reading ? reading.order : undefined
  const live = useQuote(braid, order)
  const sale = useSale(order, live)
  const comparison = useComparison(braid, sale)
  const curve = useCurve(braid, sale)
  const prices = usePrices(braid, [draft.src, draft.dst, NATIVE])
  const [sent, setSent] = useState(0)
  const balance = useBalance(setting.demo?.account, draft.src, sent)
  const isOfOrder =
    order !== undefined && live.order !== undefined && isSameOrder(order, live.order)
  const error = isOfOrder ? live.error : undefined
  const keyError = [error, failure].find((of) => of instanceof RefusedError && of.status === 401)
  useEffect(() => {
    if (keyError instanceof RefusedError) onKeyRefused(keyError.message)
  }, [keyError])
  const quote = isCurrent(live, order) ? live.value : undefined
  const quoted = quotedOf(live, { prices, tokens, usdTokens: setting.usdTokens })
  const gasPrice = draft.src === NATIVE ? quote?.meta.gasPrice : 0n
  const agreed = order && quote && agreedOf(order, quote, draft.slippage)
  const paid = agreed?.sale ?? (order?.amount === undefined ? undefined : order)
  const guards = paid && guardsOf(riskOf({ sale: paid, quote, draft, balance, tokens }))
  const setSlippage = (slippage: string) => setDraft(withSlippage(draft, slippage))
  // An order that cannot be filled shows no pictures, because the last ones show another order.
  const refused = isMarketsNo(error) ? { error } : undefined
  const isOld = (of: Live<unknown>, asked: PageOrder | undefined) =>
    !refused && (!quote || !isCurrent(of, asked))
  return (
    <>
      <TopBar setting={setting} quote={live.value} isStale={quote === undefined} />
      <main class="desk">
        <div class="desk-order">
          <OrderCard
            {...{ draft, tokens, order, quoted }}
            onDraft={setDraft}
            isCurrent={quote !== undefined}
            balance={<Balance {...{ draft, tokens, balance, gasPrice }} onDraft={setDraft} />}
          >
            {tokens.size > 0 && (
              <AmountQuestion
                reading={reading}
                symbol={symbolOf(draft.side ? draft.dst : draft.src, tokens)}
                onAmount={(amount) => setDraft({ ...draft, amount })}
              />
            )}
            {[error, failure].map(
              (of, i) => of !== undefined && <ErrorNote key={i} error={of} tokens={tokens} />,
            )}
            <Facts
              {...{ draft, tokens, quote, agreed, prices, cautions: guards?.cautions ?? [] }}
              onSlippage={setSlippage}
            />
            {setting.demo && (
              <SendPanel
                {...{ braid, setting, tokens, demo: setting.demo, draft, order, quote, guards }}
                onSent={() => setSent(sent + 1)}
              />
            )}
          </OrderCard>
        </div>
        <div class="desk-pictures">
          <RouteCard
            quote={refused ? undefined : live.value}
            isOld={isOld(live, order)}
            tokens={tokens}
          />
          <CompareCard
            {...{ live: refused ?? comparison, isOld: isOld(comparison, sale), tokens }}
            usdPerDst={quoted?.worth.perDst}
          />
          <CurveCard live={refused ?? curve} isOld={isOld(curve, sale)} tokens={tokens} />
          <RawCard
            {...{ exchange, apiKey }}
            isOld={quote === undefined && !isAnswer(error)}
            onOtherKey={setting.demo ? undefined : () => onKeyRefused()}
          />
        </div>
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

/**
 * What the order sells, for the pictures. For an amount to receive it is the input first quoted, so
 * that the pictures stay the same while the quote follows the market.
 */
function useSale(order: PageOrder | undefined, live: Live<PageQuote>): Sale | undefined {
  const kept = useRef<{ readonly order: PageOrder; readonly sale: Sale }>(undefined)
  if (!order) return undefined
  if (kept.current && isSameOrder(kept.current.order, order)) return kept.current.sale
  const quote = isCurrent(live, order) ? live.value : {}
  const sale = quote && saleAt(order, quote)
  if (sale) kept.current = { order, sale }
  return sale
}

/** The input of the guards; without a quote only the balance is checked. */
function riskOf(of: {
  readonly sale: Sale
  readonly quote: PageQuote | undefined
  readonly draft: Draft
  readonly balance: bigint | undefined
  readonly tokens: Tokens
}): Risk {
  const { sale, quote, draft, balance, tokens } = of
  const gasCost = sale.src === NATIVE && quote ? gasCostOf(quote) : 0n
  return {
    impactBps: quote ? quote.meta.priceImpactBps : 0,
    slippage: draft.slippage,
    isPurchase: draft.side !== undefined,
    paid: {
      ...{ amount: sale.amount, gasCost, ...(balance !== undefined && { balance }) },
      ...{ symbol: symbolOf(sale.src, tokens), decimals: tokens.get(sale.src)?.decimals ?? 0 },
    },
  }
}

function withSlippage({ linkSlippage: _, ...draft }: Draft, slippage: string): Draft {
  return { ...draft, slippage }
}

/** Whether an error is the API's answer to the last request, which the page then shows. */
function isAnswer(error: unknown): boolean {
  return error instanceof RefusedError && error.status !== 429
}

/** The time after which the tokens are requested again, if the error may pass. */
const TOKENS_RETRY_MS = 2_000

/** The market's tokens, read once: tokens verified by a list first, then by symbol. */
function useTokens(braid: ReturnType<typeof createBraid>) {
  const [tokens, setTokens] = useState<Tokens>(new Map())
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    const rank = ({ verified, symbol }: PageToken) => `${verified ? 0 : 1}${symbol.toLowerCase()}`
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    async function read() {
      try {
        const all = await braid.allTokens({}, { signal: stop.signal })
        if (stop.signal.aborted) return
        const sorted = [...all].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
        setTokens(new Map(sorted.map((token) => [token.address, token])))
        setFailure(undefined)
      } catch (error) {
        if (stop.signal.aborted) return
        setFailure(error)
        if (isAskedAgain(error)) timer = setTimeout(read, TOKENS_RETRY_MS)
      }
    }
    read()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [braid])
  return { tokens, failure }
}

/** The draft, kept in the page's address so that the visitor can share it. */
function useDraft(setting: Setting): readonly [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => readDraft(location.hash, setting))
  useEffect(() => {
    const read = () => setDraft(readDraft(location.hash, setting))
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [setting])
  const change = (next: Draft) => {
    history.replaceState(null, '', draftHash(next))
    setDraft(next)
  }
  return [draft, change]
}

/** The fee that the quote estimates, in wei of the native token. */
function gasCostOf({ gas, meta }: PageQuote): bigint {
  return gas * (meta.gasPrice ?? 0n)
}
