import { shippedChain } from '@braid-swap/contracts'
import {
  type Address,
  BaseError,
  type CalledContracts,
  decodeRouterCall,
  type Fee,
  findMismatches,
  floorAt,
  type Hex,
  type Intent,
  parseSlippagePpm,
  readIntent,
} from '@braid-swap/core'
import {
  ReceiverRefusedError,
  receiverFault,
  requireFields,
  type SystemAddresses,
  type TxFees,
  ZERO_ADDRESS,
} from '@braid-swap/core/advanced'
import type { SwapRequest } from './requests.js'
import type { SwapMeta, Swapped } from './responses.js'

/** The caller's own limits for a swap. None of them may come from the server that built the swap. */
export type OwnTerms = {
  /** The router you know, as `verifyRouter` gives it: one that the same server names proves nothing. */
  readonly router: Address
  /** The executors you know, as `verifyRouter` gives them: the call names one, and none is the receiver. */
  readonly executors: readonly Address[]
  /** Of the chain; that of `shippedChain` of contracts by default, as `systemAddresses`, where what is paid is lost. */
  readonly wrappedNative?: Address
  readonly systemAddresses?: readonly SystemAddresses[]
  /**
   * The least that must come out, in wei of the token out, by your own opinion of the price: the
   * server's `dstAmount` less a slippage is the server's opinion.
   */
  readonly minAmountOut: bigint
  /** With `dstAmountExact`: the most that may be sold, in wei of the token in, by your own opinion. */
  readonly maxAmountIn?: bigint
  /** Unix seconds after which the transaction must be worth nothing. */
  readonly latestDeadline: bigint
  /** The most that each transaction may cost in gas, in wei of the native token: gas times its price. */
  readonly maxNetworkFee: bigint
}

/** A transaction that may be sent as it is: every field was compared or made here. Amounts in wei. */
export type CheckedTransaction = {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  /** Type 2: the base fee and the tip are paid, and at most this for each gas. */
  readonly maxFeePerGas: bigint
  /** The tip for a place in a full block. */
  readonly maxPriorityFeePerGas: bigint
}

/** The parts of an answer to `swap` that are compared, and what to pay for gas: without `meta`, its `gasPrice`. */
export type BuiltSwap = Pick<Swapped, 'tx' | 'dstAmount'> & {
  readonly meta?: Partial<Pick<SwapMeta, 'fees' | 'gasPrice' | 'gasCostInDst'>> | undefined
}

/** The highest slippage of `auto`, in parts per million: 5 %. */
const MAX_AUTO_PPM = 50_000

/**
 * Decodes a swap's transaction and compares it with the request and with your own terms: tokens,
 * amount, value, receiver, sender, router, executor, deadline, the integrator's fee, which may not be above the
 * requested one, and the floor. The floor is neither below yours nor below `dstAmount` less the
 * slippage; with `auto`, less the highest automatic slippage. Gas times its price is at most your
 * `maxNetworkFee`, to which `meta.fees` is cut; the tip is yours if you asked for one. Returns what the
 * calldata does, and as `tx` what to send: nothing else of the answer may reach a wallet. Needs
 * no network. Throws RECEIVER_REFUSED, MISMATCH, BAD_CALLDATA, BAD_PROGRAM, BAD_TERMS or BAD_OPTIONS.
 *
 * @example
 * const { tx } = verifySwap(await braid.swap(request), request, { ...known, ...terms })
 * await walletClient.sendTransaction(tx)
 */
export function verifySwap(
  built: BuiltSwap,
  request: SwapRequest,
  expected: OwnTerms,
): Intent & { readonly tx: CheckedTransaction } {
  requireFields('swap', built, ['tx', 'dstAmount'])
  requireFields('request', request, ['src', 'dst'])
  requireFields('terms', expected, ['router', 'executors'])
  const { tx, dstAmount, meta } = built
  requireFields('tx', tx, ['from', 'to', 'data', 'value', 'gas', 'gasPrice'])
  const { router, executors } = expected
  const {
    wrappedNative = shippedChain.wrappedNative,
    systemAddresses = shippedChain.systemAddresses,
  } = expected
  const where = { router, executors, wrappedNative, systemAddresses }
  const from = lower(request.from ?? ZERO_ADDRESS)
  const call = decodeRouterCall(tx.data)
  refuseReceiver(call, request, where)
  const slippagePpm =
    request.slippage === 'auto' ? MAX_AUTO_PPM : parseSlippagePpm(`${request.slippage}`)
  const { minAmountOut, latestDeadline } = readOwn(expected)
  const quotedFloor =
    request.dstAmountExact ??
    (slippagePpm === undefined ? 0n : floorAt(dstAmount, BigInt(slippagePpm)))
  const wrong = [
    ...findMismatches(tx, {
      ...where,
      wanted: {
        ...{
          tokenIn: lower(request.src),
          tokenOut: lower(request.dst),
          amountIn: amountInOf(request, call, expected),
        },
        ...{ receiver: lower(request.receiver ?? ZERO_ADDRESS), sender: from },
        minAmountOut: quotedFloor > minAmountOut ? quotedFloor : minAmountOut,
        deadline: earlier(latestDeadline, request.deadline),
        fee: feeOf(request),
      },
    }),
    ...(slippagePpm === undefined ? ['slippage'] : []),
    ...(from === lower(tx.from) ? [] : ['from']),
    ...faultsOfFee(tx, expected),
  ]
  if (wrong.length > 0) throw new MismatchError(wrong)
  const { data, value, gas } = tx
  const { maxPriorityFeePerGas: tip } = request
  const fees = { ...tx, ...meta?.fees, ...(tip !== undefined && { maxPriorityFeePerGas: tip }) }
  return {
    ...readIntent(data, wrappedNative, where),
    tx: { to: lower(router), data, value, gas, ...feesOf(fees, expected) },
  }
}

