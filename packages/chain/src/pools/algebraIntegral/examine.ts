// Checks of an Algebra Integral pool for `braid doctor`: version, plugin and callback.

import type { Hex } from '@braid-swap/core'
import { toEventSelector } from 'viem'
import { addressOf, wordAt } from '../../reads/abiWords.js'
import { createReader } from '../../reads/multicall.js'
import type { Client } from '../../transport/client.js'
import { callbackFinding, codeOf } from '../callbacks.js'
import type { Finding } from '../check.js'
import type { PoolRef } from '../loader.js'
import { GLOBAL_STATE, PLUGIN, POOL_EVENTS } from './abi.js'

/** Findings about the version of the pool's code, its plugin and its swap callback. */
export async function examine(client: Client, ref: PoolRef): Promise<readonly Finding[]> {
  const read = createReader(client, 'latest')
  const [state, plugin] = await read([GLOBAL_STATE, PLUGIN].map((data) => ({ to: ref.id, data })))
  const code = await codeOf(client, ref.id)
  const flags = state?.success ? wordAt(state.data, 3).toString(2) : 'unknown'
  const address = plugin?.success ? addressOf(wordAt(plugin.data, 0)) : 'unknown'
  const subject = ref.venue
  return [
    {
      ...{ subject, check: 'Algebra Integral', assumed: 'any' },
      found: versionOf(code),
      holds: true,
    },
    {
      ...{ subject, check: 'plugin', assumed: 'a known one' },
      found: `${address}, flags ${flags}`,
    },
    callbackFinding(ref, code),
  ]
}

/** The version of a pool's code, by the logs that it can emit. */
export function versionOf(code: Hex): string {
  const emits = (topic: Hex) => code.includes(topic.slice(2))
  const [, withFees, feesApart] = POOL_EVENTS.map((event) => toEventSelector(event))
  if (emits(feesApart!)) return '1.2.1 or later'
  return emits(withFees!) ? '1.2.0' : '1.0 or 1.1'
}
