/**
 * A way to a server that can be cut, as in a partition (connections stay open and nothing passes), or
 * slowed down.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy on 127.0.0.1. */
export type Partition = {
  /** The address of the server, with the proxy's port. */
  readonly url: string
  readonly cut: () => void
  readonly heal: () => void
  /** Sets how long the server's bytes take, in milliseconds. */
  readonly slow: (delayMs: number) => void
  readonly stop: () => void
}

/** Opens a proxy to the server of a URL such as `redis://127.0.0.1:6379`. */
export async function openPartition(serverUrl: string): Promise<Partition> {
  const { protocol, hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  let delayMs = 0
  const pass = (to: Socket, bytes: Buffer) => {
    if (!isCut) to.write(bytes)
  }
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.on('data', (bytes) => pass(far, bytes))
    far.on('data', (bytes) => {
      // Timers of one length keep the order of the bytes.
      if (delayMs === 0) pass(near, bytes)
      else setTimeout(pass, delayMs, near, bytes)
    })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true
    },
    heal: () => {
      isCut = false
      // A change lost in between cannot be completed.
      for (const socket of sockets) socket.destroy()
    },
    slow: (ms) => {
      delayMs = ms
    },
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
