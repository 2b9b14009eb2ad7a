/**
 * Streams of quotes: what the hub needs from this API, the caps on open streams, and server-sent events
 * as text. A solve takes a turn of a key that follows it, like any other request of that key.
 */
import type { ServerResponse } from 'node:http'
import { BaseError, stringify } from '@braid-swap/core'
import type { Admission } from '../admission/admission.js'
import { answerQuote, type QuoteParams, quoteIdAt } from '../answers/answerQuote.js'
import { createAsker } from '../answers/asker.js'
import { ApiError, errorTable, isErrorCode } from '../errors.js'
import type { Limits } from '../keys/rateLimiter.js'
import type { MarketState } from '../market/liveMarket.js'
import type { Need } from '../need.js'
import { requireFresh } from '../routes/request.js'
import { canonicalParams } from '../wire/quoteId.js'
import { createHub, type StreamEvent } from './streamHub.js'

/** The open streams of this process. */
export type QuoteStreams = {
  /** Throws RATE_LIMITED or OVERLOADED if a key, or all together, have no stream left. */
  readonly requireRoom: (bucket: string) => void
  /** Sends the answers to a response until it closes, expires or the server ends. */
  readonly open: (
    asked: Asked & {
      /** False once the key of the stream is revoked or expired, which ends it. */
      readonly isActive: () => Promise<boolean>
    },
    response: ServerResponse,
  ) => void
}

/** A request for a stream, and who pays for it. */
type Asked = { readonly params: QuoteParams; readonly bucket: string; readonly limits: Limits }

/** A reader that leaves so many bytes unread is disconnected, because memory is not its queue. */
const MAX_UNREAD_BYTES = 262_144
/** Interval of the look for what no block brings: a market that stands still, a key that was revoked. */
const CHECK_MS = 1_000
/** Proxies close connections on which nothing comes for a minute or less. */
const CHECKS_PER_PING = 15
const PING = ': ping\n\n'

/** An open stream: whose it is, and the look at its key. */
type OpenStream = {
  readonly bucket: string
  readonly limits: Limits
  readonly check: () => void
}

/** Opens the streams over the market of an API. */
export function openStreams(
  need: Need,
  {
    admission,
    ending,
  }: { readonly admission: Admission; readonly ending?: AbortSignal | undefined },
): QuoteStreams {
  const { market, config, metrics } = need
  const caps = config.streams
  const hub = createHub<MarketState, QuoteParams>({
    current: () => market.current() ?? undefined,
    answer: async ({ request, state, key }) => {
      try {
        const own = [...open.values()].find(({ bucket }) => bucket === key)
        const limits = own?.limits ?? config.keyLimits
        return await inTurn(admission, key, () =>
          answerAt(need, { params: request, market: state, bucket: key, limits }),
        )
      } catch (error) {
        return faultOf(error)
      }
    },
    fault: () => {
      try {
        requireFresh(need, market.current())
        return undefined
      } catch (error) {
        return faultOf(error)
      }
    },
  })
  const open = new Map<ServerResponse, OpenStream>()
  let checking: NodeJS.Timeout | undefined
  let checks = 0
  const check = () => {
    hub.check()
    for (const { check: checkKey } of open.values()) checkKey()
    checks += 1
    if (checks % CHECKS_PER_PING === 0) for (const response of open.keys()) response.write(PING)
  }
  market.onState?.(hub.onState)
  ending?.addEventListener('abort', () => hub.end(endOf('SHUTTING_DOWN')), { once: true })
  metrics.streams(() => open.size)
  return {
    requireRoom: (bucket) => {
      if (ending?.aborted) throw new ApiError('SHUTTING_DOWN', 'the server is shutting down')
      const own = [...open.values()].filter((other) => other.bucket === bucket).length
      const { perKey, total } = caps
      if (own >= perKey) {
        const message = `the key has ${own} open streams, which is its limit`
        throw new ApiError('RATE_LIMITED', message, { details: { streams: own, limit: perKey } })
      }
      if (open.size < total) return
      const message = 'too many streams are open'
      throw new ApiError('OVERLOADED', message, { details: { limit: total } })
    },
    open: ({ bucket, limits, params, isActive }, response) => {
      const end = (text: string) => void response.end(text)
      const leave = hub.follow(
        { name: stringify(canonicalParams(params)), key: bucket, request: params },
        { send: (text) => sendTo(response, text, () => metrics.slowStreams.inc()), end },
      )
      const expiry = setTimeout(() => end(endOf('STREAM_EXPIRED')), caps.lastMs)
      const checkKey = async () => {
        if (!(await isActive())) end(endOf('API_KEY_INVALID'))
      }
      open.set(response, { bucket, limits, check: () => void checkKey() })
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

/**
 * Sends an event, or disconnects a reader that has left too many bytes unread and tells `onSlow`: what
 * it would read is old, and a new connection begins with the present answer.
 */
export function sendTo(response: ServerResponse, text: string, onSlow: () => void): void {
  if (response.destroyed || response.writableEnded) return
  if (response.writableLength <= MAX_UNREAD_BYTES) {
    response.write(text)
    return
  }
  onSlow()
  response.destroy()
}

/** The event for a request at a state. Throws what `/quote` would throw. */
async function answerAt(
  need: Need,
  { params, market, bucket, limits }: Asked & { readonly market: MarketState },
): Promise<StreamEvent> {
  const { limiter, config, recentStates } = need
  const { isAllowed } = await limiter.take(bucket, 0, limits)
  if (!isAllowed) throw new ApiError('RATE_LIMITED', 'the key owes the time of long searches')
  const state = requireFresh(need, market)
  recentStates.remember(market)
  const asker = createAsker(need, {
    ...{ bucket, endpoint: 'stream', isWanted: () => true },
    charge: async () => {},
    tell: () => {},
    spend: (allMs) => {
      const more = allMs / config.requestMs - 1
      if (more > 0) void limiter.charge(bucket, more, limits)
    },
  })
  const quoteId = quoteIdAt(state, { endpoint: 'quote', params }, need)
  const { body } = await answerQuote(params, state, { asker, quoteId, ...need })
  const { meta: _, ...answer } = body
  const { number, hash } = state.graph.snapshot.block
  const data = { ...body, quoteId, blockNumber: `${number}`, blockHash: hash }
  return { identity: JSON.stringify(answer), text: eventOf('quote', data, quoteId) }
}

/** Waits for a turn of a key. Throws OVERLOADED if the key has no place left. */
function inTurn<T>(admission: Admission, key: string, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const place = admission.enter(key, {
      start: () => {
        work()
          .finally(() => place?.leave())
          .then(resolve, reject)
      },
      refuse: () => reject(new ApiError('OVERLOADED', 'too many requests are in progress')),
    })
  })
}

/** A fault as an event: the code, the message and whether it may pass. */
function faultOf(error: unknown): StreamEvent {
  const isKnown = error instanceof BaseError && isErrorCode(error.code)
  const code = isKnown && isErrorCode(error.code) ? error.code : 'INTERNAL'
  const message = isKnown ? error.message : errorTable.INTERNAL.title
  const { retryable } = errorTable[code]
  return { identity: code, text: eventOf('fault', { code, message, retryable }) }
}

function endOf(code: 'SHUTTING_DOWN' | 'STREAM_EXPIRED' | 'API_KEY_INVALID'): string {
  return eventOf('end', { code })
}

function eventOf(event: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
