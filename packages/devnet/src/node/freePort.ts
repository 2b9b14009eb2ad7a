import { once } from 'node:events'
import { createServer } from 'node:net'

/** The first port that systems give to a listener of port 0 or to an outgoing connection. */
const FIRST_EPHEMERAL = 32_768
const FIRST = 20_000

const given = new Set<number>()

/**
 * A free port of 127.0.0.1, for a program that must know its port before it starts; never the same
 * one twice in a process. It is below the ports that the system itself gives away, which could take
 * it before the program does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor((FIRST_EPHEMERAL - FIRST) * Math.random())
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false))
    server.listen(port, '127.0.0.1')
  })
  if (isListening) await once(server.close(), 'close')
  return isListening
}
