import { shortAddress } from '@braid-swap/client'
import { amountText, bpsText, LEAST_BPS, shortfallBps, symbolOf, type Tokens } from '../format.js'
import type { PageConfig } from '../pageConfig.js'
import { Transaction } from '../wallet/transaction.js'
import type { Sent } from './sendSwap.js'

type ArrivedProps = {
  readonly sent: Sent
  readonly tokens: Tokens
  readonly config: PageConfig
  /** The order on screen is another one by now. */
  readonly isEarlier: boolean
  /** The output went to another address than the payer's. */
  readonly isElsewhere: boolean
}

/** Compares the output of a swap with its quote. */
export function Arrived({ sent, tokens, config, isEarlier, isElsewhere }: ArrivedProps) {
  const { sale, received, quoted, hash, blockNumber, gasUsed, before, after } = sent
  const token = tokens.get(sale.dst)
  const amount = (wei: bigint, digits: number) =>
    `${amountText(wei, token?.decimals ?? 0, digits)} ${symbolOf(sale.dst, tokens)}`
  const sold = `${amountText(sale.amount, tokens.get(sale.src)?.decimals ?? 0)} ${symbolOf(sale.src, tokens)}`
  const where = isElsewhere ? ` at ${shortAddress(sent.receiver)}` : ''
  return (
    <div class="arrived" role="status" data-testid="arrived">
      {isEarlier && <p class="soft">Your earlier swap of {sold}</p>}
      {sent.isEarlier && <p>It had been sent before. Nothing more was sent now.</p>}
      <strong>
        {amount(received, 10)} arrived{where}
      </strong>
      <p>{verdictOf(received, quoted)}</p>
      <dl class="facts">
        <div>
          <dt>Quoted</dt>
          <dd data-testid="quoted">{amount(quoted, 12)}</dd>
        </div>
        <div>
          <dt>Received</dt>
          <dd data-testid="received">{amount(received, 12)}</dd>
        </div>
        <div>
          <dt>Balance before</dt>
          <dd data-testid="before">{amount(before, 12)}</dd>
        </div>
        {after !== undefined && (
          <div>
            <dt>Balance after</dt>
            <dd data-testid="after">{amount(after, 12)}</dd>
          </div>
        )}
        <div>
          <dt>Block</dt>
          <dd>
            {blockNumber.toLocaleString('en-US')} · {gasUsed.toLocaleString('en-US')} gas
          </dd>
        </div>
      </dl>
      <Transaction hash={hash} config={config} />
    </div>
  )
}

function verdictOf(received: bigint, quoted: bigint): string {
  if (received === quoted) return 'Exactly as quoted, to the last digit.'
  const bps = Math.abs(shortfallBps(received, quoted))
  const word = received > quoted ? 'more' : 'less'
  return `${bpsText(bps || LEAST_BPS)} ${word} than quoted.`
}
