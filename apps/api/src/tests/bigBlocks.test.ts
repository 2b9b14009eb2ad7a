import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { NATIVE } from '@braid-swap/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frozenGraph, USDC } from '../testing/frozenMarket.js'
import { startTestApi, type TestApi } from '../testing/startTestApi.js'
import { startTestWorld, type TestWorld } from '../testing/startTestWorld.js'
import type { SwapBody } from '../wire/responses.js'

type Question = {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

let world: TestWorld
let node: Server
let api: TestApi
const asked: string[] = []
/** The node says this of every account. */
let answer: unknown = true

beforeAll(async () => {
  world = await startTestWorld()
  // The chain's own node, which beside its own methods answers the one that only HyperEVM's has.
  node = createServer(async (request, response) => {
    const body = await buffer(request)
    const parsed: Question | readonly Question[] = JSON.parse(body.toString('utf8'))
    const questions = [parsed].flat() as readonly Question[]
    const isOwn = ({ method }: Question) => method === 'eth_usingBigBlocks'
    asked.push(...questions.map(({ method, params }) => `${method} ${params?.[0]}`))
    const others = questions.filter((question) => !isOwn(question))
    const headers = { 'content-type': 'application/json' }
    const passed = await fetch(world.chain.rpcUrl, {
      ...{ method: 'POST', headers, body: JSON.stringify(others) },
    })
    const own = questions.filter(isOwn).map(({ id }) => ({ jsonrpc: '2.0', id, result: answer }))
    const answers = others.length > 0 ? [...((await passed.json()) as object[]), ...own] : own
    response.writeHead(200, headers)
    response.end(JSON.stringify(Array.isArray(parsed) ? answers : answers[0]))
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { port } = node.address() as AddressInfo
  api = await startTestApi({ graph: frozenGraph, rpcUrl: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await api?.stop()
  node?.closeAllConnections()
  node?.close()
  await world?.stop()
})

async function swap(more: Readonly<Record<string, string>> = {}) {
  const from = world.chain.accounts[4]!.address
  const order = { src: NATIVE, dst: USDC, amount: `${10n ** 18n}`, slippage: '1', from }
  const params = new URLSearchParams({ ...order, includeMeta: 'true', ...more })
  const { status, body } = await api.get<SwapBody>(`/swap/v1/999/swap?${params}`)
  expect(status).toBe(200)
  return body.meta
}
const codesOf = (meta: SwapBody['meta']) => meta?.warnings.map(({ code }) => code)

describe('wallet.usingBigBlocks', () => {
  it('is what the node says of the wallet, and warns of the wait', async () => {
    answer = true
    const meta = await swap()
    expect(meta?.wallet?.usingBigBlocks).toBe(true)
    expect(codesOf(meta)).toContain('WALLET_USES_BIG_BLOCKS')
    expect(asked).toContain(`eth_usingBigBlocks ${world.chain.accounts[4]!.address}`)
    answer = false
    const other = await swap()
    expect(other?.wallet?.usingBigBlocks).toBe(false)
    expect(codesOf(other)).not.toContain('WALLET_USES_BIG_BLOCKS')
  })

  it('of such a wallet, a gas limit that no small block has room for is no fault', async () => {
    const gasLimit = `${frozenGraph.snapshot.block.gasLimit + 1n}`
    answer = false
    expect(codesOf(await swap({ gasLimit }))).toContain('BIG_BLOCK_REQUIRED')
    answer = true
    expect(codesOf(await swap({ gasLimit }))).not.toContain('BIG_BLOCK_REQUIRED')
  })

  it.each([null, '0x1', {}])('is null, never a guess, where the node answers %o', async (odd) => {
    answer = odd
    expect((await swap())?.wallet?.usingBigBlocks).toBeNull()
  })

  it('is asked only for meta: it takes a request of its own', async () => {
    asked.length = 0
    await swap({ includeMeta: 'false' })
    expect(asked.filter((line) => line.startsWith('eth_usingBigBlocks'))).toEqual([])
  })
})
