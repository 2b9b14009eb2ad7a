import { type Braid, createBraid } from '@braid-swap/client'
import type { Fee } from '@braid-swap/core'
import { UsageError } from '../errors.js'
import { ownChain } from '../ownChain.js'
import type { Terminal } from '../terminal.js'
import type { SourceOptions } from './marketSource.js'

/** A client of the API in the options, with the key from `--key` or BRAID_API_KEY. Throws USAGE. */
export function apiOf(options: SourceOptions, terminal: Terminal): Braid {
  const url = options.api ?? ''
  const apiKey = options.key ?? terminal.env['BRAID_API_KEY']
  if (!/^https?:\/\/./i.test(url)) {
    throw new UsageError('--api is not a URL', { got: url, wanted: 'http(s)://…' })
  }
  if (!apiKey) throw new UsageError('the API needs a key', { wanted: '--key KEY or BRAID_API_KEY' })
  return createBraid({ url, apiKey, chainId: ownChain().id })
}

/** Flags and the API count a fee in basis points, core in parts per million. */
export const PPM_PER_BPS = 100

/** The integrator's fee as parameters of the API, none if there is no fee. */
export function feeParameters({ fee }: { readonly fee?: Fee }) {
  return fee ? { feeBps: fee.ppm / PPM_PER_BPS, feeRecipient: fee.recipient } : {}
}
