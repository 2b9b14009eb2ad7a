import type { Braid } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { shortAddress } from '@braid-swap/draw'
import { useState } from 'preact/hooks'
import { ErrorNote } from '../errorNote.js'
import { amountText, bpsText, shortfallBps, symbolOf, type Tokens } from '../format.js'
import { CONFIRM_WORDS, type Confirmation, type Guards, isConfirmed } from '../order/guards.js'
import { type Draft, isSameOrder, type PageOrder } from '../order/order.js'
import type { Demo, Setting } from '../pageConfig.js'
import type { PageQuote } from '../usePolling.js'
import { agreedOf } from './agreed.js'
import { type PayBy, type Sent, type Step, sendSwap } from './sendSwap.js'

const payments: readonly (readonly [PayBy, string])[] = [
  ['approval', 'Approval'],
  ['permit2', 'Permit2 signature'],
]
const steps: readonly (readonly [Step, string])[] = [
  ['allow', 'Authorize exactly this amount'],
  ['build', 'Request the transaction'],
  ['verify', 'Check that it matches the order'],
  ['send', 'Send it and wait until it is mined'],
]

type Sending =
  | { readonly is: 'under way'; readonly step: Step }
  | { readonly is: 'done'; readonly sent: Sent }
  | {
      readonly is: 'failed'
      readonly step: Step
      readonly error: unknown
      readonly order: PageOrder
    }

type PanelProps = {
  readonly braid: Braid
  readonly setting: Setting
  readonly demo: Demo
  readonly draft: Draft
  readonly tokens: Tokens
  /** Undefined while the draft is not a valid order. */
  readonly order: PageOrder | undefined
  /** Present only while it is current, because only a current quote can be sent. */
  readonly quote: PageQuote | undefined
  readonly guards: Guards | undefined
  readonly onSent: () => void
}

/** Devnet only: sends the swap from the demo account and shows the amount received. */
export function SendPanel(props: PanelProps) {
  const { order, quote, guards, draft, tokens } = props
  const [sending, setSending] = useState<Sending>()
  const [payBy, setPayBy] = useState<PayBy>('approval')
  const [confirmation, setConfirmation] = useState<Confirmation>()
  const terms = termsOf(draft, quote)
  const agreed = order && quote && agreedOf(order, quote, draft.slippage)
  const send = async () => {
    if (!order || !agreed) return
    let step: Step = 'allow'
    try {
      const sent = await sendSwap(props, { ...agreed, slippage: draft.slippage, payBy }, (next) => {
        step = next
        setSending({ is: 'under way', step })
      })
      setSending({ is: 'done', sent })
    } catch (error) {
      setSending({ is: 'failed', step, error, order })
    }
    setConfirmation(undefined)
    props.onSent()
  }
  const isUnderWay = sending?.is === 'under way'
  const isAllowed = !guards?.mustConfirm || isConfirmed(confirmation, terms)
  const isReady = agreed !== undefined && guards !== undefined && guards.refusal === undefined
  // A failure of another order says nothing about this one.
  const isOfOrder = sending?.is !== 'failed' || (order && isSameOrder(order, sending.order))
  const shown = isOfOrder ? sending : undefined
  return (
    <div class="send">
      {draft.src !== NATIVE && <PayByChoice payBy={payBy} onPayBy={setPayBy} />}
      {guards?.refusal !== undefined && (
        <p class="warning grave" role="status" data-testid="refusal">
          {guards.refusal}
        </p>
      )}
      {isReady && guards.mustConfirm && !isUnderWay && (
        <label class="confirm">
          <span>
            Type <b>{CONFIRM_WORDS}</b> to confirm
          </span>
          <input
            autocomplete="off"
            spellcheck={false}
            value={confirmation?.terms === terms.terms ? confirmation.words : ''}
            onInput={({ currentTarget: { value } }) => setConfirmation({ ...terms, words: value })}
          />
        </label>
      )}
      <button
        class={guards?.mustConfirm ? 'primary grave' : 'primary'}
        type="button"
        disabled={!isReady || !isAllowed || isUnderWay}
        onClick={send}
      >
        {isUnderWay ? 'Sending…' : 'Swap from the demo account'}
      </button>
      {shown && shown.is !== 'done' && <Steps at={shown.step} isFailed={!isUnderWay} />}
      {shown?.is === 'failed' && <ErrorNote error={shown.error} tokens={tokens} />}
      {shown?.is === 'done' && <Arrived sent={shown.sent} tokens={tokens} />}
    </div>
  )
}

function termsOf({ src, dst, amount, side, slippage }: Draft, quote: PageQuote | undefined) {
  const terms = [src, dst, amount, side, slippage].join(' ')
  return { terms, impactBps: quote?.meta.priceImpactBps ?? null }
}

function PayByChoice(props: { readonly payBy: PayBy; readonly onPayBy: (payBy: PayBy) => void }) {
  return (
    <fieldset class="choice">
      <legend>Pay by</legend>
      {payments.map(([payment, words]) => (
        <label key={payment}>
          <input
            type="radio"
            name="pay"
            checked={payment === props.payBy}
            onChange={() => props.onPayBy(payment)}
          />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Steps({ at, isFailed }: { readonly at: Step; readonly isFailed: boolean }) {
  const now = steps.findIndex(([step]) => step === at)
  return (
    <ol class="steps" aria-live="polite">
      {steps.map(([step, words], i) => (
        <li key={step} class={i < now ? 'done' : i > now ? '' : isFailed ? 'failed' : 'now'}>
          {words}
        </li>
      ))}
    </ol>
  )
}

function Arrived({ sent, tokens }: { readonly sent: Sent; readonly tokens: Tokens }) {
  const { sale, received, quoted, hash, blockNumber, gasUsed, before, after } = sent
  const token = tokens.get(sale.dst)
  const amount = (wei: bigint, digits: number) =>
    `${amountText(wei, token?.decimals ?? 0, digits)} ${symbolOf(sale.dst, tokens)}`
  return (
    <div class="arrived" role="status" data-testid="arrived">
      <strong>{amount(received, 10)} arrived</strong>
      <p>{verdictOf(received, quoted)}</p>
      <dl class="facts">
        <div>
          <dt>Balance before</dt>
          <dd data-testid="before">{amount(before, 12)}</dd>
        </div>
        <div>
          <dt>Balance after</dt>
          <dd data-testid="after">{amount(after, 12)}</dd>
        </div>
        <div>
          <dt>Block</dt>
          <dd>
            {blockNumber.toLocaleString('en-US')} · {gasUsed.toLocaleString('en-US')} gas
          </dd>
        </div>
        <div>
          <dt>Transaction</dt>
          <dd>
            <code title={hash}>{shortAddress(hash)}</code>
          </dd>
        </div>
      </dl>
    </div>
  )
}

function verdictOf(received: bigint, quoted: bigint): string {
  if (received === quoted) return 'Exactly as quoted, to the last digit.'
  const bps = Math.abs(shortfallBps(received, quoted))
  const word = received > quoted ? 'more' : 'less'
  return `${bpsText(bps)} ${word} than quoted because the market moved in the meantime.`
}
