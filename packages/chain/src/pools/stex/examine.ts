// Checks of a Stake Exchange for `braid doctor`.

import { wordAt } from '../../reads/abiWords.js'
import { readHeader } from '../../reads/headers.js'
import { createReader } from '../../reads/multicall.js'
import type { Client } from '../../transport/client.js'
import type { Finding } from '../check.js'
import type { PoolRef } from '../loader.js'
import { TOLERANCE } from './abi.js'

/**
 * Checks that the staked token transfers exact amounts: the executor refuses a pool that takes one wei
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
