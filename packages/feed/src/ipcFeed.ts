/**
 * A feed between processes of one machine: one process serves a feed over a channel such as Node's
 * IPC, and others use it as if it was theirs. Ages are measured by the system's monotonic clock,
 * which all processes of a machine share, so a message that waited is as old as it is.
 */
import type { BaseError } from '@braid-swap/core'
import {
  type Delivery,
  FeedBehindError,
  type FeedChange,
  FeedGapError,
  type MarketFeed,
  PublishRefusedError,
  type RecordChanges,
  type Refusal,
  type StoredRecord,
} from './feed.js'
import { decodeHead, encodeHead } from './wire.js'

/** A two-way stream of JSON messages: a process, or a worker of a cluster. */
export type Channel = {
  /** Resolves when the message is handed to the system. */
  readonly send: (message: object) => Promise<void>
  /** Calls back for each message; returns a function that ends it. */
  readonly listen: (receive: (message: unknown) => void) => () => void
}

/** Marks the messages of a feed among those of a channel. */
const NAME = 'braid feed'

type SentChange = RecordChanges & {
  readonly head: string
  readonly ageMs: number
  readonly atMs: number
}
type Request =
  | { readonly method: 'last' | 'records' | 'stop' }
  | { readonly method: 'follow'; readonly after: number }
  | { readonly method: 'publish'; readonly change: SentChange }
type Sent = { readonly name: typeof NAME; readonly to: 'server'; readonly id: number } & Request
type Part = {
  readonly change?: SentChange
  readonly batch?: readonly StoredRecord[]
  readonly error?: { readonly code: string; readonly message: string; readonly details: object }
  readonly end?: true
}
type Answer = { readonly name: typeof NAME; readonly to: 'client'; readonly id: number } & Part

/** Milliseconds on the clock that all processes of this machine share. */
const machineMs = () => Number(process.hrtime.bigint() / 1_000n) / 1_000

/** Serves a feed over a channel; returns a function that ends it. */
export function serveFeed(feed: MarketFeed, channel: Channel): () => void {
  const running = new Map<number, AbortController>()
  const serve = async (id: number, request: Request) => {
    const answer = (part: Part) =>
      channel.send({ name: NAME, to: 'client', id, ...part } satisfies Answer)
    const stop = new AbortController()
    running.set(id, stop)
    try {
      if (request.method === 'publish') await feed.publish(changeOf(request.change))
      if (request.method === 'last') {
        const last = await feed.last()
        if (last) await answer({ change: sentOf(last) })
      }
      if (request.method === 'records') {
        for await (const batch of feed.records()) await answer({ batch })
      }
      if (request.method === 'follow') {
        for await (const one of feed.follow(request.after, stop.signal)) {
          await answer({ change: sentOf(one) })
        }
      }
      await answer({ end: true })
    } catch (error) {
      const { code = '', message, details = {} } = error as BaseError
      // The channel may be gone, with nobody left to answer.
      await answer({ error: { code, message, details } }).catch(() => {})
    } finally {
      running.delete(id)
    }
  }
  const unlisten = channel.listen((message) => {
    const { name, to, id, ...request } = message as Sent
    if (name !== NAME || to !== 'server') return
    if (request.method === 'stop') running.get(id)?.abort()
    else void serve(id, request as Request)
  })
  return () => {
    unlisten()
    for (const stop of running.values()) stop.abort()
  }
}

/** Calls so far, over all channels of this process. */
let ids = 0

/** The feed that the other end of a channel serves. */
export function createIpcFeed(channel: Channel): MarketFeed {
  const calls = new Map<number, (answer: Part) => void>()
  channel.listen((message) => {
    const { name, to, id, ...part } = message as Answer
    if (name === NAME && to === 'client') calls.get(id)?.(part)
  })
  async function* call(request: Request, signal?: AbortSignal): AsyncGenerator<Part> {
    const id = ids++
    const parts: Part[] = []
    let wake = () => {}
    const notify = () => wake()
    calls.set(id, (part) => {
      parts.push(part)
      notify()
    })
    const send = (sent: Request) =>
      channel.send({ name: NAME, to: 'server', id, ...sent } satisfies Sent)
    signal?.addEventListener('abort', notify, { once: true })
    try {
      await send(request)
      while (!signal?.aborted) {
        const part = parts.shift()
        if (!part) {
          await new Promise<void>((resolve) => {
            wake = resolve
            if (signal?.aborted || parts.length > 0) resolve()
          })
          continue
        }
        if (part.error) throw errorOf(part.error, request)
        if (part.end) return
        yield part
      }
    } finally {
      calls.delete(id)
      signal?.removeEventListener('abort', notify)
      // Nothing stops if it has ended.
      await send({ method: 'stop' }).catch(() => {})
    }
  }
  return {
    publish: async (change) => {
      const sent = sentOf({ ...change, ageMs: change.head.ageMs })
      for await (const _ of call({ method: 'publish', change: sent }));
    },
    last: async () => {
      let last: Delivery | undefined
      for await (const { change } of call({ method: 'last' })) last = change && receivedOf(change)
      return last
    },
    records: async function* () {
      for await (const { batch } of call({ method: 'records' })) if (batch) yield batch
    },
    follow: async function* (after, signal) {
      for await (const { change } of call({ method: 'follow', after }, signal)) {
        if (change) yield receivedOf(change)
      }
    },
  }
}

function sentOf({ head, ageMs, set, removed }: Delivery): SentChange {
  return { head: encodeHead(head), ageMs, atMs: machineMs(), set, removed }
}

function changeOf({ head, set, removed }: SentChange): FeedChange {
  return { head: decodeHead(head), set, removed }
}

function receivedOf(sent: SentChange): Delivery {
  return { ...changeOf(sent), ageMs: sent.ageMs + machineMs() - sent.atMs }
}

/** The error that the other end threw. */
function errorOf({ code, message, details }: NonNullable<Part['error']>, request: Request): Error {
  if (code === 'PUBLISH_REFUSED' && request.method === 'publish') {
    const { reason } = details as { readonly reason: Refusal }
    return new PublishRefusedError(reason, changeOf(request.change))
  }
  if (code === 'FEED_BEHIND' && request.method === 'follow') {
    return new FeedBehindError(request.after, undefined)
  }
  return new FeedGapError(message)
}
