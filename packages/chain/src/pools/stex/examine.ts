// Checks of a Stake Exchange for `braid doctor`.

import type { Client } from '../../client.js'
import type { Finding } from '../../finding.js'
import { readHeader } from '../../headers.js'
import { createReader } from '../../multicall.js'
import { wordAt } from '../../words.js'
import type { PoolRef } from '../loader.js'
import { TOLERANCE } from './abi.js'

/**
 * Whether the staked token transfers exact amounts: the executor refuses a pool that takes one wei
 * less.
 */
export async function examine(client: Client, ref: PoolRef): Promise<readonly Finding[]> {
  const header = await readHeader(client, 'latest')
  const [answer] = await createReader(client, header)([{ to: ref.id, data: TOLERANCE }])
  const tolerance = answer?.success && answer.data !== '0x' ? wordAt(answer.data, 0) : undefined
  return [
    {
      ...{ subject: ref.venue, check: 'tolerance of the staked token', assumed: '0 wei' },
      found: tolerance === undefined ? 'unknown' : `${tolerance} wei`,
      ...(tolerance === 0n && { holds: true }),
    },
  ]
}
