import { shippedChain } from '@braid-swap/contracts'
import { type Address, NATIVE } from '@braid-swap/core'
import { withGasMargin, withGasPriceMargin } from '@braid-swap/core/advanced'

/** Gas may cost a fiftieth of what an order is worth, */
const SHARE = 50n
/** and this many times what it may cost after six full blocks. */
const MOST_RISE = 8n

/**
 * The most that the gas of an order may cost, in wei of the native token: a fiftieth of what the order is worth, and
 * at most 8 times what it may cost after six full blocks. If that is above the fiftieth, or the worth is unknown, the
 * order `isDear`: `most` is what it may cost then, and its owner must be asked. `gasCostInDst` is the worth of `gas`
 * at `gasPrice` in wei of `dst`; only an order between two other tokens than the native one needs that word. Never
 * throws.
 *
 * @example
 * const { most, isDear } = networkFeeLimit(order, { dstAmount, gas, ...meta })
 */
export function networkFeeLimit(
  {
    src,
    dst,
    amount,
    wrappedNative = shippedChain.wrappedNative,
  }: {
    readonly src: Address
    readonly dst: Address
    readonly amount: bigint
    /** As in `OwnTerms`. */
    readonly wrappedNative?: Address
  },
  { gas, gasPrice, dstAmount, gasCostInDst = 0n }: GasFigures,
): NetworkFee {
  const now = withGasMargin(gas) * withGasPriceMargin(gasPrice) || 1n
  const isNative = (token: Address) =>
    [NATIVE, wrappedNative].includes(token.toLowerCase() as Address)
  const ratio = gasCostInDst > 0n ? (gas * gasPrice * dstAmount) / gasCostInDst : 0n
  const worth = isNative(dst) ? dstAmount : isNative(src) ? amount : ratio
  const [share, most] = [worth / SHARE, MOST_RISE * now]
  return share < now
    ? { most: now, isDear: true }
    : { most: share < most ? share : most, isDear: false }
}

/** What a quote says of its gas; amounts in wei. */
export type GasFigures = {
  readonly gas: bigint
  readonly gasPrice: bigint
  readonly dstAmount: bigint
  readonly gasCostInDst?: bigint | undefined
}

/** The most that gas may cost, in wei of the native token, and whether somebody must be asked about it. */
export type NetworkFee = { readonly most: bigint; readonly isDear: boolean }
