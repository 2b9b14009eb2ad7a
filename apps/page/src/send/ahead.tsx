import { type PayBy, shortAddress } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { amountText, symbolOf, type Tokens } from '../format.js'
import type { Agreed } from '../order/agreed.js'
import type { PageConfig } from '../pageConfig.js'
import type { Payer } from '../wallet/payer.js'

/** What is confirmed before the swap, by the way to pay. */
const firsts: Readonly<Record<PayBy, readonly [count: number, verb: string, then: string]>> = {
  calls: [1, 'approve', ' and '],
  permit: [2, 'sign a permit for', ', then '],
  approval: [2, 'approve', ', then '],
  // Permit2 itself is approved first, for exactly this amount, unless it may take it already.
  permit2: [3, 'approve Permit2 for and sign a transfer of', ', then '],
}

/** One line before signing: every confirmation to come, and what it is for. */
export function Ahead(props: {
  readonly agreed: Agreed
  readonly payBy: PayBy | undefined
  readonly payer: Payer
  /** The payer if undefined. */
  readonly receiver: Address | undefined
  readonly tokens: Tokens
  readonly config: PageConfig
}) {
  const { agreed, payBy, payer, receiver, tokens, config } = props
  const { sale, floor } = agreed
  const amount = (wei: bigint, token: Address) =>
    `${amountText(wei, tokens.get(token)?.decimals ?? 0)} ${symbolOf(token, tokens)}`
  const [count, verb, then] = payBy ? firsts[payBy] : [1, '', '']
  const first = `${verb} exactly ${amount(sale.amount, sale.src)} to ${shortAddress(config.router)}`
  const most = payBy === 'permit2' ? 'Up to ' : ''
  const words = count === 1 ? '1 confirmation' : `${most}${count} confirmations`
  return (
    <p class="soft fine" data-testid="ahead">
      {payer.kind === 'wallet' ? words : 'The demo account signs'}: {payBy && `${first}${then}`}
      swap; at least {amount(floor, sale.dst)}
      {receiver && ` to ${shortAddress(receiver)}`}.
    </p>
  )
}
