import type { Client } from '../../client.js'
import type { Finding } from '../../finding.js'
import { examineQuotes } from '../examineQuotes.js'
import type { PoolRef } from '../loader.js'
import { load } from './load.js'

/** Compares the pair's own quotes with ours. */
export function examine(client: Client, ref: PoolRef): Promise<readonly Finding[]> {
  return examineQuotes(client, ref, load(ref))
}
