// Checks the assumptions about the chain itself, for `braid doctor`.

import type { Address } from '@braid-swap/core'
import type { Finding } from '../pools/check.js'
import { type Header, readHeader } from '../reads/headers.js'
import { multicallOf } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import { codeFinding } from './codeFinding.js'

/** Gas limit of a small block. */
const SMALL_BLOCK_GAS = 3_000_000n
/** Blocks among which one is big: there is one a minute, and a small one a second. */
const BIG_BLOCK_EVERY = 60n
/** Headers asked for at once while a big block is looked for. */
const AT_ONCE = 10

/** If the newest block is older, the node lags or the chain has halted. */
const MAX_HEAD_AGE_SECONDS = 60

/**
 * Checks the assumptions about the chain itself. `nowMs`: unix milliseconds on this process's clock. Asks for
 * up to 60 headers. Throws what the node throws.
 */
export async function examineChain(
  client: Client,
  { wrappedNative, nowMs }: { readonly wrappedNative: Address; readonly nowMs: number },
): Promise<readonly Finding[]> {
  const chainId = Number(await client.request({ method: 'eth_chainId' }))
  const head = await readHeader(client, 'latest')
  const [least, most] = await gasLimits(client, head)
  const age = Math.round(nowMs / 1000) - Number(head.timestamp)
  const finding = (check: string, found: string, assumed: string, holds?: boolean): Finding => ({
    ...{ subject: 'chain', check, found, assumed },
    ...(holds !== undefined && { holds }),
  })
  const { id } = client.chain
  return [
    finding('chain id', `${chainId}`, `${id}`, chainId === id),
    finding(
      'age of the newest block',
      `${age} s`,
      `at most ${MAX_HEAD_AGE_SECONDS} s`,
      age <= MAX_HEAD_AGE_SECONDS,
    ),
    finding(
      'gas limit of a small block',
      `${least}`,
      `at least ${SMALL_BLOCK_GAS}`,
      least >= SMALL_BLOCK_GAS,
    ),
    most > least
      ? finding('gas limit of a big block', `${most}`, 'more than of a small one', true)
      : finding('gas limit of a big block', `none in ${BIG_BLOCK_EVERY} blocks`, 'one a minute'),
    await codeFinding(client, multicallOf(client), { subject: 'chain', check: 'Multicall3' }),
    await codeFinding(client, wrappedNative, { subject: 'chain', check: 'wrapped native token' }),
  ]
}

/** The least and the most gas limit of the newest blocks, as soon as they differ. */
async function gasLimits(
  client: Client,
  head: Header,
): Promise<readonly [least: bigint, most: bigint]> {
  let [least, most] = [head.gasLimit, head.gasLimit]
  for (let back = 1n; back < BIG_BLOCK_EVERY && least === most; back += BigInt(AT_ONCE)) {
    const numbers = Array.from({ length: AT_ONCE }, (_, i) => head.number - back - BigInt(i))
    const asked = numbers.filter((number) => number >= 0n)
    // Some blocks are missing for ever.
    const headers = await Promise.allSettled(asked.map((number) => readHeader(client, number)))
    for (const one of headers) {
      if (one.status === 'rejected') continue
      const { gasLimit } = one.value
      if (gasLimit < least) least = gasLimit
      if (gasLimit > most) most = gasLimit
    }
  }
  return [least, most]
}
