/**
 * Streams of quotes: what the hub needs, the caps on open streams, and server-sent events as text. A solve takes a turn
 * of a key that follows it, like any other request of that key.
 */
import type { ServerResponse } from 'node:http'
import { BaseError } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import type { Admission } from '../admission/admission.js'
import { askerOf, createAsker } from '../admission/asker.js'
import { answerQuote, type QuoteParams } from '../answers/answerQuote.js'
import { freshState, requireFresh } from '../answers/freshState.js'
import { requireTradable } from '../answers/tradable.js'
import { ApiError, type ErrorCode, errorTable, isErrorCode } from '../errors.js'
import type { MarketState } from '../market/liveMarket.js'
import type { ApiContext, CallerKey } from '../middleware/state.js'
import type { Need } from '../need.js'
import { optionsOf } from '../quoting/constraints.js'
import { feeOption } from '../quoting/fee.js'
import { canonicalParams } from '../wire/quoteId.js'
import { createHub, type StreamEvent } from './streamHub.js'

/** A reader that leaves more unread is disconnected, because memory is not its queue. */
const MAX_UNREAD_BYTES = 262_144
/** Interval of the look for what no block brings: a market that stands still, a key that was revoked. */
const CHECK_MS = 1_000
/** Proxies close connections on which nothing comes for a minute or less. */
const CHECKS_PER_PING = 15

/** What ends streams, and where solves wait for their turn. */
export type StreamTerms = {
  readonly ending: AbortSignal | undefined
  readonly admission: Admission
}

/**
 * `GET /swap/v1/{chainId}/quote/stream`: the quote as server-sent events. What is wrong with the request or the service
 * is an error as anywhere else; what the market lacks is an event, because a later block may bring it.
 */
