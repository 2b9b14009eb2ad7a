// Checks of an Algebra V1 pool for `braid doctor`: version and callback.

import { addressOf, wordAt } from '../../reads/abiWords.js'
import { createReader } from '../../reads/multicall.js'
import type { Client } from '../../transport/client.js'
import { callbackFinding, codeOf } from '../callbacks.js'
import type { Finding } from '../check.js'
import type { PoolRef } from '../loader.js'
import { DEFAULT_COMMUNITY_FEE, FACTORY } from './abi.js'

/** Findings about the version of the pool's factory and about the pool's swap callback. */
export async function examine(client: Client, ref: PoolRef): Promise<readonly Finding[]> {
  const read = createReader(client, 'latest')
  const [factory] = await read([{ to: ref.id, data: FACTORY }])
  const to = factory?.success ? addressOf(wordAt(factory.data, 0)) : ref.id
  const [fee] = await read([{ to, data: DEFAULT_COMMUNITY_FEE }])
  const found = fee?.success && fee.data !== '0x' ? '1.9' : '1.0'
  return [
    { subject: ref.venue, check: 'Algebra V1', assumed: 'any', found, holds: true },
    callbackFinding(ref, await codeOf(client, ref.id)),
  ]
}
