import {
  type Braid,
  OutcomeUnknownError,
  orderKey,
  type PayBy,
  type SwapProgress,
} from '@braid-swap/client'
import { type Address, type BaseError, NATIVE } from '@braid-swap/core'
import { useRef, useState } from 'preact/hooks'
import { ErrorNote } from '../errorNote.js'
import { amountText, fieldText, symbolOf, type Tokens } from '../format.js'
import { claim, release, swapMemory, useKeptSwaps } from '../memory/follow.js'
import { timeText } from '../memory/swapList.js'
import type { KeptSwap } from '../memory/swapMemory.js'
import type { Agreed } from '../order/agreed.js'
import { CONFIRM_WORDS, type Confirmation, type Guards, isConfirmed } from '../order/guards.js'
import { type Draft, isSameOrder, type PageOrder } from '../order/order.js'
import type { PageQuote } from '../order/usePolling.js'
import type { PageConfig } from '../pageConfig.js'
import { addNetwork } from '../wallet/chain.js'
import type { Payer } from '../wallet/payer.js'
import { Ahead } from './ahead.js'
import { Arrived } from './arrived.js'
import { isLocked, type Sending } from './sending.js'
import { sendSwap } from './sendSwap.js'
import { Steps } from './steps.js'

const payments: Readonly<Record<PayBy, string>> = {
  calls: 'One confirmation',
  permit: 'Permit signature',
  approval: 'Approval',
  permit2: 'Permit2 signature',
}
const buttons: Readonly<Record<PayBy, string>> = {
  calls: 'Approve and swap',
  permit: 'Sign and swap',
  approval: 'Approve, then swap',
  permit2: 'Sign and swap',
}

type PanelProps = {
  readonly braid: Braid
  readonly config: PageConfig
  readonly payer: Payer
  /** The ways to authorize the amount, the best first; none if nothing must be authorized. */
  readonly payWays: readonly PayBy[]
  readonly draft: Draft
  readonly tokens: Tokens
  /** Undefined while the draft is not a valid order. */
  readonly order: PageOrder | undefined
  /** Present only while it is current, because only a current quote can be sent. */
  readonly quote: PageQuote | undefined
  readonly guards: Guards | undefined
  /** The terms that the button agrees to; present with the quote. */
  readonly agreed: Agreed | undefined
  /** The payer if undefined. */
  readonly receiver: Address | undefined
  readonly onSent: () => void
  readonly onDraft: (draft: Draft) => void
}

/** Sends the swap from the payer's account and shows the amount received. */
export function SendPanel(props: PanelProps) {
  const { order, guards, draft, tokens, payer, payWays, config, quote } = props
  const [chosen, choose] = useState<PayBy>()
  const payBy = payWays.find((way) => way === chosen) ?? payWays[0]
  const { sending, send } = useSending(props, payBy)
  const [confirmation, setConfirmation] = useState<Confirmation>()
  const terms = termsOf(draft, quote)
  const isOfOrder = sending && order && isSameOrder(order, sending.order)
  const isUnderWay = isLocked(sending, order)
  const isAllowed = !guards?.mustConfirm || isConfirmed(confirmation, terms)
  const isReady = quote !== undefined && guards !== undefined && guards.refusal === undefined
  const open = useKeptSwaps().filter(({ outcome }) => outcome === undefined)
  const blocking = isUnderWay ? undefined : blockingOf(props, open)
  // A failure of another order says nothing about this one; what arrived stays arrived.
  const shown =
    (isOfOrder || sending?.is !== 'failed') && !isOver(sending, open) ? sending : undefined
  const start = () => send().finally(() => setConfirmation(undefined))
  return (
    <div class="send">
      {payWays.length > 1 && !isUnderWay && (
        <PayByChoice ways={payWays} payBy={payBy} onPayBy={choose} />
      )}
      {guards?.refusal !== undefined && (
        <p class="warning grave" role="status" data-testid="refusal">
          {guards.refusal}
        </p>
      )}
      {isReady && guards.mustConfirm && !isUnderWay && (
        <ConfirmField
          words={confirmation?.terms === terms.terms ? confirmation.words : ''}
          onWords={(words) => setConfirmation({ ...terms, words })}
        />
      )}
      {blocking && shown?.is !== 'failed' && (
        <p class="warning" role="status" data-testid="blocked">
          You sent this order at {timeText(blocking.startedMs)}, and nobody knows yet how it ended.
          It is looked for under “Your swaps”. Until that is known it is not sent again, so that you
          do not swap twice.
        </p>
      )}
      {isReady && !isUnderWay && props.agreed && (
        <Ahead {...props} agreed={props.agreed} payBy={payBy} />
      )}
      <button
        class={guards?.mustConfirm ? 'primary grave' : 'primary'}
        type="button"
        disabled={!isReady || !isAllowed || isUnderWay || blocking !== undefined}
        onClick={start}
      >
        {isUnderWay ? 'Sending…' : buttonText(payer, payBy)}
      </button>
      {shown && shown.is !== 'done' && (
        <Steps
          {...shown}
          {...{ config }}
          isFailed={shown.is === 'failed'}
          isWallet={isWallet(payer)}
        />
      )}
      {shown?.is === 'failed' && <Failure {...props} error={shown.error} />}
      {shown?.is === 'done' && (
        <Arrived
          {...{ sent: shown.sent, tokens, config }}
          isEarlier={!isOfOrder}
          isElsewhere={shown.sent.receiver !== payer.address}
        />
      )}
    </div>
  )
}

