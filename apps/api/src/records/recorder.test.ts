import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRecorder } from './recorder.js'
import { openPlace } from './recordPlace.js'

const LONG_MS = 60_000
const log = { warn: () => {} }
const numbers = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { n: number }).n)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-records-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('records in a file', () => {
  it('are appended in order, all of them by the end', async () => {
    const file = join(folder, 'a.ndjson')
    for (const from of [0, 500]) {
      const recorder = openRecorder(openPlace(file), { log, pauseMs: 1 })
      for (let n = from; n < from + 500; n++) recorder.add({ n })
      await recorder.close(LONG_MS)
    }
    expect(numbers(await readFile(file, 'utf8'))).toEqual(
      Array.from({ length: 1_000 }, (_, n) => n),
    )
  })

  it('go to a new file after the old one is renamed', async () => {
    const [file, old] = [join(folder, 'b.ndjson'), join(folder, 'b.1')]
    const recorder = openRecorder(openPlace(file), { log, pauseMs: 1 })
    recorder.add({ n: 1 })
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('1')
    await rename(file, old)
    recorder.add({ n: 2 })
    await recorder.close(LONG_MS)
    expect([numbers(await readFile(old, 'utf8')), numbers(await readFile(file, 'utf8'))]).toEqual([
      [1],
      [2],
    ])
  })

  it('wait within their limit while the place takes nothing, and are then counted as dropped', async () => {
    const recorder = openRecorder(openPlace(join(folder, 'absent', 'c')), {
      log,
      pauseMs: 1,
      limitBytes: 90,
    })
    for (let n = 0; n < 20; n++) recorder.add({ n: 1_000 + n })
    // Each line has eleven bytes.
    expect(recorder.dropped()).toBe(20 - 8)
    await recorder.close(LONG_MS)
  })
})

describe('records for a URL', () => {
  let server: Server
  let url: string
  let isWell: boolean
  const received: number[] = []
  const types = new Set<string | undefined>()
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      if (isWell) received.push(...numbers(text))
      types.add(request.headers['content-type'])
      response.writeHead(isWell ? 204 : 503).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/quotes`
  })
  afterAll(() => server?.close())

  it('are taken by a collector whose answer never ends', async () => {
    let taken = 0
    let left = 0
    const endless = createServer((request, response) => {
      request.resume().once('end', () => {
        taken += 1
        response.writeHead(200)
        const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1)
        response.once('close', () => {
          clearInterval(timer)
          left += 1
        })
      })
    })
    await once(endless.listen(0, '127.0.0.1'), 'listening')
    const place = openPlace(`http://127.0.0.1:${(endless.address() as AddressInfo).port}/`)
    for (let n = 0; n < 3; n++) await place('{}\n')
    expect(taken).toBe(3)
    await expect.poll(() => left).toBe(3)
    endless.close()
  })

  it('are sent again until they are accepted, each once and in order', async () => {
    isWell = false
    let warnings = 0
    const recorder = openRecorder(openPlace(url), {
      log: { warn: () => void warnings++ },
      pauseMs: 1,
    })
    for (let n = 0; n < 100; n++) recorder.add({ n })
    await expect.poll(() => warnings).toBe(1)
    isWell = true
    await expect.poll(() => received.length).toBe(100)
    for (let n = 100; n < 200; n++) recorder.add({ n })
    await recorder.close(LONG_MS)
    expect(received).toEqual(Array.from({ length: 200 }, (_, n) => n))
    expect([...types]).toEqual(['application/x-ndjson'])
    expect([warnings, recorder.dropped()]).toEqual([1, 0])
  })
})
