import type { Client } from './client.js'

/** Tells of new heads as they come, where an endpoint does. */
export type NewHeads = {
  /** Whether one was told of lately: then there is no need to ask as often. */
  readonly isLive: () => boolean
  /** Call it before asking: what was told of until then is about to be known. */
  readonly asking: () => void
  /** Resolves when a new head was told of since. */
  readonly next: () => Promise<void>
  readonly stop: () => void
}

type Subscribe = (to: {
  readonly params: readonly ['newHeads']
  readonly onData: () => void
  readonly onError: () => void
}) => Promise<{ readonly unsubscribe: () => Promise<unknown> }>

/** No head for so long, and the subscription counts as lost. */
const SILENT_MS = 10_000

/**
 * Subscribes to the heads of each of a client's endpoints that offers it, those over WebSocket. A
 * notice is only a reason to ask: what the head is, the endpoints are asked as ever. One that refuses
 * is polled; a lost connection subscribes again by itself.
 */
export function subscribeHeads(client: Client): NewHeads {
  const { subscribers = [] } = client.transport as { subscribers?: readonly Subscribe[] }
  let toldAt = Number.NEGATIVE_INFINITY
  let isPending = false
  let wake = () => {}
  const onData = () => {
    toldAt = performance.now()
    isPending = true
    wake()
  }
  const subscriptions = subscribers.map((subscribe) =>
    subscribe({ params: ['newHeads'], onData, onError: () => {} }).catch(() => undefined),
  )
  return {
    isLive: () => performance.now() - toldAt < SILENT_MS,
    asking: () => {
      isPending = false
    },
    next: () =>
      new Promise((resolve) => {
        wake = resolve
        if (isPending) resolve()
      }),
    stop: () => {
      for (const subscription of subscriptions) {
        void subscription.then((made) => made?.unsubscribe()).catch(() => {})
      }
    },
  }
}
