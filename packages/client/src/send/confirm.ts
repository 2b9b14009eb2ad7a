/**
 * Waits until it is known how a swap ended, whatever happens to it on the way: its owner speeds it up or
 * cancels it, the node forgets it or restarts, a block is replaced. What is known is also forgotten by the memory.
 */

import type { NodeRequests } from '@braid-swap/contracts'
import type { Hex } from '@braid-swap/core'
import { requireFields } from '@braid-swap/core/advanced'
import { OutcomeUnknownError, SendError } from './errors.js'
import { createSight, type Doubt } from './evidence.js'
import { causesOf } from './failures.js'
import type { DoneSwap, Outcome, SentSwap, SwapMemory } from './memory.js'
import { clientOf } from './wallet.js'

/** How long to wait, in milliseconds. */
export type Patience = {
  /** Between two looks; 1,000 by default. */
  readonly pollMs?: number | undefined
  /** For a transaction that the node has; 180,000 by default. */
  readonly waitMs?: number | undefined
  /** For one that the node does not know; 20,000 by default. */
  readonly unknownMs?: number | undefined
}

const WHY: Readonly<Record<Doubt, string>> = {
  absent: 'the node does not know it',
  contradicted: 'what the node says of it does not fit together',
  elsewhere: 'the wallet uses another chain',
  silent: 'the node does not answer',
  waiting: 'it waits for a block',
}

const MESSAGES = {
  REVERTED: 'the transaction was mined and failed: only gas was paid',
  REPLACED:
    'another transaction of the account was mined in its place: nothing was swapped by this one',
  EXPIRED: 'its deadline has passed and no block before has it: nothing was swapped',
} as const

/** Of the call that sends: what the wallet threw instead of an answer, and bytes of ours to send again. */
export type Leftover = { readonly cause?: unknown; readonly raw?: Hex | undefined }

/**
 * Waits for the end of a swap that was handed over, also by an earlier run of the program, on any node of its
 * chain; it only looks. With a memory, an end that is known is forgotten there. Throws REVERTED, REPLACED, EXPIRED or
 * OUTCOME_UNKNOWN.
 *
 * @example const { amountOut } = await confirmSwap(publicClient, JSON.parse(kept))
 */
export async function confirmSwap(
  node: NodeRequests,
  sent: SentSwap,
  options: Patience & { readonly memory?: SwapMemory | undefined } = {},
  { cause, raw }: Leftover = {},
): Promise<DoneSwap> {
  requireFields('node', node, ['request'])
  requireFields('sent', sent, [])
  const { pollMs = 1_000, waitMs = 180_000, unknownMs = 20_000, memory } = options
  const look = createSight(clientOf({ request: node.request, account: sent.from }), sent, raw)
  const end = async (outcome: Outcome) => memory?.forget(sent, outcome)
  const startMs = performance.now()
  let [knownMs, last] = [startMs, '']
  for (;;) {
    const seen = await look()
    if (seen.is === 'done') {
      await end(seen).catch(() => {})
      return seen.done
    }
    // One answer alone may be late, so a negative has to be seen twice.
    if (seen.is === 'not' && seen.code === last) {
      await end(seen).catch(() => {})
      throw failureOf(seen)
    }
    const why = seen.is === 'not' ? 'contradicted' : seen.why
    const now = performance.now()
    if (why !== 'absent') knownMs = now
    const isFirst = seen.is === 'not' && last === ''
    if (!isFirst && (now - knownMs > unknownMs || now - startMs > waitMs)) {
      throw new OutcomeUnknownError(sent, WHY[why] + saidBy(cause), cause)
    }
    last = seen.is === 'not' ? seen.code : ''
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** The words of a wallet that threw. */
function saidBy(cause: unknown): string {
  const { details, message } = causesOf(cause).at(-1) ?? {}
  return cause === undefined ? '' : `; the wallet said: ${`${details ?? message}`.slice(0, 200)}`
}

function failureOf({ code, hash, other }: Extract<Outcome, { readonly is: 'not' }>): Error {
  const details = { ...(hash && { hash }), ...(other && { other }), wanted: 'a new quote' }
  return new SendError(code, MESSAGES[code], details)
}
