import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NATIVE } from '@braid-swap/core'
import { afterEach, describe, expect, it } from 'vitest'
import { createBraid } from '../braid.js'
import { type QuoteState, watchQuote } from './watchQuote.js'

let server: Server | undefined
let stop = () => {}
afterEach(() => {
  stop()
  server?.closeAllConnections()
  server?.close()
})

/** Watches an API that gives its answers in turn, and repeats the last. */
async function watch(...answers: readonly (number | 'no route')[]) {
  let asked = 0
  server = createServer(({ headers }, response) => {
    const answer = answers[Math.min(asked++, answers.length - 1)]!
    if (answer === 'no route') {
      const body = { statusCode: 422, code: 'NO_ROUTE', message: 'no', requestId: 'r' }
      response.writeHead(422)
      response.end(JSON.stringify({ ...body, retryable: false, issues: [], details: {} }))
      return
    }
    const etag = `"${answer}"`
    response.writeHead(headers['if-none-match'] === etag ? 304 : 200, { etag })
    response.end(headers['if-none-match'] === etag ? undefined : `{"dstAmount":"${answer}"}`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const said: (string | bigint)[] = []
  const request = { src: NATIVE, dst: NATIVE, amount: 1n }
  const hear = (state: QuoteState<typeof request>) => {
    said.push(state.status === 'quoted' ? state.quote.dstAmount : state.status)
  }
  stop = watchQuote(createBraid({ url, apiKey: 'k' }), request, { pollMs: 1, delayMs: 1 }, hear)
  return { said, asked: () => asked }
}

describe('a watched quote', () => {
  it('is said when it changes, and only then', async () => {
    const { said, asked } = await watch(5, 5, 5, 6)
    await expect.poll(asked).toBeGreaterThan(6)
    expect(said).toEqual(['loading', 5n, 6n])
  })

  it('is withdrawn by a failure, and returns after it', async () => {
    const { said } = await watch(5, 'no route', 5)
    await expect.poll(() => said.length).toBe(4)
    expect(said).toEqual(['loading', 5n, 'failed', 5n])
  })

  it('is not asked for and not said after the end', async () => {
    const { said, asked } = await watch(5, 6, 7, 8)
    await expect.poll(() => said).toContain(5n)
    stop()
    const before = { said: said.length, asked: asked() }
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(said).toHaveLength(before.said)
    // One request may have been under way.
    expect(asked()).toBeLessThanOrEqual(before.asked + 1)
  })
})
