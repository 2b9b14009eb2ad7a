/** A channel whose messages pass through another process, over Node's IPC. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Channel } from '../ipcFeed.js'

/** Starts the other process. Both ends of the channel are here: each receives what either sends. */
export function startRelay(): { readonly channel: Channel; readonly stop: () => void } {
  const child = fork(fileURLToPath(new URL('relay.mjs', import.meta.url)))
  // Every feed of every test listens.
  child.setMaxListeners(0)
  const channel: Channel = {
    send: (message) =>
      new Promise((resolve, reject) => {
        child.send(message, (error) => (error ? reject(error) : resolve()))
      }),
    listen: (receive) => {
      child.on('message', receive)
      return () => child.off('message', receive)
    },
  }
  return { channel, stop: () => child.disconnect() }
}
