import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSnapshot } from '@braid-swap/core'
import { recordedVectorsPath } from '@braid-swap/vectors'
import { type Market, toMarket } from '../market.js'

/**
 * The markets committed among the recorded vectors; empty if there are none. The dollar is the
 * deepest priced token with six decimals, because a snapshot has no token names.
 */
export function loadRecorded(): readonly Market[] {
  const folder = join(recordedVectorsPath, 'snapshots')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.sort().map((file) => {
    const snapshot = parseSnapshot(readFileSync(join(folder, file), 'utf8'))
    const market = toMarket(file.replace(/\.json$/, ''), snapshot, snapshot.wrappedNative)
    const depthOf = (address: `0x${string}`) => market.prices.depthOf.get(address) ?? 0
    const dollar = snapshot.tokens
      .filter(({ address, decimals }) => decimals === 6 && depthOf(address) > 0)
      .sort((a, b) => depthOf(b.address) - depthOf(a.address))[0]
    return { ...market, dollar: dollar?.address ?? snapshot.wrappedNative }
  })
}
