import { amountText, fieldText, symbolOf, type Tokens } from '../format.js'
import type { Draft } from './order.js'

/** Gas that is left to pay for when all of a native balance is sold: a whole block, at twice the price. */
const GAS_RESERVE = 2n * 3_000_000n

/** The balance of the paying account, with buttons that set the amount to half or all of it. */
export function Balance(props: {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly tokens: Tokens
  readonly balance: bigint | undefined
  /** In wei of the token to sell, 0 unless it pays for gas; undefined while it is unknown. */
  readonly gasPrice: bigint | undefined
}) {
  const { draft, tokens, balance, gasPrice } = props
  const token = tokens.get(draft.src)
  if (balance === undefined || !token) return null
  const { side: _, ...paying } = draft
  const pay = (wei: bigint) => () =>
    props.onDraft({ ...paying, amount: fieldText(wei, token.decimals) })
  const most = gasPrice === undefined ? 0n : balance - GAS_RESERVE * gasPrice
  return (
    <div>
      Balance {amountText(balance, token.decimals, 7)} {symbolOf(draft.src, tokens)}{' '}
      <button
        class="link"
        type="button"
        aria-label="Use half of the balance"
        onClick={pay(balance / 2n)}
      >
        Half
      </button>
      {most > 0n && (
        <button
          class="link"
          type="button"
          aria-label="Max: use all of the balance"
          onClick={pay(most)}
        >
          Max
        </button>
      )}
    </div>
  )
}
