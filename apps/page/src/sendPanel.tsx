import type { Braid } from '@braid-swap/client'
import { type Address, NATIVE } from '@braid-swap/core'
import { shortAddress } from '@braid-swap/draw'
import { useState } from 'preact/hooks'
import { ErrorNote } from './errorNote.js'
import type { PageOrder } from './order.js'
import { type PayBy, type Sent, type Step, sendSwap } from './sendSwap.js'
import type { Demo, Setting } from './setting.js'
import { amountText, bpsText, shortfallBps, symbolOf, type Tokens } from './text.js'

const ways: readonly (readonly [PayBy, string])[] = [
  ['approval', 'Approval'],
  ['permit2', 'Permit2 signature'],
]
const steps: readonly (readonly [Step, string])[] = [
  ['allow', 'Let the router take exactly this amount'],
  ['build', 'Ask for the transaction'],
  ['verify', 'Check that it is what was asked'],
  ['send', 'Send it and wait for its block'],
]

type Sending =
  | { readonly is: 'under way'; readonly step: Step }
  | { readonly is: 'done'; readonly sent: Sent }
  | { readonly is: 'failed'; readonly step: Step; readonly error: unknown }

/** On a devnet: really sends the swap, and shows what arrived. */
export function SendPanel(props: {
  readonly braid: Braid
  readonly setting: Setting
  readonly demo: Demo
  readonly src: Address
  /** Only one that is quoted can be sent. */
  readonly order: PageOrder | undefined
  readonly slippage: string
  readonly tokens: Tokens
  readonly onSent: () => void
}) {
  const { order, slippage, tokens } = props
  const [sending, setSending] = useState<Sending>()
  const [payBy, setPayBy] = useState<PayBy>('approval')
  const send = async () => {
    if (!order) return
    let step: Step = 'allow'
    try {
      const sent = await sendSwap(props, { order, slippage, payBy }, (next) => {
        step = next
        setSending({ is: 'under way', step })
      })
      setSending({ is: 'done', sent })
    } catch (error) {
      setSending({ is: 'failed', step, error })
    }
    props.onSent()
  }
  const isUnderWay = sending?.is === 'under way'
  return (
    <div class="send">
      {props.src !== NATIVE && (
        <fieldset class="choice">
          <legend>Pay by</legend>
          {ways.map(([way, words]) => (
            <label key={way}>
              <input
                type="radio"
                name="pay"
                checked={way === payBy}
                onChange={() => setPayBy(way)}
              />
              <span>{words}</span>
            </label>
          ))}
        </fieldset>
      )}
      <button class="primary" type="button" disabled={!order || isUnderWay} onClick={send}>
        {isUnderWay ? 'Sending…' : 'Swap from the demo account'}
      </button>
      {sending && sending.is !== 'done' && <Steps at={sending.step} isFailed={!isUnderWay} />}
      {sending?.is === 'failed' && <ErrorNote error={sending.error} />}
      {sending?.is === 'done' && <Arrived sent={sending.sent} tokens={tokens} />}
    </div>
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
  const { order, received, quoted, hash, blockNumber, gasUsed, before, after } = sent
  const token = tokens.get(order.dst)
  const amount = (wei: bigint, digits: number) =>
    `${amountText(wei, token?.decimals ?? 0, digits)} ${symbolOf(order.dst, tokens)}`
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
  return `${bpsText(bps)} ${word} than quoted: the market moved in between.`
}
