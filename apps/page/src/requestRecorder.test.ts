import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createRecorder, type RecordedRequest } from './requestRecorder.js'

it('records each answer but those without a new one', async () => {
  const server = createServer(({ url }, response) => {
    response.writeHead(Number(url!.slice(1, 4)))
    response.end('x')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const seen: (readonly [string, RecordedRequest])[] = []
  const record = createRecorder((path, of) => seen.push([path, of]))
  for (const status of [200, 304, 404, 429]) {
    expect((await record(`${base}/${status}/quote?a=1`)).status).toBe(status)
  }
  server.close()
  expect(seen).toEqual(
    [200, 404].map((status) => [
      `/${status}/quote`,
      { url: `${base}/${status}/quote?a=1`, status, ms: expect.any(Number), text: 'x' },
    ]),
  )
  expect(seen.every(([, { ms }]) => ms >= 0)).toBe(true)
})
