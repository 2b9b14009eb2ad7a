import { type Braid, createBraid } from '@braid-swap/client'
import { UsageError } from '../errors.js'
import type { Terminal } from '../terminal.js'
import type { SourceOptions } from './marketSource.js'

/** The API the options name; the key from `--key` or BRAID_API_KEY. Throws USAGE. */
export function apiOf(options: SourceOptions, terminal: Terminal): Braid {
  const url = options.api ?? ''
  const apiKey = options.key ?? terminal.env['BRAID_API_KEY']
  if (!/^https?:\/\/./i.test(url)) {
    throw new UsageError('--api is no URL', { got: url, wanted: 'http(s)://…' })
  }
  if (!apiKey) throw new UsageError('the API wants a key', { wanted: '--key KEY or BRAID_API_KEY' })
  return createBraid({ url, apiKey })
}
