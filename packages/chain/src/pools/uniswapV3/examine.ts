// Checks of a Uniswap V3 pool for `braid doctor`: fee source, shape of slot0() and callback, in
// which forks differ.

import type { Address, Hex } from '@braid-swap/core'
import { addressOf, wordAt } from '../../reads/abiWords.js'
import { createReader } from '../../reads/multicall.js'
import type { Client } from '../../transport/client.js'
import { callbackFinding, codeOf } from '../callbacks.js'
import type { Finding } from '../check.js'
import type { PoolRef } from '../loader.js'
import { CURRENT_FEE, FACTORY, FEE, SECONDS_AGO, SLOT0, SWAP_FEE_MODULE } from './abi.js'

/** Findings about the pool's fee source, its `slot0()` and its swap callback. */
export async function examine(client: Client, ref: PoolRef): Promise<readonly Finding[]> {
  const read = createReader(client, 'latest')
  const ask = async (to: Address, ...selectors: readonly Hex[]) => {
    const results = await read(selectors.map((data) => ({ to, data })))
    return results.map(({ success, data }) => (success && data.length >= 66 ? data : undefined))
  }
  const [fee, current, factory, slot0] = await ask(ref.id, FEE, CURRENT_FEE, FACTORY, SLOT0)
  const [module] = factory ? await ask(addressOf(wordAt(factory, 0)), SWAP_FEE_MODULE) : []
  const moduleAddress =
    module && wordAt(module, 0) !== 0n ? addressOf(wordAt(module, 0)) : undefined
  const [seconds] = moduleAddress ? await ask(moduleAddress, SECONDS_AGO) : []
  const assumed = ref.feeSource ?? 'fee'
  const source = moduleAddress ? 'swapFeeModule' : current ? 'currentFee' : 'fee'
  const isStale = current !== undefined && fee !== current
  const words = slot0 ? (slot0.length - 2) / 64 : 0
  return [
    {
      ...{ subject: ref.venue, check: 'fee source', assumed },
      found: describeSource(source, { moduleAddress, seconds, isStale }),
      // If the pool's two getters agree, either is a valid source.
      holds:
        source === assumed || ([source, assumed].every((by) => by !== 'swapFeeModule') && !isStale),
    },
    {
      ...{ subject: ref.venue, check: 'words of slot0()', assumed: '7, or 6 without feeProtocol' },
      ...{ found: `${words}`, holds: words === 6 || words === 7 },
    },
    callbackFinding(ref, await codeOf(client, ref.id)),
  ]
}

function describeSource(
  source: string,
  of: {
    readonly moduleAddress: Address | undefined
    readonly seconds: Hex | undefined
    readonly isStale: boolean
  },
): string {
  if (of.moduleAddress) {
    const moving = of.seconds ? `, secondsAgo ${wordAt(of.seconds, 0)}` : ''
    return `${source} ${of.moduleAddress}${moving}`
  }
  return of.isStale ? `${source}; fee() differs` : source
}
