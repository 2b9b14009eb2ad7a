import { type Braid, type Nearest, RefusedError } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { percentWords } from '@braid-swap/core/advanced'
import { amountText, fieldText, symbolOf, type Tokens } from '../format.js'
import { useRead } from '../useRead.js'
import type { Draft, PageOrder } from './order.js'

const EVERY_MS = 20_000

/** What would work instead of a refused order, each as a button. */
export function Offers(props: {
  readonly braid: Braid
  /** The API's refusal of the order. */
  readonly error: unknown
  readonly order: PageOrder | undefined
  readonly draft: Draft
  readonly tokens: Tokens
  readonly onDraft: (draft: Draft) => void
}) {
  const { braid, error, order, draft, tokens, onDraft } = props
  const refused = error instanceof RefusedError ? error : undefined
  const isShort = refused?.code === 'INSUFFICIENT_LIQUIDITY' && order !== undefined
  // Asked rarely, because it takes many searches, and again, because one may be late.
  const key = isShort ? Object.values(order).join(' ') : undefined
  const nearest = useRead(key, () => readNearest(braid, order!), EVERY_MS)
  const passed = `${refused?.details['onlyIntermediates'] ?? ''}`.split(',') as Address[]
  const untrusted = `${refused?.details['untrusted'] ?? ''}`.split(',') as Address[]
  const { src, dst } = draft
  const { side: _, ...paying } = draft
  if (refused?.code === 'ROUTE_UNTRUSTED') {
    const names = untrusted.map((token) => symbolOf(token, tokens)).join(' and ')
    return (
      <button
        class="secondary"
        type="button"
        onClick={() => onDraft({ ...draft, via: { src, dst, tokens: passed } })}
      >
        Pass through {names}, which nobody vouches for
      </button>
    )
  }
  const most = nearest?.atLoss ?? nearest
  if (!isShort || !most || most.amount === 0n) return null
  const amount = (wei: bigint, token: Address) =>
    `${amountText(wei, tokens.get(token)?.decimals ?? 0)} ${symbolOf(token, tokens)}`
  const loss = nearest?.atLoss ? `at a loss of ${percentWords(nearest.atLoss.lossBps)}` : 'at all'
  return (
    <button
      class="secondary"
      type="button"
      data-testid="offer"
      onClick={() =>
        onDraft({ ...paying, amount: fieldText(most.amount, tokens.get(src)?.decimals ?? 0) })
      }
    >
      Swap {amount(most.amount, src)} for {amount(most.dstAmount, dst)}, the most that sells {loss}
    </button>
  )
}

async function readNearest(braid: Braid, order: PageOrder): Promise<Nearest | undefined> {
  try {
    await braid.quote({ ...order, includeNearest: true })
    return undefined
  } catch (error) {
    return error instanceof RefusedError ? error.nearest : undefined
  }
}
