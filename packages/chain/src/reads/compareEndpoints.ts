// Compares the endpoints of a client at a common height, because quoting must stop while they
// follow different forks.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '@braid-swap/core'
import { type Client, clientOf, endpointsOf } from '../transport/client.js'
import { type Header, readHeader } from './headers.js'

/** Endpoints of one client have different blocks at one height. */
export type Disagreement = { readonly number: bigint; readonly hashes: readonly Hex[] }

/** The options of {@link watchAgreement}. */
export type AgreementOptions = {
  /** Time between two comparisons; default 10,000. */
  readonly everyMs?: number
  readonly signal?: AbortSignal
  /** Called when a disagreement begins and, with undefined, when it ends. */
  readonly onChange: (disagreement: Disagreement | undefined) => void
}

/** Time to the next comparison while endpoints disagree. */
const DOUBT_MS = 1_000

/**
 * Compares the endpoints of a client until the signal aborts; returns at once if it has only one.
 */
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

/** An endpoint more blocks behind the newest than this cools down. */
const FAR_BEHIND = 5n
const BEHIND_REST_MS = 10_000

/**
 * Compares the endpoints' blocks at the highest number that all of them have reached; undefined if
 * they agree. Endpoints that do not answer are ignored; one that is far behind is ignored too and
 * cools down. Throws RPC_FAILED.
 */
export async function compareEndpoints(client: Client): Promise<Disagreement | undefined> {
  const endpoints = endpointsOf(client)
  const heads = await askEach(client, () => 'latest')
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
  const headers = await askEach(client, (i) => {
    const head = heads[i]
    if (!near(head)) return undefined
    return head!.number === lowest ? head : lowest
  })
  const hashes = [...new Set(headers.flatMap((header) => header?.hash ?? []))]
  return hashes.length > 1 ? { number: lowest, hashes } : undefined
}

/** A header from each endpoint; undefined if it does not answer at the first attempt. */
function askEach(
  client: Client,
  whichOf: (index: number) => bigint | 'latest' | Header | undefined,
): Promise<readonly (Header | undefined)[]> {
  return Promise.all(
    endpointsOf(client).map(async (endpoint, i) => {
      const which = whichOf(i)
      if (which === undefined || typeof which === 'object') return which
      const alone = clientOf([endpoint], { retryCount: 0, patienceMs: 0, chain: client.chain })
      return readHeader(alone, which).catch(() => undefined)
    }),
  )
}
