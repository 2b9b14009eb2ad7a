import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Sends bytes as they are on a connection of their own; all that came back when it closed, or
 * `undefined` if nothing moved for `patienceMs`.
 */
export async function sendRaw(url: string, bytes: string): Promise<string>
export async function sendRaw(
  url: string,
  bytes: string,
  patienceMs: number,
): Promise<string | undefined>
export async function sendRaw(
  url: string,
  bytes: string,
  patienceMs = 0,
): Promise<string | undefined> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const parts: Buffer[] = []
  let isLate = false
  socket.on('data', (chunk) => parts.push(chunk))
  // The bytes before a reset are the answer.
  socket.on('error', () => {})
  socket.setTimeout(patienceMs, () => {
    isLate = true
    socket.destroy()
  })
  socket.write(bytes, 'utf8')
  await once(socket, 'close')
  return isLate ? undefined : Buffer.concat(parts).toString('utf8')
}
