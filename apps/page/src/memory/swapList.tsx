import { shortAddress } from '@braid-swap/client'
import { amountText } from '../format.js'
import type { PageConfig } from '../pageConfig.js'
import type { Payer } from '../wallet/payer.js'
import { Transaction } from '../wallet/transaction.js'
import { swapMemory, useKeptSwaps } from './follow.js'
import { deadlineMsOf, isOpen, isUnsettled, type KeptSwap } from './swapMemory.js'

type ListProps = { readonly config: PageConfig; readonly payer: Payer | undefined }

/** The last swaps of this browser, the newest first. */
export function SwapList({ config, payer }: ListProps) {
  const swaps = useKeptSwaps(payer).filter(({ sent }) => sent.router === config.router)
  if (swaps.length === 0) return null
  return (
    <section class="card swaps" aria-label="Your swaps" data-testid="swaps">
      <h2>Your swaps</h2>
      <ul>
        {swaps.map((swap) => (
          <Entry key={swap.id} {...{ swap, config, payer }} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ swap, config, payer }: ListProps & { readonly swap: KeptSwap }) {
  const { outcome, sent, src, dst, quoted, sold, startedMs } = swap
  const hash = (outcome && 'hash' in outcome && outcome.hash) || sent.hash
  const amount = (wei: bigint) => `${amountText(wei, dst.decimals)} ${dst.symbol}`
  return (
    <li class={isOpen(swap) ? 'open' : outcome?.is === 'done' ? '' : 'lost'}>
      <p class="swap-head">
        <b>
          {amountText(sold, src.decimals)} {src.symbol} → {dst.symbol}
        </b>
        <time class="soft fine" dateTime={new Date(startedMs).toISOString()}>
          {timeText(startedMs)}
        </time>
      </p>
      {outcome?.is !== 'done' && <p class="state">{stateText(swap, payer)}</p>}
      <dl class="facts">
        {outcome?.is === 'done' && (
          <div>
            <dt>Received</dt>
            <dd>{amount(outcome.received)}</dd>
          </div>
        )}
        <div>
          <dt>Quoted</dt>
          <dd>{amount(quoted)}</dd>
        </div>
      </dl>
      {hash && <Transaction hash={hash} config={config} />}
      {outcome?.is === 'unknown' && (
        <button class="link" type="button" onClick={() => swapMemory.forget(swap.id)}>
          I have looked: forget it
        </button>
      )}
    </li>
  )
}

const failures: ReadonlyMap<string, string> = new Map([
  ['REVERTED', 'Reverted: nothing was swapped, only gas was paid.'],
  ['REPLACED', 'Another transaction took its place: nothing was swapped by this one.'],
])

/** What is known of a swap that did not arrive. */
function stateText(swap: KeptSwap, payer: Payer | undefined): string {
  const { outcome, sent } = swap
  if (outcome?.is === 'failed') return failures.get(outcome.code) ?? 'Nothing was swapped.'
  if (!isUnsettled(swap)) return ''
  if (!isOpen(swap)) {
    return 'Nobody saw it in a block before its deadline, after which it cannot be performed. The activity of your wallet shows if it was.'
  }
  if (payer?.address !== sent.from) {
    return `It may be under way. Connect the wallet ${shortAddress(sent.from)} to see how it ends.`
  }
  const until = timeText(deadlineMsOf(swap))
  if (outcome) {
    return `Nobody can say yet whether it was sent. It can be performed until ${until}: do not send it again before you have looked into your wallet.`
  }
  return sent.hash
    ? 'Sent. Waiting until it is mined.'
    : 'Handed to the wallet. Waiting until it is seen in a block.'
}

function timeText(ms: number): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString()
  const day = { month: 'short', day: 'numeric' } as const
  return new Date(ms).toLocaleString('en-GB', {
    ...{ hour: '2-digit', minute: '2-digit' },
    ...(!isToday && day),
  })
}
