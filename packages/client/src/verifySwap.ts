import {
  type Address,
  BaseError,
  findMismatches,
  floorAt,
  type Intent,
  parseSlippagePpm,
  readIntent,
} from '@braid-swap/core'
import type { Swapped } from './answers.js'
import type { SwapRequest } from './requests.js'

/** WHYPE, HyperEVM's wrapped native token. */
const WHYPE: Address = '0x5555555555555555555555555555555555555555'
const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`

/**
 * Decodes what a swap's transaction does and holds it against what was asked: the tokens, the
 * amount, the receiver, the sender, the floor that the slippage leaves of `dstAmount`, and that it
 * goes to the router you know. Needs no network and trusts nobody. Throws MISMATCH, BAD_CALLDATA,
 * BAD_PROGRAM.
 *
 * @example verifySwap(await braid.swap(request), request, { router })
 */
export function verifySwap(
  { tx, dstAmount }: Pick<Swapped, 'tx' | 'dstAmount'>,
  request: SwapRequest,
  expected: {
    /** The router you know: one that the same server names proves nothing. */
    readonly router: Address
    /** WHYPE by default. */
    readonly wrappedNative?: Address
    /** Unix seconds after which the transaction must be worth nothing. */
    readonly latestDeadline?: bigint
  },
): Intent {
  const { router, wrappedNative = WHYPE, latestDeadline } = expected
  const slippagePpm = parseSlippagePpm(`${request.slippage}`)
  const wrong = [
    ...findMismatches(tx, {
      ...{ router, wrappedNative },
      wanted: {
        ...{ tokenIn: lower(request.src), tokenOut: lower(request.dst), amountIn: request.amount },
        receiver: lower(request.receiver ?? ZERO_ADDRESS),
        ...(slippagePpm !== undefined && { minAmountOut: floorAt(dstAmount, BigInt(slippagePpm)) }),
        ...(latestDeadline !== undefined && { deadline: latestDeadline }),
      },
    }),
    ...(slippagePpm === undefined ? ['slippage'] : []),
    ...(lower(request.from ?? ZERO_ADDRESS) === lower(tx.from) ? [] : ['from']),
  ]
  if (wrong.length > 0) throw new MismatchError(wrong)
  return readIntent(tx.data, wrappedNative)
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}

/** The transaction is not the swap that was asked for; `details.wrong` names what differs. */
export class MismatchError extends BaseError {
  readonly code = 'MISMATCH'

  constructor(wrong: readonly string[]) {
    super(`the transaction is not what was asked: ${wrong.join(', ')}`, { wrong: wrong.join(', ') })
  }
}
