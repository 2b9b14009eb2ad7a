/** A way to Redis that can be cut: connections stay open and nothing passes, as in a partition. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy on 127.0.0.1. */
export type Partition = {
  readonly url: string
  readonly cut: () => void
  readonly heal: () => void
  readonly stop: () => void
}

/** Opens a proxy to a Redis. */
export async function openPartition(redisUrl: string): Promise<Partition> {
  const { hostname, port } = new URL(redisUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => !isCut && to.write(bytes))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true
    },
    heal: () => {
      isCut = false
      // What was lost in between cannot be completed.
      for (const socket of sockets) socket.destroy()
    },
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
