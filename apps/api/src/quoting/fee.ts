// The fee that an integrator asks for with `feeBps` and `feeRecipient`: a part of the token out.

import type { Address, Fee, Order } from '@braid-swap/core'
import { receiverFault, wrappedOf } from '@braid-swap/core/advanced'
import { getAddress } from 'viem'
import type { AppConfig } from '../config/appConfig.js'
import { refusal } from '../errors.js'
import type { RouterCode } from '../node/deployment.js'
import type { QuoteAnswer } from './quoting.js'

/** The parameters of a fee. */
export type FeeWishes = {
  /** From 0, which is no fee, to 100. */
  readonly feeBps?: bigint | undefined
  readonly feeRecipient?: Address | undefined
}

/** A fee as an option of core; empty without one. */
export type FeeOption = { readonly fee?: Fee }

/** Parts per million in a basis point. */
export const PPM_PER_BPS = 100

/**
 * The fee of a request as an option of core, empty if there is none. Throws MISSING_PARAMETER if only
 * one of its parameters is given, and RECEIVER_REFUSED for a recipient that would lose it.
 */
export function feeOption(
  {
    config,
    routerCode,
  }: {
    readonly config: Pick<AppConfig, 'router' | 'wrappedNative' | 'chain'>
    readonly routerCode: RouterCode
  },
  order: Pick<Order, 'tokenIn' | 'tokenOut'>,
  { feeBps, feeRecipient }: FeeWishes,
): FeeOption {
  if (feeBps === undefined && feeRecipient === undefined) return {}
  if (feeBps === undefined || feeRecipient === undefined) {
    const path = feeBps === undefined ? 'feeBps' : 'feeRecipient'
    const message = 'is required: a fee has a size and a recipient'
    throw refusal({ code: 'MISSING_PARAMETER', path, message, expected: 'a value' })
  }
  const { router, wrappedNative, chain } = config
  const { systemAddresses } = chain
  const executors = routerCode.executors().map(({ address }) => address)
  const reason = receiverFault(feeRecipient, {
    ...{ ...order, wrappedNative, router, executors, systemAddresses },
  })
  if (reason !== undefined) {
    throw refusal({
      code: 'RECEIVER_REFUSED',
      ...{ path: 'feeRecipient', message: `must be another address: ${reason}` },
      ...{ received: feeRecipient, expected: 'an address that can use the fee' },
    })
  }
  if (feeBps === 0n) return {}
  const ppm = Number(feeBps) * PPM_PER_BPS
  return { fee: { of: 'tokenOut', ppm, recipient: feeRecipient } }
}

/** `meta.fee`: absent if nothing is paid, as by a swap that only wraps. */
export function feeMeta(
  { fee }: Pick<QuoteAnswer, 'fee'>,
  { tokenOut }: Pick<Order, 'tokenOut'>,
  wrappedNative: Address,
) {
  if (!fee) return {}
  const token = getAddress(wrappedOf(tokenOut, wrappedNative))
  const recipient = getAddress(fee.recipient)
  return { fee: { bps: fee.ppm / PPM_PER_BPS, amount: `${fee.amount}`, token, recipient } }
}
