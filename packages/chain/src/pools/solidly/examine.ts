import type { Client } from '../../transport/client.js'
import type { Finding } from '../check.js'
import { examineQuotes } from '../examineQuotes.js'
import type { PoolRef } from '../loader.js'
import { load } from './load.js'

/** Compares the pair's own quotes with ours. */
export function examine(client: Client, ref: PoolRef): Promise<readonly Finding[]> {
  return examineQuotes(client, ref, () => load(ref))
}
