import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError } from '@braid-swap/core'
import type { Transport } from 'viem'
import { isPassing, rpcErrorOf } from './answers.js'
import type { Endpoint } from './endpoint.js'

/** How long a failover tries. */
export type FailoverOptions = {
  /** Tries after the first, beyond one for each endpoint. */
  readonly retryCount: number
  /** A request whose turn is further away than this fails at once. */
  readonly patienceMs: number
}

/**
 * One transport over several endpoints. A request goes to the first that may be asked now, in their
 * order; if none may, it waits for the one that soonest may. After a failure the endpoint rests and
 * the next one is asked. A refusal is an answer, but another endpoint may know better (it keeps past
 * states, allows longer ranges): those that may be asked now are, once.
 *
 * Requests are not hedged: on a budget of a hundred a minute, asking twice costs more than waiting.
 */
export function failover(endpoints: readonly Endpoint[], options: FailoverOptions): Transport {
  return (config) => {
    const built = endpoints.map(({ transport }) => transport({ ...config, retryCount: 0 }))
    const ask: Ask = (i, args) => built[i]!.request(...(args as Parameters<Request>))
    type Request = (typeof built)[number]['request']
    const first = built[0]!
    return {
      config: { ...first.config, key: 'failover', name: 'Failover', type: 'failover' },
      request: ((...args: unknown[]) => request(endpoints, ask, args, options)) as Request,
      value: { endpoints, subscribers: built.flatMap(({ value }) => value?.['subscribe'] ?? []) },
    }
  }
}

type Ask = (index: number, args: readonly unknown[]) => Promise<unknown>

async function request(
  endpoints: readonly Endpoint[],
  ask: Ask,
  args: readonly unknown[],
  { retryCount, patienceMs }: FailoverOptions,
): Promise<unknown> {
  const refused = new Map<number, Outcome>()
  for (let failures = 0; ; ) {
    const index = await turnOf(endpoints, patienceMs, new Set(refused.keys()))
    if (index === undefined) return settle(refused)
    if (failures + refused.size > 0) endpoints[index]!.askedAgain()
    const outcome = await tryOnce(endpoints[index]!, () => ask(index, args), args)
    if (outcome.kind === 'answer') return outcome.value
    if (outcome.kind === 'failure') {
      failures += 1
      if (failures >= retryCount + endpoints.length) throw outcome.error
    } else refused.set(index, outcome)
  }
}

/**
 * Waits for the turn of an endpoint and takes it. Endpoints that refused already are not asked
 * again; once there is a refusal, nobody is waited for, and undefined says that nobody is left.
 */
async function turnOf(
  endpoints: readonly Endpoint[],
  patienceMs: number,
  refused: ReadonlySet<number>,
): Promise<number | undefined> {
  for (;;) {
    const waits = endpoints.map((endpoint, i) =>
      refused.has(i) ? Number.POSITIVE_INFINITY : endpoint.waitMs(),
    )
    const waitMs = Math.min(...waits)
    if (refused.size > 0 && waitMs > 0) return undefined
    if (waitMs > patienceMs) throw new EndpointsBusyError(waitMs, patienceMs)
    const index = waits.indexOf(waitMs)
    const endpoint = endpoints[index]!
    const wasResting = endpoint.isResting()
    // Who waits for a rest to end waits for a better endpoint too; a place in the pace is kept.
    if (!wasResting) endpoint.take()
    if (waitMs > 0) await sleep(waitMs)
    if (!wasResting && !endpoint.isResting()) return index
  }
}

type Outcome =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'unknown'; readonly value: unknown }
  | { readonly kind: 'refusal' | 'failure'; readonly error: unknown }

/** JSON-RPC's code of a call that ran and reverted: it would at every endpoint. */
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
    // A block that one endpoint does not have yet, another may.
    const isUnknown = value === null && request.method.startsWith('eth_getBlockBy')
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

function checkBlock(
  { method, params }: { readonly method: string; readonly params?: readonly unknown[] },
  value: unknown,
): void {
  const wanted = params?.[0]
  if (method !== 'eth_getBlockByNumber' || typeof wanted !== 'string' || value === null) return
  const { number: got } = value as { readonly number: string }
  if (/^0x/.test(wanted) && got !== wanted) throw new OtherBlockError(got, wanted)
}

/** What the first that could not answer said. */
function settle(refused: ReadonlyMap<number, Outcome>): unknown {
  const [first] = refused.values()
  if (first?.kind === 'refusal') throw first.error
  return null
}

/** No endpoint may be asked soon: they asked to be left alone, or the budget is spent. */
export class EndpointsBusyError extends BaseError {
  readonly code = 'RPC_BUSY'

  constructor(waitMs: number, patienceMs: number) {
    const [wait, patience] = [Math.round(waitMs), patienceMs]
    super(`no endpoint may be asked for ${wait} ms, ${patience} ms is as long as we wait`, {
      waitMs: wait,
      patienceMs: patience,
    })
  }
}

/** The node answered with another block than the one asked for. */
export class OtherBlockError extends BaseError {
  readonly code = 'RPC_OTHER_BLOCK'

  constructor(got: string, wanted: string) {
    super(`the node answered with block ${got}, wanted ${wanted}`, { got, wanted })
  }
}
