import { formatAmount, type Meta, parseAmount } from '@braid-swap/client'
import { useState } from 'preact/hooks'

const GWEI_DECIMALS = 9

/** The choice of the tip for each gas, which buys a place in a full block: as served, a larger one, or an own one. */
export function TipChoice(props: {
  /** In wei; as served if undefined. */
  readonly tip: bigint | undefined
  readonly meta: Pick<Meta, 'gasPrice' | 'priorityFee'> | undefined
  readonly onTip: (tip: bigint | undefined) => void
}) {
  const { tip, meta, onTip } = props
  const [typed, setTyped] = useState<string>()
  const own = typed === undefined ? undefined : readGwei(typed)
  const isOwn = own !== undefined && own === tip
  const choose = (next: bigint | undefined) => {
    setTyped(undefined)
    onTip(next)
  }
  const type = (text: string) => {
    setTyped(text)
    const wei = readGwei(text)
    if (wei !== undefined) onTip(wei)
  }
  const choices = [
    ['As served', tip === undefined, () => undefined],
    ['Larger', tip !== undefined && !isOwn, () => largerTip(meta)],
  ] as const
  return (
    <fieldset class="choice" data-testid="tip">
      <legend>Tip</legend>
      {choices.map(([words, isChosen, tipOf]) => (
        <label key={words}>
          <input type="radio" name="tip" checked={isChosen} onChange={() => choose(tipOf())} />
          <span>{words}</span>
        </label>
      ))}
      <input
        class={isOwn ? 'own typed' : 'own'}
        inputmode="decimal"
        autocomplete="off"
        aria-label="Tip in gwei"
        placeholder="gwei"
        value={typed ?? (tip === undefined ? '' : formatAmount(tip, GWEI_DECIMALS))}
        onInput={({ currentTarget: { value } }) => type(value)}
      />
    </fieldset>
  )
}

/** Twice the tip of the quote, and at least its base fee, so that it counts while blocks are full. */
function largerTip(meta: Pick<Meta, 'gasPrice' | 'priorityFee'> | undefined): bigint | undefined {
  const { gasPrice, priorityFee = 0n } = meta ?? {}
  if (gasPrice === undefined) return undefined
  const base = gasPrice - priorityFee
  return 2n * priorityFee > base ? 2n * priorityFee : base
}

/** A typed number of gwei in wei; undefined if it is none. */
function readGwei(text: string): bigint | undefined {
  try {
    return parseAmount(text.replace(',', '.'), GWEI_DECIMALS)
  } catch {
    return undefined
  }
}