/** The fields of type 2, in wei for each gas, of which none lets the gas cost more than the limit. */
export function feesOf(
  {
    gas,
    gasPrice,
    maxFeePerGas = gasPrice,
    maxPriorityFeePerGas = 0n,
  }: { readonly gas: bigint; readonly gasPrice: bigint } & Partial<Omit<TxFees, 'gasPrice'>>,
  { maxNetworkFee }: Pick<OwnTerms, 'maxNetworkFee'>,
) {
  const most = least(maxFeePerGas, maxNetworkFee / (gas || 1n))
  return { maxFeePerGas: most, maxPriorityFeePerGas: least(maxPriorityFeePerGas, most) }
}

export const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** `networkFee` if gas times its price is above the caller's own limit. Throws BAD_TERMS. */
export function faultsOfFee(
  { gas, gasPrice }: { readonly gas: bigint; readonly gasPrice: bigint },
  { maxNetworkFee }: Pick<OwnTerms, 'maxNetworkFee'>,
): readonly string[] {
  const most = readPositive('maxNetworkFee', maxNetworkFee, 'the most that gas may cost, in wei')
  const isCost = gas >= 0n && gasPrice >= 0n && gas * gasPrice <= most
  return isCost ? [] : ['networkFee']
}

/** The amount that must be sold: the one asked for, or with `dstAmountExact` any up to your own most. */
function amountInOf(
  { amount }: SwapRequest,
  call: { readonly amountIn: bigint },
  { maxAmountIn }: OwnTerms,
): bigint {
  if (amount !== undefined) return amount
  const most = readPositive('maxAmountIn', maxAmountIn, 'the most that you sell, in wei')
  return call.amountIn <= most ? call.amountIn : most
}

/** The fee that was asked for; without one, no integrator may be paid. */
function feeOf({ feeBps = 0, feeRecipient }: SwapRequest): Fee | undefined {
  if (feeBps === 0 || feeRecipient === undefined) return undefined
  return { of: 'tokenOut', ppm: feeBps * PPM_PER_BPS, recipient: lower(feeRecipient) }
}

const PPM_PER_BPS = 100

function readOwn({ minAmountOut, latestDeadline }: OwnTerms) {
  return {
    minAmountOut: readPositive('minAmountOut', minAmountOut, 'the least that you accept, in wei'),
    latestDeadline: readPositive('latestDeadline', latestDeadline, 'Unix seconds', YEAR_5138),
  }
}

/** In Unix seconds: beyond are milliseconds, which would be a deadline that never comes. */
const YEAR_5138 = 10n ** 11n

/** Callers without types may leave a term out, and nothing would be compared with it. */
function readPositive(name: string, value: unknown, meaning: string, below?: bigint): bigint {
  if (typeof value === 'bigint' && value > 0n && !(below && value >= below)) return value
  throw new BadTermsError(`${name} must be a positive bigint: ${meaning}`, { got: `${value}` })
}

function refuseReceiver(
  { receiver, tokenIn, tokenOut }: Intent['call'],
  request: Pick<SwapRequest, 'receiver'>,
  where: CalledContracts & { readonly wrappedNative: Address },
): void {
  // The router replaces the zero address by the sender, which is not what somebody means who asks for it.
  if (receiver === ZERO_ADDRESS && request.receiver !== ZERO_ADDRESS) return
  const fault = receiverFault(receiver, { tokenIn, tokenOut, ...where })
  if (fault !== undefined) throw new ReceiverRefusedError(receiver, fault)
}

function earlier(latest: bigint, asked: number | undefined): bigint {
  return asked !== undefined && BigInt(asked) < latest ? BigInt(asked) : latest
}

/** An address as ours are compared. */
export function lower(address: Address): Address {
  return address.toLowerCase() as Address
}

/** A term of the caller's own is missing or has another type; nothing was compared with it. */
export class BadTermsError extends BaseError {
  readonly code = 'BAD_TERMS'
}

/** The transaction is not the swap that was asked for; `details.wrong` names what differs. */
export class MismatchError extends BaseError {
  readonly code = 'MISMATCH'

  constructor(wrong: readonly string[]) {
    super(`the transaction is not what was asked: ${wrong.join(', ')}`, { wrong: wrong.join(', ') })
  }
}
