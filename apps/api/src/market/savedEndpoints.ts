import { createHash } from 'node:crypto'
import type { EndpointProfile } from '@braid-swap/chain'
import { parse, stringify } from '@braid-swap/core/advanced'
import { readSealed, writeSealed } from './checksummedFile.js'

/** Changes with every incompatible change of the file format. */
const FORMAT = 'braid endpoints 1'

/** Saves what the endpoints at these URLs do. The URLs are hashed, because they may contain a key. */
export function saveProfiles(
  file: string,
  {
    rpcUrls,
    profiles,
  }: { readonly rpcUrls: readonly string[]; readonly profiles: readonly EndpointProfile[] },
): Promise<void> {
  return writeSealed(file, FORMAT, [hashOf(rpcUrls), stringify(profiles)])
}

/** The saved profiles in the order of the URLs; `undefined` without a usable file of these URLs. */
export async function readProfiles(
  file: string,
  rpcUrls: readonly string[],
): Promise<readonly EndpointProfile[] | undefined> {
  const lines = await readSealed(file, FORMAT).catch(() => undefined)
  if (lines?.[0] !== hashOf(rpcUrls)) return undefined
  return parse(lines[1]!) as readonly EndpointProfile[]
}

function hashOf(rpcUrls: readonly string[]): string {
  return createHash('sha256').update(rpcUrls.join(' ')).digest('hex')
}
