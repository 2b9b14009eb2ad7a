// What callers get through operations/nginx.conf, from readers that are well, refuse or are gone.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@braid-swap/devnet/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listen } from '../http/httpServer.js'
import { text } from '../testing/composeFiles.js'

const nginx = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  .map((place) => join(place, 'nginx'))
  .find((path) => existsSync(path))

const refuse = (code: string, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => response.writeHead(503, headers).end(JSON.stringify({ code }))
}
const answer: RequestListener = (_, response) => response.writeHead(200).end('{}')
/** As `middleware/errors.ts` says it of a process. */
const elsewhere = { 'x-accel-redirect': '@another' }

describe.skipIf(!nginx)('nginx.conf', () => {
  const folder = mkdtempSync(join(tmpdir(), 'braid-nginx-'))
  let url: string
  let [asked, connections] = [0, 0]
  const readers = [0, 1].map(() => ({ does: answer }))
  const servers = readers.map((reader) =>
    createServer((request, response) => {
      asked += 1
      reader.does(request, response)
    }).on('connection', () => {
      connections += 1
    }),
  )
  let stop: () => void
  beforeAll(async () => {
    const addresses: number[] = []
    for (const server of servers) {
      addresses.push((await listen(server, { host: '127.0.0.1', port: 0 })).port)
    }
    const port = await freePort()
    // Docker's DNS has an address for each reader. Here the upstream names them.
    const local = text('nginx.conf')
      .replace(/resolver .*;/, '')
      .replace(/server reader:8080 resolve(.*);/g, (_, rest: string) =>
        addresses.map((each) => `server 127.0.0.1:${each}${rest};`).join(' '),
      )
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, `pid ${folder}/nginx.pid;\ndaemon off;\nmaster_process off;\n${local}`)
    const child = spawn(nginx!, ['-c', file, '-e', join(folder, 'nginx.log')], { stdio: 'ignore' })
    stop = () => child.kill('SIGKILL')
    url = `http://127.0.0.1:${port}/swap/v1/999/quote?amount=1`
    const isUp = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isUp())) await sleep(20)
  })
  beforeEach(() => {
    for (const reader of readers) reader.does = answer
    asked = 0
  })
  afterAll(() => {
    stop?.()
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    rmSync(folder, { recursive: true })
  })
  const ask = async () => {
    const response = await fetch(url)
    const { code } = (await response.json()) as { readonly code?: string }
    return `${response.status} ${code ?? ''}`.trim()
  }

  it('keeps connections to readers, and uses them again', async () => {
    for (let n = 0; n < 4; n++) await ask()
    const before = connections
    for (let n = 0; n < 20; n++) expect(await ask()).toBe('200')
    expect(connections).toBe(before)
  })

  it('passes on that a reader is overloaded, and asks once', async () => {
    for (const reader of readers) reader.does = refuse('OVERLOADED')
    for (let n = 0; n < 6; n++) expect(await ask()).toBe('503 OVERLOADED')
    expect(asked).toBe(6)
  })

  it('asks another reader where one starts, ends or is stale', async () => {
    readers[0]!.does = refuse('SHUTTING_DOWN', elsewhere)
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(answers)).toEqual(new Set(['200']))
  })

  it('passes on the reason where no reader is ready', async () => {
    for (const reader of readers) reader.does = refuse('STATE_STALE', elsewhere)
    for (let n = 0; n < 6; n++) expect(await ask()).toBe('503 STATE_STALE')
  })

  it('passes over a reader that is gone, and has a code where all are', async () => {
    readers[0]!.does = refuse('STATE_STALE', elsewhere)
    const [first, second] = servers as [(typeof servers)[0], (typeof servers)[0]]
    const { port } = second.address() as AddressInfo
    second.closeAllConnections()
    await new Promise((done) => second.close(done))
    for (let n = 0; n < 24; n++) expect(await ask()).toBe('503 STATE_STALE')
    readers[0]!.does = answer
    for (let n = 0; n < 12; n++) expect(await ask()).toBe('200')
    // It comes back, and the other one ends before the first is no longer passed over.
    await new Promise<void>((done) => second.listen(port, '127.0.0.1', done))
    first.closeAllConnections()
    await new Promise((done) => first.close(done))
    for (let n = 0; n < 12; n++) expect(await ask()).toBe('200')
    second.closeAllConnections()
    await new Promise((done) => second.close(done))
    for (let n = 0; n < 3; n++) expect(await ask()).toBe('503 NOT_READY')
  })
})
