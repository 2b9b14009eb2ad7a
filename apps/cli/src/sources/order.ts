import { parseAmount } from '@braid-swap/client'
import type { ExactOutOrder, Order } from '@braid-swap/core'
import { UsageError } from '../errors.js'
import { type ListedToken, resolveToken } from './tokens.js'

/** The options that define an order for an amount to sell, or for one to buy. */
export type OrderOptions = {
  readonly in: string
  readonly out: string
  readonly amount?: string
  readonly amountWei?: string
  readonly amountOut?: string
}

/**
 * Reads an order from the options, with the given tokens. Throws USAGE, BAD_AMOUNT, UNKNOWN_TOKEN,
 * AMBIGUOUS_TOKEN.
 */
export function readOrder(options: OrderOptions, tokens: readonly ListedToken[]): Order {
  const { tokenIn, tokenOut } = readEnds(options, tokens)
  const amountIn = checkRange(readAmount(options, tokenIn))
  return { tokenIn: tokenIn.address, tokenOut: tokenOut.address, amountIn }
}

/** The two tokens of an order. Throws USAGE, UNKNOWN_TOKEN, AMBIGUOUS_TOKEN. */
export function readEnds(
  options: Pick<OrderOptions, 'in' | 'out'>,
  tokens: readonly ListedToken[],
): { readonly tokenIn: ListedToken; readonly tokenOut: ListedToken } {
  const tokenIn = resolveToken(options.in, tokens)
  const tokenOut = resolveToken(options.out, tokens)
  if (tokenIn.address === tokenOut.address) {
    throw new UsageError('--in and --out are the same token', { got: tokenIn.address })
  }
  return { tokenIn, tokenOut }
}

function checkRange(wei: bigint): bigint {
  if (wei === 0n) throw new UsageError('the amount is zero')
  return checkWord(wei)
}

/** No contract takes more. */
function checkWord(wei: bigint): bigint {
  if (wei >= 1n << 256n) throw new UsageError('the amount is above 2^256-1')
  return wei
}

/**
 * Reads an order for an amount to buy from the options; `undefined` unless `--amount-out` is given.
 * Throws as {@link readOrder}.
 */
export function readExactOut(
  options: OrderOptions,
  tokens: readonly ListedToken[],
): ExactOutOrder | undefined {
  const { amountOut, ...others } = options
  if (amountOut === undefined) return undefined
  if (others.amount !== undefined || others.amountWei !== undefined) {
    throw new UsageError('--amount-out replaces the amount to sell', {
      got: 'both',
      wanted: '--amount-out, or --amount or --amount-wei',
    })
  }
  const { tokenIn, tokenOut } = readEnds(others, tokens)
  const wanted = checkRange(parseAmount(amountOut, tokenOut.decimals))
  return { tokenIn: tokenIn.address, tokenOut: tokenOut.address, amountOut: wanted }
}

/** The amount in wei from `--amount` or `--amount-wei`; exactly one must be given. Throws USAGE. */
export function readAmount(
  options: Pick<OrderOptions, 'amount' | 'amountWei'>,
  token: Pick<ListedToken, 'decimals'>,
): bigint {
  const { amount, amountWei } = options
  if ((amount === undefined) === (amountWei === undefined)) {
    throw new UsageError('exactly one amount to sell is needed', {
      got: amount === undefined ? 'nothing' : '--amount and --amount-wei',
      wanted: '--amount 1.5 in whole tokens, or --amount-wei 1500000',
    })
  }
  return checkWord(
    amount === undefined ? parseAmount(amountWei!, 0) : parseAmount(amount, token.decimals),
  )
}
