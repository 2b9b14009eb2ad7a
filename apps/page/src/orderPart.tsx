import { type Braid, readBalance } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { useState } from 'preact/hooks'
import { CopyButton } from './copyButton.js'
import { ErrorNote } from './errorNote.js'
import { amountText, symbolOf, type Tokens, withSymbol } from './format.js'
import { SwapList } from './memory/swapList.js'
import { type Agreed, agreedOf } from './order/agreed.js'
import { AmountQuestion } from './order/amountQuestion.js'
import { Balance } from './order/balance.js'
import { type Caution, guardsOf, type Risk } from './order/guards.js'
import { Offers } from './order/offers.js'
import { AUTO, type Draft, type OrderReading, type Sale } from './order/order.js'
import { OrderCard, type QuotedOrder } from './order/orderCard.js'
import type { Picks } from './order/pickOrder.js'
import { type ReceiverReading, readReceiver } from './order/receiver.js'
import { ReceiverField } from './order/receiverField.js'
import { tokenCautions } from './order/tokenTrust.js'
import { curlOf, type PageQuote } from './order/usePolling.js'
import type { Prices } from './order/valuation.js'
import type { PageConfig } from './pageConfig.js'
import { QuoteDetails } from './quote/quoteDetails.js'
import { SendPanel } from './send/sendPanel.js'
import { useBalance } from './send/useBalance.js'
import { usePayWays } from './send/usePayWays.js'
import { ConnectPanel } from './wallet/connectPanel.js'
import type { Payer } from './wallet/payer.js'
import { usePayer } from './wallet/usePayer.js'
import type { WalletConnection } from './wallet/useWallet.js'

type OrderPartProps = {
  readonly braid: Braid
  readonly config: PageConfig
  readonly wallet: WalletConnection
  readonly tokens: Tokens
  readonly draft: Draft
  readonly reading: OrderReading
  /** Present only while it is current. */
  readonly quote: PageQuote | undefined
  readonly quoted: QuotedOrder | undefined
  readonly prices: Prices
  readonly errors: readonly unknown[]
  /** The wallet's dialog is open, which shows the wallet's errors itself. */
  readonly isChoosing: boolean
  readonly onDraft: (draft: Draft) => void
  readonly onConnect: () => void
  readonly apiKey: string
  readonly onOtherKey: (() => void) | undefined
}

/** The order card with everything that leads to a swap: amounts, figures, receiver and payment. */
export function OrderPart(props: OrderPartProps) {
  const { braid, config, wallet, tokens, draft, reading, quote, quoted, prices } = props
  const setDraft = props.onDraft
  const order = 'order' in reading ? reading.order : undefined
  const payer = usePayer(config, config.recorded ? undefined : wallet.connected)
  const walletError = props.isChoosing ? undefined : wallet.error
  const [sent, setSent] = useState(0)
  const balance = useBalance(payer, draft.src, sent)
  const agreed = order && quote && agreedOf(order, quote, draft.slippage)
  const paid = agreed?.sale ?? (order?.amount === undefined ? undefined : order)
  const payWays = usePayWays(payer, paid, { config, sent })
  const ends = { src: draft.src, dst: draft.dst, payer: payer?.address, config }
  const receiver = readReceiver(draft.receiver ?? '', ends)
  const guards =
    paid && guardsOf(riskOf({ sale: paid, quote, agreed, draft, balance, tokens, receiver }))
  // The last known price is good enough for “Max”, which would else come and go.
  const gasPrice = draft.src === NATIVE ? quoted?.quote.meta.gasPrice : 0n
  return (
    <>
      <OrderCard
        {...{ draft, tokens, order, quoted, agreed }}
        lookUp={(address) => braid.token(address).then(withSymbol)}
        picks={picksOf(config, payer)}
        onDraft={setDraft}
        isCurrent={quote !== undefined}
        balance={<Balance {...{ draft, tokens, balance, gasPrice }} onDraft={setDraft} />}
      >
        {draft.linkFaults && (
          <div class="warning grave" role="alert" data-testid="link-faults">
            A part of the link was not understood, so this may not be the order that was meant.{' '}
            {draft.linkFaults.join(' ')}
            <span class="answers">
              <button type="button" onClick={() => setDraft(withoutFaults(draft))}>
                Use the order as shown
              </button>
            </span>
          </div>
        )}
        {tokens.size > 0 && (
          <AmountQuestion
            reading={reading}
            symbol={symbolOf(draft.side ? draft.dst : draft.src, tokens)}
            onAmount={(amount) => setDraft({ ...draft, amount })}
          />
        )}
        {[...props.errors, payer && walletError].map(
          (of, i) => of !== undefined && <ErrorNote key={i} error={of} tokens={tokens} />,
        )}
        <Offers {...{ braid, order, draft, tokens, onDraft: setDraft }} error={props.errors[0]} />
        <QuoteDetails
          {...{ draft, tokens, quote, agreed, prices, cautions: guards?.cautions ?? [] }}
          onSlippage={(slippage) => setDraft(withSlippage(draft, slippage))}
          onTip={(tip) => setDraft(withTip(draft, tip))}
        />
        {!config.recorded && <ReceiverField {...{ draft, reading: receiver, onDraft: setDraft }} />}
        {config.recorded ? (
          <Recorded {...config.recorded} />
        ) : payer ? (
          <SendPanel
            {...{ braid, config, tokens, payer, payWays, draft, order, quote, guards, agreed }}
            receiver={receiver.is === 'other' ? receiver.address : undefined}
            onSent={() => setSent(sent + 1)}
            onDraft={setDraft}
          />
        ) : (
          <ConnectPanel
            {...{ connection: wallet, config }}
            error={walletError}
            onConnect={props.onConnect}
          />
        )}
        <p class="order-tools fine">
          <CopyButton class="link" textOf={() => `${location.origin}/${location.hash}`}>
            Copy a link to this order
          </CopyButton>
          {order && (
            <CopyButton class="link" textOf={() => curlOf(order, config, props.apiKey)}>
              Copy as curl
            </CopyButton>
          )}
          {props.onOtherKey && (
            <button class="link" type="button" onClick={props.onOtherKey}>
              Change key
            </button>
          )}
        </p>
      </OrderCard>
      <SwapList {...{ config, payer }} />
    </>
  )
}

