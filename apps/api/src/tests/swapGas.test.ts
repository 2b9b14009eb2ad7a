import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Hex, NATIVE } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { frozenGraph, USDC } from '../testing/frozenMarket.js'
import { startTestApi, TEST_ROUTER } from '../testing/startTestApi.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import type { ErrorBody, SwapBody } from '../wire/responses.js'

const path = (params: Readonly<Record<string, string>>) =>
  `/swap/v1/999/swap?${new URLSearchParams(params)}`

const world = useTestWorld()

const get = (params: Readonly<Record<string, string>>) => world.api.get<SwapBody>(path(params))

describe('gas of a swap, with from', () => {
  const wallet = () => world.chain.accounts[5]!.address
  const full = () => ({
    ...{ src: NATIVE, dst: USDC, amount: `${10n ** 19n}`, slippage: '0.5' },
    ...{ from: wallet(), includeGas: 'true', includeMeta: 'true' },
  })
  const atRouter = (bytecode: Hex) => world.chain.client.setCode({ address: TEST_ROUTER, bytecode })
  const modelled = async () => BigInt((await get({ ...full(), skipChecks: 'true' })).body.gas ?? 0)

  it('is the model’s where it is above the node’s, and then too the node was asked', async () => {
    const { headers, body } = await get(full())
    expect(headers.get('x-gas-estimate')).toBe('node')
    expect(body.gas).toBe(`${await modelled()}`)
    expect(body.meta).toMatchObject({ simulated: true, warnings: [] })
  })

  it('is the node’s where it is above the model’s', async () => {
    await atRouter(BURN_A_MILLION)
    const { headers, body } = await get(full())
    await atRouter('0x')
    expect(headers.get('x-gas-estimate')).toBe('node')
    expect(BigInt(body.gas ?? 0)).toBeGreaterThan(1_000_000n)
    expect(body.tx.gas).toBe(`${(BigInt(body.gas ?? 0) * 12n + 9n) / 10n}`)
  })

  it('is refused if the swap reverts, unless nobody wants it checked', async () => {
    await atRouter('0x5f5ffd')
    const { status, body } = await world.api.get<ErrorBody>(path(full()))
    const unchecked = await get({ ...full(), skipChecks: 'true' })
    await atRouter('0x')
    expect([status, body.code]).toEqual([422, 'SWAP_WOULD_REVERT'])
    expect(unchecked.status).toBe(200)
  })

  it('is the model’s if the node does not answer, with another warning', async () => {
    const deaf = await startDeafNode(world.chain.rpcUrl, 'eth_estimateGas')
    const api = await startTestApi({
      ...{ graph: frozenGraph, rpcUrl: deaf.url, config: { nodeTimeoutMs: 1_000 } },
    })
    const { status, headers, body } = await api.get<SwapBody>(path(full()))
    await api.stop()
    deaf.stop()
    expect([status, headers.get('x-gas-estimate')]).toEqual([200, 'model'])
    const warnings = [{ code: 'GAS_ESTIMATE_FAILED' }]
    expect(body.meta).toMatchObject({ simulated: false, warnings })
  })

  it('is the model’s where nobody asked the node, without a warning', async () => {
    const { from: _, ...nobody } = full()
    for (const params of [nobody, { ...full(), skipChecks: 'true' }]) {
      const { headers, body } = await get(params)
      expect(headers.get('x-gas-estimate')).toBe('model')
      expect(body.meta).toMatchObject({ simulated: false, warnings: [] })
    }
  })
})

/** Stores to 50 fresh slots: 50 · 22,100 gas. */
const BURN_A_MILLION: Hex = `0x${Array.from({ length: 50 }, (_, i) => `600160${(i + 1).toString(16).padStart(2, '0')}55`).join('')}00`

/** A node that answers everything but one method, on which it hangs up. */
async function startDeafNode(rpcUrl: string, method: string) {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (body.includes(method)) return void request.socket.destroy()
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(rpcUrl, { method: 'POST', body, headers })
    response.writeHead(200, headers).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}
