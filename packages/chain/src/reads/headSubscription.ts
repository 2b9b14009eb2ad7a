// `eth_subscribe` for new heads over WebSocket. A notification only triggers a poll, so a lost or
// wrong one costs time but never correctness.

import type { Client } from '../transport/client.js'

/** Notifications of new heads from the endpoints that offer them. */
export type NewHeads = {
  /** Returns true if a notification came in the last 10 seconds: then slower polling is enough. */
  readonly isLive: () => boolean
  /** Discards earlier notifications; call it just before polling. */
  readonly asking: () => void
  /** Resolves when a notification arrives after the last {@link NewHeads.asking}, or at the end. */
  readonly next: () => Promise<void>
  readonly stop: () => void
}

type Subscribe = (to: {
  readonly params: readonly ['newHeads']
  readonly onData: () => void
  readonly onError: () => void
}) => Promise<{ readonly unsubscribe: () => Promise<unknown> }>

/** After this long without a notification the subscription counts as lost. */
const SILENT_MS = 10_000

/**
 * Subscribes to new heads at every WebSocket endpoint of a client. The head itself is always read
 * by polling. An endpoint that refuses the subscription is only polled; a lost connection
 * reconnects and subscribes again.
 */
export function subscribeHeads(client: Client): NewHeads {
  const { subscribers = [] } = client.transport as { subscribers?: readonly Subscribe[] }
  let toldAt = Number.NEGATIVE_INFINITY
  let isPending = false
  let wake = () => {}
  const tell = () => {
    isPending = true
    wake()
  }
  const onData = () => {
    toldAt = performance.now()
    tell()
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
      tell()
      for (const subscription of subscriptions) {
        void subscription.then((made) => made?.unsubscribe()).catch(() => {})
      }
    },
  }
}
