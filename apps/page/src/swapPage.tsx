import { createBraid, RefusedError } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ErrorNote } from './errorNote.js'
import { isAskedAgain } from './errorText.js'
import { amountText, fieldText, type PageToken, symbolOf, type Tokens } from './format.js'
import { AmountQuestion } from './order/amountQuestion.js'
import { guardsOf, type Risk } from './order/guards.js'
import {
  type Draft,
  draftHash,
  isSameOrder,
  orderOf,
  type PageOrder,
  readDraft,
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
  const comparison = useComparison(braid, order)
  const curve = useCurve(braid, order)
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
  const guards = order && guardsOf(riskOf({ order, quote, draft, balance, tokens }))
  const setSlippage = (slippage: string) => setDraft(withSlippage(draft, slippage))
  // An order that cannot be filled shows no pictures, because the last ones show another order.
  const refused = isMarketsNo(error) && order ? { order, error } : undefined
  const isOld = (of: Live<unknown>) => !refused && (!quote || !isCurrent(of, order))
  return (
    <>
      <TopBar setting={setting} quote={live.value} isStale={quote === undefined} />
      <main class="desk">
        <div class="desk-order">
          <OrderCard
            {...{ draft, tokens, order, quoted }}
            onDraft={setDraft}
            isCurrent={quote !== undefined}
            balance={<Balance {...{ draft, tokens, balance }} onDraft={setDraft} />}
          >
            {tokens.size > 0 && (
              <AmountQuestion
                reading={reading}
                symbol={symbolOf(draft.src, tokens)}
                onAmount={(amount) => setDraft({ ...draft, amount })}
              />
            )}
            {[error, failure].map(
              (of, i) => of !== undefined && <ErrorNote key={i} error={of} tokens={tokens} />,
            )}
            <Facts
              {...{ draft, tokens, quote, prices, cautions: guards?.cautions ?? [] }}
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
          <RouteCard quote={refused ? undefined : live.value} isOld={isOld(live)} tokens={tokens} />
          <CompareCard
            {...{ live: refused ?? comparison, isOld: isOld(comparison), tokens }}
            usdPerDst={quoted?.worth.perDst}
          />
          <CurveCard live={refused ?? curve} isOld={isOld(curve)} tokens={tokens} />
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
  return {
    order,
    quote,
    worth: worthOf(order, { dstAmount, spotDstAmount: meta.spotDstAmount }, by),
  }
}

/** The input of the guards; without a quote only the balance is checked. */
function riskOf(of: {
  readonly order: PageOrder
  readonly quote: PageQuote | undefined
  readonly draft: Draft
  readonly balance: bigint | undefined
  readonly tokens: Tokens
}): Risk {
  const { order, quote, draft, balance, tokens } = of
  const gasCost = order.src === NATIVE && quote ? quote.gas * (quote.meta.gasPrice ?? 0n) : 0n
  return {
    impactBps: quote ? quote.meta.priceImpactBps : 0,
    slippage: draft.slippage,
    paid: {
      ...{ amount: order.amount, gasCost, ...(balance !== undefined && { balance }) },
      ...{ symbol: symbolOf(order.src, tokens), decimals: tokens.get(order.src)?.decimals ?? 0 },
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

/** Devnet only: the balance of the account, with a button that sets the amount to half of it. */
function Balance(props: {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly tokens: Tokens
  readonly balance: bigint | undefined
}) {
  const { draft, tokens, balance } = props
  const token = tokens.get(draft.src)
  if (balance === undefined || !token) return null
  const half = () => props.onDraft({ ...draft, amount: fieldText(balance / 2n, token.decimals) })
  return (
    <div>
      Balance {amountText(balance, token.decimals, 7)} {symbolOf(draft.src, tokens)}{' '}
      <button class="link" type="button" aria-label="Use half of the balance" onClick={half}>
        Half
      </button>
    </div>
  )
}