/** Takes the place of the swap button where there is no chain. */
function Recorded({ blockNumber, blockTimestamp }: NonNullable<PageConfig['recorded']>) {
  return (
    <p class="warning" role="status" data-testid="recorded">
      Recorded market of block {Number(blockNumber).toLocaleString('en-US')},{' '}
      {new Date(blockTimestamp * 1_000).toISOString().slice(0, 10)}. Its quotes are for trying:
      there is no chain here to swap on.
    </p>
  )
}

/** The input of the guards; without a quote only the balance is checked. */
function riskOf(of: {
  readonly sale: Sale
  readonly quote: PageQuote | undefined
  readonly agreed: Agreed | undefined
  readonly draft: Draft
  readonly balance: bigint | undefined
  readonly tokens: Tokens
  readonly receiver: ReceiverReading
}): Risk {
  const { sale, quote, agreed, draft, balance, tokens, receiver } = of
  const isAuto = draft.slippage === AUTO
  const gasCost = sale.src === NATIVE && quote ? gasCostOf(quote) : 0n
  return {
    findings: quote?.meta.warnings ?? [],
    slippage: agreed?.slippage ?? (isAuto ? '0' : draft.slippage),
    isPurchase: draft.side !== undefined,
    others: [
      ...tokenCautions([draft.src, draft.dst], tokens),
      ...(receiver.is === 'other' ? [receiver.caution] : []),
      ...(agreed?.fee.isDear ? [dearGas(agreed.fee.most, symbolOf(NATIVE, tokens))] : []),
    ],
    fault: draft.linkFaults
      ? 'First answer the question about the link.'
      : receiver.is === 'wrong'
        ? receiver.why
        : isAuto && quote && !agreed
          ? 'The API has seen too few blocks to suggest a slippage. Choose one, or wait a moment.'
          : undefined,
    paid: {
      ...{ amount: sale.amount, gasCost, ...(balance !== undefined && { balance }) },
      ...{ symbol: symbolOf(sale.src, tokens), decimals: tokens.get(sale.src)?.decimals ?? 0 },
    },
  }
}

function dearGas(most: bigint, symbol: string): Caution {
  const text = `Gas may cost ${amountText(most, 18)} ${symbol}, which is more than 2 % of this order.`
  return { text, isGrave: true }
}

function picksOf({ usdTokens, wrappedNative }: PageConfig, payer: Payer | undefined): Picks {
  return {
    common: [NATIVE, wrappedNative, ...usdTokens],
    balanceOf: payer && ((token) => readBalance(payer.client, { token, owner: payer.address })),
  }
}

function withoutFaults({ linkFaults: _, ...draft }: Draft): Draft {
  return draft
}

function withSlippage({ linkSlippage: _, ...draft }: Draft, slippage: string): Draft {
  return { ...draft, slippage }
}

function withTip({ tip: _, ...draft }: Draft, tip: bigint | undefined): Draft {
  return tip === undefined ? draft : { ...draft, tip }
}

/** The fee that the quote estimates, in wei of the native token. */
function gasCostOf({ gas, meta }: PageQuote): bigint {
  return gas * (meta.gasPrice ?? 0n)
}