/** The swap of the same order whose end nobody knows. */
function blockingOf({ order, payer, receiver, config }: PanelProps, open: readonly KeptSwap[]) {
  if (!order) return undefined
  const asked = { ...order, slippage: 0, ...(receiver && { receiver }) }
  const key = orderKey(asked, { chainId: config.chainId, from: payer.address })
  return open.find(({ sent }) => sent.terms === key)
}

/** True of a failure whose outcome was unknown, and is known since. */
function isOver(sending: Sending | undefined, open: readonly KeptSwap[]): boolean {
  if (sending?.is !== 'failed' || !(sending.error instanceof OutcomeUnknownError)) return false
  const { id } = sending.error.sent
  return open.every(({ sent }) => sent.id !== id)
}

const isWallet = ({ kind }: Payer) => kind === 'wallet'

function buttonText(payer: Payer, payBy: PayBy | undefined): string {
  if (!isWallet(payer)) return 'Swap from the demo account'
  return payBy === undefined ? 'Swap' : buttons[payBy]
}

/** Sends the swap on the terms that are on screen when `send` is called. */
function useSending(props: PanelProps, payBy: PayBy | undefined) {
  const { order, quote, agreed, payer, tokens, receiver = payer.address } = props
  const [sending, show] = useState<Sending>()
  const newest = useRef(0)
  const send = async () => {
    if (!order || !quote || !agreed) return
    const { blockNumber: number, blockHash: hash } = quote.meta
    const ends = { src: endOf(order.src, tokens), dst: endOf(order.dst, tokens) }
    const terms = {
      ...{ ...agreed, order, payBy: payBy ?? ('approval' as const), receiver, ends },
      block: { number, hash },
    }
    let progress: SwapProgress = { step: 'check' }
    // One that has left is shown by the list as soon as another starts.
    newest.current += 1
    const run = newest.current
    const setSending = (next: Sending) => run === newest.current && show(next)
    const started = { order, payBy }
    // What went wrong before must not stand beside a new attempt.
    setSending({ ...started, is: 'under way', progress })
    const onStep = (next: SwapProgress) => {
      progress = next
      if (next.sent) claim(next.sent.id)
      setSending({ ...started, is: 'under way', progress })
    }
    try {
      const sent = await sendSwap({ ...props, memory: swapMemory }, terms, onStep)
      setSending({ ...started, is: 'done', progress, sent })
    } catch (error) {
      setSending({ ...started, is: 'failed', progress, error })
    }
    if (progress.sent) release(progress.sent.id)
    props.onSent()
  }
  return { sending, send }
}

function endOf(address: Address, tokens: Tokens) {
  return {
    address,
    symbol: symbolOf(address, tokens),
    decimals: tokens.get(address)?.decimals ?? 0,
  }
}

function termsOf(draft: Draft, quote: PageQuote | undefined) {
  const { src, dst, amount, side, slippage, receiver } = draft
  const terms = [src, dst, amount, side, slippage, receiver].join(' ')
  return { terms, impactBps: quote?.meta.priceImpactBps ?? null }
}

function PayByChoice(props: {
  readonly ways: readonly PayBy[]
  readonly payBy: PayBy | undefined
  readonly onPayBy: (payBy: PayBy) => void
}) {
  return (
    <fieldset class="choice">
      <legend>Pay by</legend>
      {props.ways.map((way) => (
        <label key={way}>
          <input
            type="radio"
            name="pay"
            checked={way === props.payBy}
            onChange={() => props.onPayBy(way)}
          />
          <span>{payments[way]}</span>
        </label>
      ))}
    </fieldset>
  )
}

function ConfirmField(props: {
  readonly words: string
  readonly onWords: (words: string) => void
}) {
  return (
    <label class="confirm">
      <span>
        Type <b>{CONFIRM_WORDS}</b> to confirm
      </span>
      <input
        autocomplete="off"
        spellcheck={false}
        value={props.words}
        onInput={({ currentTarget: { value } }) => props.onWords(value)}
      />
    </label>
  )
}

/** Codes of a wallet whose node serves another network with the same chain id. */
const OTHER_NETWORK = new Set(['WALLET_OTHER_NETWORK', 'ROUTER_UNVERIFIED'])

function Failure(props: PanelProps & { readonly error: unknown }) {
  const { error, tokens, payer, config, draft } = props
  const { code, details } = error as Partial<BaseError>
  const said = `${details?.['most']}`
  const most = code === 'GAS_NOT_COVERED' && /^\d+$/.test(said) ? BigInt(said) : 0n
  const { side: _, ...paying } = draft
  const canAdd = isWallet(payer) && OTHER_NETWORK.has(code ?? '')
  return (
    <>
      <ErrorNote error={error} tokens={tokens} />
      {most > 0n && (
        <button
          class="secondary"
          type="button"
          onClick={() => props.onDraft({ ...paying, amount: fieldText(most, 18) })}
        >
          Swap {amountText(most, 18)} {symbolOf(NATIVE, tokens)}, which leaves room for gas
        </button>
      )}
      {canAdd && (
        <button
          class="secondary"
          type="button"
          onClick={() => addNetwork(payer.client, config).catch(() => {})}
        >
          Use {config.chain.rpcUrl} in the wallet
        </button>
      )}
    </>
  )
}
