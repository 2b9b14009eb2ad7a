import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployRouter, startChain } from '@braid-swap/devnet'
import { describe, expect, it } from 'vitest'
import { createKey } from '../keys/keys.js'
import { startApi } from '../start/startApi.js'
import { TEST_ROUTER } from '../testing/startTestApi.js'

describe('the end of an API', () => {
  it('does not wait for a node that does not answer', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braid-ending-'))
    const keysFile = join(folder, 'keys.json')
    await createKey(keysFile, { label: 'test' })
    const open = new Set<unknown>()
    const silent = createServer((request) => {
      open.add(request)
      request.socket.once('close', () => open.delete(request))
    })
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const api = await startApi({
      ...{ rpcUrls: [`http://127.0.0.1:${port}`], keysFile, router: TEST_ROUTER, venues: [] },
      ...{ port: 0, nodeTimeoutMs: 100, drainMs: 50, logLevel: 'silent' },
    })
    await expect.poll(() => open.size, { timeout: 40_000 }).toBeGreaterThan(0)
    await api.stop()
    // The requests to the node are still under way: nothing has waited for their time limit.
    expect(open.size).toBeGreaterThan(0)
    silent.closeAllConnections()
    silent.close()
    await rm(folder, { recursive: true })
  })
})

describe('a node that is given another chain id', () => {
  it('stops quotes with WRONG_CHAIN until it has ours again, and the metrics tell', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braid-chain-id-'))
    const keysFile = join(folder, 'keys.json')
    const { key } = await createKey(keysFile, { label: 'test', burst: 10_000, rate: 1_000 })
    const chain = await startChain()
    const { router } = await deployRouter(chain)
    const api = await startApi({
      ...{ rpcUrls: [chain.rpcUrl], keysFile, router, venues: [], port: 0, metricsPort: 0 },
      ...{ wrappedNative: chain.wrappedNative, pollMs: 50, routerCheckMs: 20 },
      ...{ maxStateAgeMs: 3_600_000, checksBlockTime: false, logLevel: 'silent' },
    })
    await api.ready
    const codeOf = async () => {
      const path = `/swap/v1/999/quote?src=${chain.wrappedNative}&dst=${router}&amount=1`
      const response = await fetch(`${api.url}${path}`, { headers: { apikey: key } })
      return ((await response.json()) as { readonly code: string }).code
    }
    const metric = async () => (await fetch(api.metricsUrl!)).text()
    expect(await codeOf()).toBe('NO_POOLS')
    await setChainId(chain.rpcUrl, 1)
    await expect.poll(codeOf, { timeout: 40_000 }).toBe('WRONG_CHAIN')
    const health = await fetch(api.metricsUrl!.replace('/metrics', '/healthz'))
    expect(await health.json()).toEqual({ status: 'ok' })
    const text = await metric()
    expect(text).toContain('braid_ready{reason="WRONG_CHAIN"} 0')
    expect(text).toContain('braid_keys_unreadable 0')
    expect(text).toContain('braid_failed_saves_total 0')
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
    expect(text).toContain('braid_queue_length 0')
    await setChainId(chain.rpcUrl, 999)
    await expect.poll(codeOf, { timeout: 40_000 }).toBe('NO_POOLS')
    await api.stop()
    await chain.stop()
    await rm(folder, { recursive: true })
  })
})

async function setChainId(rpcUrl: string, id: number): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setChainId', params: [id] })
  await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}
