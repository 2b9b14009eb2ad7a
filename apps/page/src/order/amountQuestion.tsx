import { toUnambiguous } from '../readAmount.js'
import type { OrderReading } from './order.js'

/** Says why the typed amount is not an order, and offers a button for each amount it may mean. */
export function AmountQuestion(props: {
  readonly reading: OrderReading
  readonly symbol: string
  readonly onAmount: (amount: string) => void
}) {
  const { reading, symbol } = props
  if ('order' in reading) {
    if (reading.readAs === undefined) return null
    return (
      <p class="soft why">
        Read as {reading.readAs} {symbol}
      </p>
    )
  }
  return (
    <div class={reading.values ? 'warning' : 'soft why'} role="status" data-testid="why">
      {reading.why}
      {reading.values && (
        <span class="answers">
          {reading.values.map((value) => (
            <button type="button" key={value} onClick={() => props.onAmount(toUnambiguous(value))}>
              {value} {symbol}
            </button>
          ))}
        </span>
      )}
    </div>
  )
}