export function quoteStreamRoute(need: Need, terms: StreamTerms) {
  const { requireRoom, follow } = openStreams(need, terms)
  return async (ctx: ApiContext, params: QuoteParams): Promise<void> => {
    const state = freshState(ctx, need)
    const [ends, asker] = [{ src: params.src, dst: params.dst }, askerOf(ctx, need)]
    await requireTradable(ends, state, { asker, ...need })
    optionsOf(state.graph.snapshot, params, need)
    const key = ctx.state.key!
    ctx.set('retry-after', '1')
    requireRoom(key.bucket)
    ctx.remove('retry-after')
    ctx.status = 200
    // Some proxies collect an answer before they pass it on, unless they are told not to.
    ctx.set({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    ctx.set('content-type', 'text/event-stream; charset=utf-8')
    if (ctx.method === 'HEAD') {
      ctx.body = ''
      return
    }
    ctx.respond = false
    ctx.res.flushHeaders()
    follow(params, key, ctx.res)
  }
}

function openStreams(need: Need, { admission, ending }: StreamTerms) {
  const { market, config, metrics } = need
  const { perKey, total, lastMs } = config.streams
  /** The open streams of this process, and whose they are. */
  const open = new Map<ServerResponse, CallerKey>()
  const ofKey = (bucket: string) => [...open.values()].filter((key) => key.bucket === bucket)
  const hub = createHub<MarketState, QuoteParams>({
    current: () => market.current() ?? undefined,
    answer: ({ request, state, key: bucket }) => {
      const { id, limits } = ofKey(bucket)[0] ?? { id: bucket, limits: config.keyLimits }
      const work = () => answerAt(need, request, state, { id, bucket, limits })
      return inTurn(admission, id, work).catch(faultOf)
    },
    fault: () => {
      try {
        return void requireFresh(need, market.current())
      } catch (error) {
        return faultOf(error)
      }
    },
  })
  let [checking, checks] = [undefined as NodeJS.Timeout | undefined, 0]
  const check = () => {
    hub.check()
    checks += 1
    for (const [response, { isActive }] of open) {
      if (checks % CHECKS_PER_PING === 0) response.write(': ping\n\n')
      void isActive().then((is) => is || response.end(eventOf('end', { code: 'API_KEY_INVALID' })))
    }
  }
  market.onState?.(hub.onState)
  const endAll = () => hub.end(eventOf('end', { code: 'SHUTTING_DOWN' }))
  ending?.addEventListener('abort', endAll, { once: true })
  metrics.streams(() => open.size)
  return {
    /** Throws RATE_LIMITED or OVERLOADED if a key, or all together, have no stream left. */
    requireRoom: (bucket: string) => {
      if (ending?.aborted) throw new ApiError('SHUTTING_DOWN', 'the server is shutting down')
      const { length: streams } = ofKey(bucket)
      if (streams >= perKey) {
        const message = `the key has ${streams} open streams, which is its limit`
        throw new ApiError('RATE_LIMITED', message, { details: { streams, limit: perKey } })
      }
      if (open.size < total) return
      throw new ApiError('OVERLOADED', 'too many streams are open', { details: { limit: total } })
    },
    /** Sends the answers to a response until it closes, expires or the server ends. */
    follow: (request: QuoteParams, key: CallerKey, response: ServerResponse) => {
      const name = stringify(canonicalParams(request))
      const send = (text: string) => sendTo(response, text, onSlow)
      const onSlow = () => need.log.warn({ keyId: key.id }, 'a stream ends: its reader is too slow')
      const end = (text: string) => void response.end(text)
      const leave = hub.follow({ name, key: key.bucket, request }, { send, end })
      const expiry = setTimeout(() => end(eventOf('end', { code: 'STREAM_EXPIRED' })), lastMs)
      open.set(response, key)
      checking ??= setInterval(check, CHECK_MS)
      response.once('close', () => {
        clearTimeout(expiry)
        leave()
        open.delete(response)
        if (open.size > 0) return
        clearInterval(checking)
        checking = undefined
      })
    },
  }
}

/** Sends an event, or disconnects a reader that has left too much unread: what it would read is old. */
export function sendTo(response: ServerResponse, text: string, onSlow: () => void): void {
  if (response.destroyed || response.writableEnded) return
  if (response.writableLength <= MAX_UNREAD_BYTES) return void response.write(text)
  onSlow()
  response.destroy()
}

/** The event for a request at a state. Throws what `/quote` would throw. */
async function answerAt(
  need: Need,
  params: QuoteParams,
  market: MarketState,
  { id, bucket, limits }: Pick<CallerKey, 'id' | 'bucket' | 'limits'>,
): Promise<StreamEvent> {
  const { limiter, config } = need
  const { isAllowed } = await limiter.take(bucket, 0, limits)
  if (!isAllowed) throw new ApiError('RATE_LIMITED', 'the key owes the time of long searches')
  const state = requireFresh(need, market)
  need.recentStates.remember(market)
  const asker = createAsker(need, {
    ...{ id, endpoint: 'stream', isWanted: () => true },
    ...{ charge: async () => {}, afford: async () => 0, tell: () => {} },
    spend: (allMs) => {
      const more = allMs / config.requestMs - 1
      if (more > 0) void limiter.charge(bucket, more, limits)
    },
  })
  const { snapshot } = state.graph
  const quoteId = need.quoteIdAt(snapshot, { endpoint: 'quote', params })
  const fee = feeOption(need, { tokenIn: params.src, tokenOut: params.dst }, params)
  const { body } = await answerQuote(params, state, { asker, fee, quoteId, ...need })
  const { meta: _, ...answer } = body
  const { number, hash } = snapshot.block
  const data = { ...body, quoteId, blockNumber: `${number}`, blockHash: hash }
  return { identity: JSON.stringify(answer), text: eventOf('quote', data, quoteId) }
}

/** Waits for a turn of a key. Throws OVERLOADED if the key has no place left. */
function inTurn<T>(admission: Admission, key: string, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const place = admission.enter(key, {
      start: () => void resolve(work().finally(() => place?.leave())),
      refuse: () => reject(new ApiError('OVERLOADED', 'too many requests are in progress')),
    })
  })
}

/** A fault as an event: the code, the message and whether it may pass. */
function faultOf(error: unknown): StreamEvent {
  const known = error instanceof BaseError && isErrorCode(error.code) ? error : undefined
  const code = (known?.code ?? 'INTERNAL') as ErrorCode
  const { title, retryable } = errorTable[code]
  const message = known?.message ?? title
  return { identity: code, text: eventOf('fault', { code, message, retryable }) }
}

const eventOf = (event: 'quote' | 'fault' | 'end', data: object, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
