// A failover transport over several endpoints: in order of preference, with retries, cool-downs and
// rate limits. Without it one slow or rate-limited node would stop quoting.

import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError, type Hex } from '@braid-swap/core'
import { nodeFailed } from '@braid-swap/core/advanced'
import { numberToHex, type Transport } from 'viem'
import type { Endpoint } from './endpoint.js'
import type { Memory } from './memory.js'
import { isMissingBlock, isPassing, rpcErrorOf } from './rpcErrors.js'

/** Retry limits of a failover transport. */
export type FailoverOptions = {
  /** Attempts in addition to one per endpoint. */
  readonly retryCount: number
  /** A request that would have to wait longer than this fails at once. */
  readonly patienceMs: number
  /** Longest cool-down of an endpoint while no other is available; no limit by default. */
  readonly soleRestMs?: number
}

/**
 * One transport over several endpoints. A request goes to the first endpoint available now, in
 * their order; if none is, it waits for the one available soonest, at most `soleRestMs`. After a failure the endpoint
 * cools down and the next one is used. A refusal is an answer, but another endpoint may be able to
 * answer (it keeps past states or allows longer ranges), so each endpoint available now is tried
 * once. If none answers after all retries, it throws RPC_FAILED. If all lack a block, they are tried once more: one URL may stand for backends of several heights.
 *
 * Requests are not hedged: at 100 requests a minute, sending twice costs more than waiting.
 */
export function fallbackTransport(
  endpoints: readonly Endpoint[],
  options: FailoverOptions,
): Transport {
  return (config) => {
    const built = endpoints.map(({ transport }) => transport({ ...config, retryCount: 0 }))
    const ask: Ask = (i, args) => built[i]!.request(...(args as Parameters<Request>))
    type Request = (typeof built)[number]['request']
    const first = built[0]!
    return {
      config: { ...first.config, key: 'failover', name: 'Failover', type: 'failover' },
      request: ((...args: unknown[]) => request(endpoints, ask, args, options)) as Request,
      value: {
        ...{ endpoints, memory: new Map() satisfies Memory },
        subscribers: built.flatMap(({ value }) => value?.['subscribe'] ?? []),
      },
    }
  }
}

type Ask = (index: number, args: readonly unknown[]) => Promise<unknown>

async function request(
  endpoints: readonly Endpoint[],
  ask: Ask,
  args: readonly unknown[],
  { retryCount, patienceMs, soleRestMs }: FailoverOptions,
): Promise<unknown> {
  const refused = new Map<number, Outcome>()
  let isAgain = false
  for (let failures = 0; ; ) {
    const index = await turnOf(endpoints, { patienceMs, soleRestMs }, new Set(refused.keys()))
    if (index === undefined) {
      if (isAgain || ![...refused.values()].every(isBlockMissing)) return settle(refused)
      isAgain = true
      refused.clear()
      continue
    }
    const fitted = withinGas(args, endpoints[index]!.profile()?.callGas)
    const outcome = await tryOnce(endpoints[index]!, () => ask(index, fitted), args)
    if (outcome.kind === 'answer') return outcome.value
    if (outcome.kind === 'failure') {
      failures += 1
      if (failures >= retryCount + endpoints.length) throw nodeFailed(outcome.error)
    } else refused.set(index, outcome)
  }
}

/**
 * Waits until an endpoint is available and consumes one request of its rate limit. Endpoints that
 * refused are excluded. After a refusal it never waits and returns undefined if no endpoint is
 * left.
 */
