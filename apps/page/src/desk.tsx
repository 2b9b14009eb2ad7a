import { createBraid, RefusedError } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { CompareCard } from './compareCard.js'
import { CurveCard } from './curveCard.js'
import { readBalance } from './demoNode.js'
import { ErrorNote } from './errorNote.js'
import { createRecorder, type Exchange } from './exchange.js'
import { Facts } from './facts.js'
import { type Live, useComparison, useCurve, useQuote } from './live.js'
import { type Draft, draftHash, orderOf, type PageOrder, readDraft } from './order.js'
import { OrderCard, worth } from './orderCard.js'
import { RawCard } from './rawCard.js'
import { RouteCard } from './routeCard.js'
import { SendPanel } from './sendPanel.js'
import type { Setting } from './setting.js'
import { amountText, fieldText, type PageToken, symbolOf, type Tokens } from './text.js'
import { TopBar } from './topBar.js'

type DeskProps = {
  readonly setting: Setting
  readonly apiKey: string
  /** Without a reason the visitor wants another key. */
  readonly onKeyRefused: (why?: string) => void
}

/** Everything that is done with a key. */
export function Desk({ setting, apiKey, onKeyRefused }: DeskProps) {
  const [exchange, setExchange] = useState<Exchange>()
  const braid = useMemo(() => {
    const record = (path: string, made: Exchange) => path.endsWith('/quote') && setExchange(made)
    return createBraid({
      ...{ url: location.origin, apiKey, chainId: setting.chainId, fetch: createRecorder(record) },
    })
  }, [apiKey, setting])
  const { tokens, failure } = useTokens(braid)
  const [draft, setDraft] = useDraft(setting)
  const typed = orderOf(draft, tokens)
  const order = 'order' in typed ? typed.order : undefined
  const live = useQuote(braid, order)
  const comparison = useComparison(braid, order)
  const curve = useCurve(braid, order)
  const [paid, setPaid] = useState(0)
  const error = live.error ?? failure
  useEffect(() => {
    if (error instanceof RefusedError && error.status === 401) onKeyRefused(error.message)
  }, [error])
  const isCurrent = order !== undefined && live.order !== undefined && same(order, live.order)
  const quoted = live.order && live.value && { order: live.order, quote: live.value }
  const shown = isCurrent ? live.value : undefined
  // What the market cannot take has no pictures, and those of the last order are not its own.
  const refused = isCurrent && error !== undefined && !live.value ? { order, error } : undefined
  const isOld = (of: Live<unknown>) => !order || !of.order || !same(order, of.order)
  return (
    <>
      <TopBar setting={setting} quote={live.value} isStale={error !== undefined} />
      <main class="desk">
        <div class="desk-order">
          <OrderCard
            {...{ draft, tokens, quoted }}
            onDraft={setDraft}
            isWaiting={!isCurrent}
            paying={<Paying {...{ setting, draft, tokens, order, paid }} onDraft={setDraft} />}
          >
            {'why' in typed && tokens.size > 0 && <p class="soft why">{typed.why}</p>}
            {error !== undefined && 'order' in typed && <ErrorNote error={error} />}
            <Facts
              {...{ draft, tokens, quote: shown }}
              onSlippage={(slippage) => setDraft({ ...draft, slippage })}
            />
            {setting.demo && (
              <SendPanel
                {...{ braid, setting, tokens, demo: setting.demo, slippage: draft.slippage }}
                src={draft.src}
                order={shown && order}
                onSent={() => setPaid(paid + 1)}
              />
            )}
          </OrderCard>
        </div>
        <div class="desk-pictures">
          <RouteCard quote={live.value} tokens={tokens} />
          <CompareCard live={refused ?? comparison} isOld={isOld(comparison)} tokens={tokens} />
          <CurveCard live={refused ?? curve} isOld={isOld(curve)} tokens={tokens} />
          <RawCard
            {...{ exchange, apiKey }}
            onOtherKey={setting.demo ? undefined : () => onKeyRefused()}
          />
        </div>
      </main>
    </>
  )
}

function same(a: PageOrder, b: PageOrder): boolean {
  return a.src === b.src && a.dst === b.dst && a.amount === b.amount
}

/** The market's tokens, read once: those that a list verifies first, then by symbol. */
function useTokens(braid: ReturnType<typeof createBraid>) {
  const [tokens, setTokens] = useState<Tokens>(new Map())
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    const rank = ({ verified, symbol }: PageToken) => `${verified ? 0 : 1}${symbol.toLowerCase()}`
    braid.allTokens().then((all) => {
      const sorted = [...all].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
      setTokens(new Map(sorted.map((token) => [token.address, token])))
    }, setFailure)
  }, [braid])
  return { tokens, failure }
}

/** The draft, kept in the page's address so that it can be sent to somebody. */
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

/** Under the amount: what it is worth and, on a devnet, what the account holds of it. */
function Paying(props: {
  readonly setting: Setting
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly tokens: Tokens
  readonly order: PageOrder | undefined
  /** Counts what was sent: the balance is another one after. */
  readonly paid: number
}) {
  const { setting, draft, tokens, order, paid } = props
  const token = tokens.get(draft.src)
  const balance = useBalance(setting.demo?.account, draft.src, paid)
  return (
    <>
      <span>{order ? worth(order.amount, order.src, tokens) : '\u00a0'}</span>
      {balance !== undefined && token && (
        <button
          class="link"
          type="button"
          title="Half of it"
          onClick={() =>
            props.onDraft({ ...draft, amount: fieldText(balance / 2n, token.decimals) })
          }
        >
          Balance {amountText(balance, token.decimals, 7)} {symbolOf(draft.src, tokens)}
        </button>
      )}
    </>
  )
}

function useBalance(account: Address | undefined, token: Address, paid: number) {
  const [balance, setBalance] = useState<bigint>()
  // What was paid changes the answer.
  useEffect(() => {
    setBalance(undefined)
    if (!account) return
    let isGone = false
    readBalance(account, token).then(
      (read) => !isGone && setBalance(read),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [account, token, paid])
  return balance
}
