import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '@braid-swap/core'
import { createPublicClient } from 'viem'
import { type Client, endpointsOf, hyperEvm } from './client.js'
import type { Endpoint } from './endpoint.js'
import { failover } from './failover.js'
import { type Header, readHeader } from './headers.js'

/** Endpoints of one client have different blocks at one height. */
export type Disagreement = { readonly number: bigint; readonly hashes: readonly Hex[] }

/** How to watch whether endpoints agree. */
export type AgreementOptions = {
  /** Time between two looks; default 10,000. */
  readonly everyMs?: number
  readonly signal?: AbortSignal
  /** Told of the first look that finds a disagreement, and, with undefined, of the first without. */
  readonly onChange: (disagreement: Disagreement | undefined) => void
}

/** Time to the next look while endpoints disagree. */
const DOUBT_MS = 1_000

/** Compares the endpoints of a client until the signal aborts; returns at once if it has only one. */
export async function watchAgreement(client: Client, options: AgreementOptions): Promise<void> {
  const { everyMs = 10_000, signal, onChange } = options
  let before: Disagreement | undefined
  while (endpointsOf(client).length > 1 && !signal?.aborted) {
    const found = await compareEndpoints(client)
    if ((found === undefined) !== (before === undefined)) onChange(found)
    before = found
    const pauseMs = found ? Math.min(everyMs, DOUBT_MS) : everyMs
    await sleep(pauseMs, undefined, signal && { signal }).catch(() => {})
  }
}

/** An endpoint further behind the newest than this is not asked for a while. */
const FAR_BEHIND = 5n
const BEHIND_REST_MS = 10_000

/**
 * What endpoints have at the height that all of them have reached, if that is not one block. Those
 * that do not answer now have no say, and one that is far behind rests.
 */
export async function compareEndpoints(client: Client): Promise<Disagreement | undefined> {
  const endpoints = endpointsOf(client)
  const heads = await askEach(endpoints, () => 'latest')
  const numbers = heads.flatMap((head) => head?.number ?? [])
  const newest = numbers.reduce((a, b) => (a > b ? a : b), 0n)
  const near = (head: Header | undefined) =>
    head !== undefined && head.number + FAR_BEHIND >= newest
  for (const [i, head] of heads.entries()) {
    if (head && !near(head)) endpoints[i]!.rest(BEHIND_REST_MS)
  }
  const lowest = numbers
    .filter((number) => number + FAR_BEHIND >= newest)
    .reduce((a, b) => (a < b ? a : b), newest)
  const headers = await askEach(endpoints, (i) => {
    const head = heads[i]
    if (!near(head)) return undefined
    return head!.number === lowest ? head : lowest
  })
  const hashes = [...new Set(headers.flatMap((header) => header?.hash ?? []))]
  return hashes.length > 1 ? { number: lowest, hashes } : undefined
}

/** A header of each endpoint, undefined where it does not answer at the first try. */
function askEach(
  endpoints: readonly Endpoint[],
  whichOf: (index: number) => bigint | 'latest' | Header | undefined,
): Promise<readonly (Header | undefined)[]> {
  return Promise.all(
    endpoints.map(async (endpoint, i) => {
      const which = whichOf(i)
      if (which === undefined || typeof which === 'object') return which
      const transport = failover([endpoint], { retryCount: 0, patienceMs: 0 })
      const alone = createPublicClient({ chain: hyperEvm, transport, cacheTime: 0 })
      return readHeader(alone, which).catch(() => undefined)
    }),
  )
}
