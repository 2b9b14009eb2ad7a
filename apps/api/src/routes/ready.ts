import { describeShares, type Ledger, verdictsOf } from '@braid-swap/chain'
import type { Logger } from 'pino'
import { freshState, requireRouter, type StateNeed } from '../answers/freshState.js'
import { requirePools } from '../answers/tradable.js'
import { ApiError } from '../errors.js'
import { addReadyMetric } from '../http/metrics.js'
import type { InRegistry } from '../http/readers.js'
import type { Discovery } from '../market/liveMarket.js'
import type { Trouble } from '../market/trouble.js'
import type { ApiContext } from '../middleware/state.js'
import { CALLS_OF_SWAP, callsAMinute } from '../node/clients.js'
import type { Sampler } from '../quoting/accuracy.js'
import { RETRY_AFTER_SECONDS } from '../wire/errorBody.js'
import type { ReadyBody } from '../wire/responses.js'
import { showShare } from '../wire/shares.js'

/**
 * `GET /readyz`: 200 if quotes and swaps are answered, otherwise 503 with the reason. Both have the
 * same body, which is not an error body, because the operator's probes read it. At 200 the message says
 * which pools cannot be found, if any. A recorded market is ready without swaps.
 */
export function readyBody(
  ctx: ApiContext,
  need: StateNeed & { readonly ledger?: Ledger; readonly sampler?: Sampler },
): ReadyBody {
  const error = whyNot(need, ctx)
  if (error) {
    ctx.status = error.status
    ctx.state.code = error.code
    ctx.set('retry-after', `${RETRY_AFTER_SECONDS}`)
  }
  const { market } = need
  const state = market.current()
  const discovery = market.discovery?.()
  const shares = market.shares?.() ?? []
  return {
    status: error ? 'not_ready' : 'ready',
    code: error?.code ?? null,
    message: error ? because(sentenceOf(error), market.trouble?.()) : missingFrom(discovery),
    blockNumber: state ? `${state.graph.snapshot.block.number}` : null,
    stateAgeMs: state ? need.ageMsOf(state) : null,
    ...(market.recorded && { recorded: true as const }),
    discovery: discovery ? shown(discovery) : null,
    venues: (market.venues?.() ?? []).map(({ venue, state: of, since, reason }) => ({
      ...{ exchange: venue, state: of },
      ...{ block: since === undefined ? null : `${since}`, reason: reason ?? null },
    })),
    verdicts: [
      ...verdictsOf({
        ...{ trials: market.venues?.(), flawed: state?.flawed, ledger: need.ledger },
        setAside: state?.guarded,
      }),
    ],
    swapsPerMinute: swapsAMinute(need.config),
    coverage: shares.length > 0 ? describeShares(shares) : null,
    shares: shares.map((share) => ({ exchange: share.venue, ...showShare(share) })),
    accuracy: need.sampler?.accuracy() ?? null,
  }
}

/** Swaps in a minute whose wallet is read and whose gas is estimated; null if the node's requests have no limit. */
function swapsAMinute({ rpcRequestsPerMinute }: StateNeed['config']): number | null {
  const calls = callsAMinute(rpcRequestsPerMinute)
  return calls ? Math.floor(calls.all / CALLS_OF_SWAP) : null
}

/**
 * Why quotes and swaps are not answered now, undefined if they are: for probes, metrics, log and alerts alike. Of a
 * recorded market, swaps are not expected.
 */
export function whyNot(
  need: StateNeed,
  ctx: Pick<ApiContext, 'set'> = { set: () => {} },
): ApiError | undefined {
  try {
    requirePools(need, freshState(ctx, need))
    if (!need.market.recorded) requireRouter(need)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Time between two looks of a process at whether it answers. */
const LOOK_MS = 1_000

/** Tells in the metrics whether this process answers, and in the log when that changes. */
export function watchReady(
  need: StateNeed,
  of: {
    readonly metrics: InRegistry
    readonly log: Logger
    readonly ending?: AbortSignal | undefined
  },
): void {
  const { metrics, log, ending } = of
  // The start is told as such.
  let told: string | undefined = 'NOT_READY'
  const look = () => {
    const error = whyNot(need)
    if (error && error.code !== told) {
      const { code } = error
      log.warn({ code }, `not ready: ${because(sentenceOf(error), need.market.trouble?.())}`)
    }
    if (!error && told !== undefined) log.info('ready')
    told = error?.code
    return error
  }
  addReadyMetric(metrics, look)
  if (!ending) return
  const timer = setInterval(look, LOOK_MS).unref()
  ending.addEventListener('abort', () => clearInterval(timer), { once: true })
}

/** The venues whose older pools no request can find, in a sentence with what to do; null if there are none. */
function missingFrom(discovery: Discovery | undefined): string | null {
  const cut = discovery?.setAside['HISTORY_NOT_KEPT'] ?? 0
  if (cut === 0) return null
  const which = `${cut} of ${discovery!.venues} venues lack the pools that only older logs name`
  const remedy =
    'start once with BRAID_STATE_DIR and a node that keeps them, and the pools stay known'
  return `${which}, because no node in BRAID_RPC_URLS keeps those blocks: ${remedy}`
}

/** The message of an error, with the router fault in its details if there is one. */
function sentenceOf({ message, details }: ApiError): string {
  return 'fault' in details ? `${message}: ${details['fault']}` : message
}

/** The sentence with the cause for which the market does not advance, if one is known. */
function because(sentence: string, trouble: Trouble | undefined): string {
  if (!trouble) return sentence
  const seconds = Math.round(trouble.lastsMs / 1_000)
  return `${sentence}; for ${seconds} s: ${trouble.message} (${trouble.code})`
}

/** The body of `/health` if the API is ready; throws the reason if not. */
export function healthyBody(ctx: ApiContext, need: StateNeed) {
  const error = whyNot(need, ctx)
  if (error) throw error
  return { healthy: true }
}

function shown({ blocksSearched, blocksLeft, msLeft, pricesCompared: _, ...rest }: Discovery) {
  return {
    ...rest,
    ...(blocksSearched !== undefined && { blocksSearched: `${blocksSearched}` }),
    ...(blocksLeft !== undefined && { blocksLeft: `${blocksLeft}` }),
    ...(msLeft !== undefined && { secondsLeft: Math.ceil(msLeft / 1_000) }),
  }
}
