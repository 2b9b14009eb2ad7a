import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from './client.js'

type Answer = { readonly status?: number; readonly result?: unknown; readonly code?: number }
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A node that gives its answers one after the other, the last one for ever. */
async function startNode(answers: readonly Answer[]) {
  let asked = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { status = 200, result, code } = answers[Math.min(asked++, answers.length - 1)]!
      const [{ id }] = [JSON.parse(body)].flat() as [{ id: number }]
      const outcome = code === undefined ? { result } : { error: { code, message: 'no' } }
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
      response.end(JSON.stringify([{ jsonrpc: '2.0', id, ...outcome }]))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked: () => asked }
}

const gasPrice = (url: string | readonly string[]) =>
  createClient(url).request({ method: 'eth_gasPrice' })

describe('createClient', () => {
  it('asks again after a busy or broken answer', async () => {
    const node = await startNode([{ status: 429 }, { status: 503 }, { result: '0x1' }])
    expect(await gasPrice(node.url)).toBe('0x1')
    expect(node.asked()).toBe(3)
  })

  it('gives up after three more tries', async () => {
    const node = await startNode([{ status: 503 }])
    await expect(gasPrice(node.url)).rejects.toThrow()
    expect(node.asked()).toBe(4)
  })

  it('takes a refusal for an answer', async () => {
    const node = await startNode([{ code: -32603 }])
    await expect(gasPrice(node.url)).rejects.toThrow()
    expect(node.asked()).toBe(1)
  })

  it('goes to the next URL when one fails', async () => {
    const [bad, good] = [await startNode([{ status: 503 }]), await startNode([{ result: '0x2' }])]
    expect(await gasPrice([bad.url, good.url])).toBe('0x2')
    expect(bad.asked()).toBe(4)
  })

  it('needs a URL', () => {
    expect(() => createClient([])).toThrow(RangeError)
  })
})
