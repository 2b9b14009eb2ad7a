/** A name server with the addresses of services, as Docker's is for the containers of a compose file (RFC 1035). */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Bytes of a message before its question. */
const HEAD = 12
const A = 1
const TTL_S = 1

/** A name server on UDP. */
export type NameServer = { readonly port: number; readonly stop: () => void }

/** Answers for IPv4 addresses of the names; for another name or type with none. */
export async function startNames(
  addresses: Readonly<Record<string, readonly string[]>>,
): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (asked, { port, address }) => socket.send(answerTo(asked), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, stop: () => socket.close() }

  function answerTo(asked: Buffer): Buffer {
    const end = asked.indexOf(0, HEAD)
    const name = asked.toString('latin1', HEAD + 1, end)
    const found = asked.readUInt16BE(end + 1) === A ? (addresses[name] ?? []) : []
    const head = Buffer.alloc(HEAD)
    asked.copy(head, 0, 0, 2)
    // An answer, with one question and the records found.
    for (const [i, value] of [0x8180, 1, found.length].entries())
      head.writeUInt16BE(value, 2 + 2 * i)
    const records = found.map((address) => {
      // The name is the question's; then type, class, time to live and length.
      const record = Buffer.from([0xc0, HEAD, 0, A, 0, 1, 0, 0, 0, TTL_S, 0, 4])
      return Buffer.concat([record, Buffer.from(address.split('.').map(Number))])
    })
    return Buffer.concat([head, asked.subarray(HEAD, end + 5), ...records])
  }
}
