// Holds the code of a pool's plugin or fee module against the known ones.

import type { Address, Hex } from '@braid-swap/core'
import { codeHashCall } from '../reads/codeHash.js'
import { isKnownModule } from './knownModules.js'
import { LoadError } from './loadError.js'
import type { Load, PoolRef } from './loader.js'

/**
 * The code hashes of modules. Throws 'POOL_MODULE_UNKNOWN' with the entry that an operator adds to the venue after
 * reading the code, unless the code is known or its venue names it.
 */
export function* requireModules(
  { id, venue, modules: named }: PoolRef,
  modules: readonly Address[],
): Load<readonly Hex[]> {
  const hashes = yield modules.map(codeHashCall)
  for (const [i, got] of hashes.entries()) {
    if (got !== '0x' && isKnownModule(got, named)) continue
    const module = modules[i]!
    const remedy = got === '0x' ? 'there is none' : `"modules": ["${got}"] in ${venue} confirms it`
    throw new LoadError(
      'POOL_MODULE_UNKNOWN',
      `the code of ${module}, which rules pool ${id}, is not known: ${remedy}`,
      { pool: id, module, got, wanted: 'a known module' },
    )
  }
  return hashes
}
