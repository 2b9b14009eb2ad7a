import { shortAddress } from '@braid-swap/client'
import { decodeRouterCall } from '@braid-swap/core'
import { amountText } from '../format.js'
import type { PageConfig } from '../pageConfig.js'
import type { Payer } from '../wallet/payer.js'
import { Transaction } from '../wallet/transaction.js'
import { swapMemory, useEnds, useKeptSwaps } from './follow.js'
import { deadlineMsOf, type KeptSwap } from './swapMemory.js'

type ListProps = { readonly config: PageConfig; readonly payer: Payer | undefined }

/** The last swaps of this browser, the newest first. */
export function SwapList({ config, payer }: ListProps) {
  const swaps = useKeptSwaps().filter(({ sent }) => sent.router === config.router)
  const doubted = useEnds(swaps, payer)
  if (swaps.length === 0) return null
  return (
    <section class="card swaps" aria-label="Your swaps" data-testid="swaps">
      <h2>Your swaps</h2>
      <ul>
        {swaps.map((swap) => (
          <Entry
            key={swap.sent.id}
            {...{ swap, config, payer }}
            isDoubted={doubted.has(swap.sent.id)}
          />
        ))}
      </ul>
    </section>
  )
}

type EntryProps = ListProps & {
  readonly swap: KeptSwap
  /** Its end was looked for, and not found. */
  readonly isDoubted: boolean
}

function Entry({ swap, config, payer, isDoubted }: EntryProps) {
  const { outcome, sent, src, dst, startedMs } = swap
  const hash = outcome?.hash ?? sent.hash
  const amount = (wei: bigint) => `${amountText(wei, dst.decimals)} ${dst.symbol}`
  const canForget = outcome === undefined && (isDoubted || isLate(swap))
  const head = (
    <>
      <b>
        {amountText(decodeRouterCall(sent.data).amountIn, src.decimals)} {src.symbol} → {dst.symbol}
      </b>
      <time class="soft fine" dateTime={new Date(startedMs).toISOString()}>
        {timeText(startedMs)}
      </time>
    </>
  )
  const figures = (
    <>
      <dl class="facts">
        {outcome?.is === 'done' && (
          <div>
            <dt>Received</dt>
            <dd>{amount(outcome.received)}</dd>
          </div>
        )}
        <div>
          <dt>Quoted</dt>
          <dd>{amount(BigInt(sent.quoted))}</dd>
        </div>
      </dl>
      {hash && <Transaction hash={hash} config={config} />}
    </>
  )
  // The receipt above has the figures of the newest.
  if (outcome?.is === 'done') {
    return (
      <li>
        <details>
          <summary class="swap-head">{head}</summary>
          {figures}
        </details>
      </li>
    )
  }
  return (
    <li class={outcome === undefined ? 'open' : 'lost'}>
      <p class="swap-head">{head}</p>
      <p class="state">{stateText(swap, { payer, isDoubted })}</p>
      {figures}
      {canForget && (
        <button class="link" type="button" onClick={() => swapMemory.forget(sent.id)}>
          I have looked: forget it
        </button>
      )}
    </li>
  )
}

const ends: ReadonlyMap<string, string> = new Map([
  ['REVERTED', 'Reverted: nothing was swapped, only gas was paid.'],
  ['REPLACED', 'Another transaction took its place: nothing was swapped by this one.'],
  ['EXPIRED', 'Its deadline passed without it: nothing was swapped.'],
])

const isLate = (swap: KeptSwap) => Date.now() > deadlineMsOf(swap)

/** What is known of a swap that did not arrive. */
function stateText(
  swap: KeptSwap,
  { payer, isDoubted }: Pick<EntryProps, 'payer' | 'isDoubted'>,
): string {
  const { outcome, sent } = swap
  if (outcome?.is === 'not') return ends.get(outcome.code) ?? 'Nothing was swapped.'
  if (payer?.address !== sent.from) {
    return `Nobody knows yet how it ended. Connect the wallet ${shortAddress(sent.from)} to see it.`
  }
  const until = timeText(deadlineMsOf(swap))
  if (isLate(swap)) {
    return `Its deadline, ${until}, has passed. Whether it was performed before is still being looked for; the activity of your wallet may show it.`
  }
  if (isDoubted) {
    return `Nobody can say yet whether it was sent. It can be performed until ${until}: do not send it again before you have looked into your wallet.`
  }
  return sent.hash
    ? 'Sent. Waiting until it is mined.'
    : 'Handed to the wallet. Waiting until it is seen in a block.'
}

/** A time of today, or with its day. */
export function timeText(ms: number): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString()
  const day = { month: 'short', day: 'numeric' } as const
  return new Date(ms).toLocaleString('en-GB', {
    ...{ hour: '2-digit', minute: '2-digit' },
    ...(!isToday && day),
  })
}
