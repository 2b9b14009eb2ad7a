// Apart from the client, because it brings the maths of all pools.

import { parseSnapshot, type Snapshot } from '@braid-swap/core'
import type { Braid } from './braid.js'

/**
 * The market that quotes are computed from, to compute them again offline. Throws as `createBraid`'s calls do, and
 * BAD_SNAPSHOT.
 *
 * @example const market = await readSnapshot(braid, { snapshotId })
 */
export async function readSnapshot(
  { snapshotText }: Pick<Braid, 'snapshotText'>,
  ...request: Parameters<Braid['snapshotText']>
): Promise<Snapshot> {
  return parseSnapshot(await snapshotText(...request))
}
