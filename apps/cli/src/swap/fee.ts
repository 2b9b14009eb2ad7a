// The integrator's fee of the options `--fee-bps` and `--fee-recipient`.

import type { Fee } from '@braid-swap/core'
import { MAX_FEE_PPM } from '@braid-swap/core/advanced'
import { UsageError } from '../errors.js'
import { PPM_PER_BPS } from '../sources/apiClient.js'
import { readAddress } from './slippage.js'

/** The options of a fee. */
export type FeeOptions = { readonly feeBps?: string; readonly feeRecipient?: string }

/** The fee in the options as an option of a quote, empty if there is none. Throws USAGE. */
export function readFee({ feeBps, feeRecipient }: FeeOptions): { readonly fee?: Fee } {
  if (feeBps === undefined && feeRecipient === undefined) return {}
  if (feeBps === undefined || feeRecipient === undefined) {
    throw new UsageError('a fee has a size and a recipient', {
      wanted: '--fee-bps and --fee-recipient',
    })
  }
  const recipient = readAddress('--fee-recipient', feeRecipient)
  const ppm = /^\d{1,3}$/.test(feeBps) ? Number(feeBps) * PPM_PER_BPS : Number.NaN
  if (!(ppm <= MAX_FEE_PPM)) {
    const wanted = `a whole number from 0 to ${MAX_FEE_PPM / PPM_PER_BPS}`
    throw new UsageError('--fee-bps is not a fee', { got: feeBps, wanted })
  }
  return ppm === 0 ? {} : { fee: { of: 'tokenOut', ppm, recipient } }
}