async function turnOf(
  endpoints: readonly Endpoint[],
  { patienceMs, soleRestMs }: { patienceMs: number; soleRestMs: number | undefined },
  refused: ReadonlySet<number>,
): Promise<number | undefined> {
  for (;;) {
    // A cool-down spares a node while another answers. Without another it only makes us stale.
    const isAnyUp = endpoints.some((endpoint, i) => !refused.has(i) && !endpoint.isResting())
    const longestRestMs = isAnyUp ? undefined : soleRestMs
    const waits = endpoints.map((endpoint, i) =>
      refused.has(i) ? Number.POSITIVE_INFINITY : endpoint.waitMs(longestRestMs),
    )
    const waitMs = Math.min(...waits)
    if (refused.size > 0 && waitMs > 0) return undefined
    if (waitMs > patienceMs) throw new EndpointsBusyError(waitMs, patienceMs)
    const index = waits.indexOf(waitMs)
    const endpoint = endpoints[index]!
    const wasResting = endpoint.isResting(longestRestMs)
    // After a cool-down the choice is made again: another endpoint may be better by then. A slot of
    // the rate limit, once consumed, is kept.
    if (!wasResting) endpoint.take()
    if (waitMs > 0) await sleep(waitMs)
    if (!wasResting && !endpoint.isResting(longestRestMs)) return index
  }
}

/** The request with no more gas for a call than the endpoint allows. */
function withinGas(args: readonly unknown[], callGas: bigint | undefined): readonly unknown[] {
  const [request, ...others] = args as [{ readonly method: string; readonly params?: unknown[] }]
  const [call, ...more] = (request.params ?? []) as [{ readonly gas?: Hex }?]
  const isHigh = callGas !== undefined && call?.gas !== undefined && BigInt(call.gas) > callGas
  if (request.method !== 'eth_call' || !isHigh) return args
  return [{ ...request, params: [{ ...call, gas: numberToHex(callGas) }, ...more] }, ...others]
}

type Outcome =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'unknown'; readonly value: unknown }
  | { readonly kind: 'refusal' | 'failure'; readonly error: unknown }

/** Methods whose answer is null if the node does not have the block. */
const OF_BLOCK = /^eth_getBlock(By|Receipts)/

/** JSON-RPC's code of a call that reverted: it would revert at every endpoint. */
const REVERTED = 3

async function tryOnce(
  endpoint: Endpoint,
  ask: () => Promise<unknown>,
  args: readonly unknown[],
): Promise<Outcome> {
  const askedAt = endpoint.now()
  try {
    const value = await ask()
    const request = args[0] as { readonly method: string; readonly params?: readonly unknown[] }
    checkBlock(request, value)
    endpoint.succeeded()
    // Another endpoint may already have a block that this one lacks.
    const isUnknown = value === null && OF_BLOCK.test(request.method)
    return { kind: isUnknown ? 'unknown' : 'answer', value }
  } catch (error) {
    if (isPassing(error)) {
      endpoint.failed(error, askedAt)
      return { kind: 'failure', error }
    }
    endpoint.succeeded()
    if (rpcErrorOf(error)?.code === REVERTED) throw error
    return { kind: 'refusal', error }
  }
}

function isBlockMissing(outcome: Outcome): boolean {
  return outcome.kind === 'unknown' || (outcome.kind === 'refusal' && isMissingBlock(outcome.error))
}

function checkBlock(
  { method, params }: { readonly method: string; readonly params?: readonly unknown[] },
  value: unknown,
): void {
  const wanted = params?.[0]
  if (method !== 'eth_getBlockByNumber' || typeof wanted !== 'string' || value === null) return
  const { number: got } = value as { readonly number: string }
  if (/^0x/.test(wanted) && got !== wanted) throw new OtherBlockError(got, wanted)
}

/** Throws the first refusal, or returns null if the first endpoint did not know the block. */
function settle(refused: ReadonlyMap<number, Outcome>): unknown {
  const [first] = refused.values()
  if (first?.kind === 'refusal') throw first.error
  return null
}

/** Every endpoint is cooling down or rate-limited for longer than the request may wait. */
export class EndpointsBusyError extends BaseError {
  readonly code = 'RPC_BUSY'

  constructor(waitMs: number, patienceMs: number) {
    const [wait, patience] = [Math.round(waitMs), patienceMs]
    super(`all RPC endpoints are unavailable for ${wait} ms; the limit is ${patience} ms`, {
      waitMs: wait,
      patienceMs: patience,
    })
  }
}

/** The node answered with a different block from the one requested. */
export class OtherBlockError extends BaseError {
  readonly code = 'RPC_OTHER_BLOCK'

  constructor(got: string, wanted: string) {
    super(`the node answered with block ${got} instead of ${wanted}`, { got, wanted })
  }
}
