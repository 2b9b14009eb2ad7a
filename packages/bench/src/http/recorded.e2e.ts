/** The recorded markets over HTTP, as anyone has them: `braid-api` on a file, without a node and without a key. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { buildGraph, type Order, quote, type Snapshot, stringifySnapshot } from '@braid-swap/core'
import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { weiOfDollars } from '../market.js'
import { loadEthereum } from '../markets/ethereum.js'
import { loadRecorded } from '../markets/recorded.js'

const program = new URL('../bin/braid-api.js', import.meta.resolve('@braid-swap/api')).pathname

let folder: string
let child: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'braid-file-'))
})
afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const fileOf = (name: string, contents: string | Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, contents)
  return path
}

/** Starts the program; `url` is absent if it ends instead, with its last words. */
async function serve(snapshot: Snapshot, env: Readonly<Record<string, string>> = {}) {
  const market = fileOf('market.json.gz', gzipSync(stringifySnapshot(snapshot)))
  const started = spawn(process.execPath, [program], {
    env: {
      ...{ PATH: process.env['PATH'], PORT: '0', BRAID_MARKET: market },
      // The machine may be slow, and one address asks for all.
      ...{ BRAID_MAX_REQUEST_MS: '60000', BRAID_KEY_RATE: '1000', BRAID_INTERMEDIATES: 'all' },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child = started
  const closed = once(started, 'close')
  let said = ''
  started.stderr.on('data', (chunk) => {
    said += chunk
  })
  const url = new Promise<string>((done) => {
    createInterface(started.stdout).on('line', (line) => {
      const { msg, url: at } = JSON.parse(line)
      if (msg === 'listening') done(at)
    })
  })
  const at = await Promise.race([url, closed.then(() => undefined)])
  const stop = async () => {
    started.kill('SIGTERM')
    return (await closed) as [number | null]
  }
  return { url: at ?? '', said: () => said, stop }
}

const get = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Asks for each order, and expects what the core solves on the same snapshot. */
async function expectSolved(url: string, snapshot: Snapshot, orders: readonly Order[]) {
  const graph = buildGraph(snapshot)
  const base = `${url}/swap/v1/${snapshot.chainId}`
  for (const { tokenIn, tokenOut, amountIn } of orders) {
    const query = `src=${tokenIn}&dst=${tokenOut}&amount=${amountIn}`
    const { amountOut } = quote(graph, { tokenIn, tokenOut, amountIn })
    const { body } = await get(`${base}/quote?${query}&includeMeta=true`)
    const recorded = { recorded: true, blockNumber: `${snapshot.block.number}` }
    expect(body).toMatchObject({ dstAmount: `${amountOut}`, meta: recorded })
  }
  const { tokenIn, tokenOut } = orders[0]!
  const swap = await get(`${base}/swap?src=${tokenIn}&dst=${tokenOut}&amount=1&slippage=1`)
  expect([swap.status, swap.body['code']]).toEqual([501, 'MARKET_RECORDED'])
  expect((await get(`${url}/readyz`)).body).toMatchObject({ status: 'ready', recorded: true })
}

it('the committed market is quoted over HTTP as the core solves it', async () => {
  const market = loadRecorded()[0]!
  const { snapshot, dollar } = market
  const [tokenIn, tokenOut] = [snapshot.wrappedNative, dollar]
  const orders = [1, 1_000, 100_000].map((dollars) => {
    return { tokenIn, tokenOut, amountIn: weiOfDollars(market, tokenIn, dollars) }
  })
  const { url, stop } = await serve(snapshot)
  await expectSolved(url, snapshot, orders)
  expect(await stop()).toEqual([0, null])
})

it('an open address without keys is refused in one line, before the market is read', async () => {
  const { url, said } = await serve(loadRecorded()[0]!.snapshot, { HOST: '0.0.0.0' })
  expect(url).toBe('')
  expect(said()).toMatch(/^error: BRAID_KEYS_FILE is required on HOST=0\.0\.0\.0.*CONFIG_INVALID/)
})

describeReferenceVectors('the recorded market of Ethereum', () => {
  it('is quoted over HTTP as the core solves it, for its ten large trades', async () => {
    const { clean, trades } = loadEthereum()
    const { url, stop } = await serve(clean.snapshot, { BRAID_CHAIN: 'ethereum' })
    const orders = trades.map(({ from, to, amountIn }) => ({
      tokenIn: from,
      tokenOut: to,
      amountIn,
    }))
    await expectSolved(url, clean.snapshot, orders)
    expect(await stop()).toEqual([0, null])
  })
})
