import { verifyRouter } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let devnet: Devnet
beforeAll(async () => {
  devnet = await borrowDevnet()
})
afterAll(() => devnet?.stop())

describe('verifyRouter', () => {
  it('returns the router and the executors on the chain', async () => {
    const { router, executor } = devnet
    const known = { router, executors: [executor] }
    expect(await verifyRouter(devnet.client)).toEqual(known)
    expect(await verifyRouter(devnet.client, { router })).toEqual(known)
  })

  it.each<readonly [string, () => Address, Hex]>([
    ['the router is absent', () => devnet.router, '0x'],
    ['other code is at the router', () => devnet.router, '0x00'],
    ['the executor is absent', () => devnet.executor, '0x'],
    ['other code is at the executor', () => devnet.executor, '0x600160005260206000f3'],
    ['the wrapped token is absent', () => devnet.wrappedNative, '0x'],
  ])('refuses where %s', async (_, place, bytecode) => {
    const address = place()
    const own = (await devnet.client.getCode({ address })) ?? '0x'
    await devnet.client.setCode({ address, bytecode })
    const asked = verifyRouter(devnet.client)
    await expect(asked).rejects.toMatchObject({ code: 'ROUTER_UNVERIFIED' })
    await devnet.client.setCode({ address, bytecode: own })
  })

  it('refuses an address from another source', async () => {
    const asked = verifyRouter(devnet.client, { router: toHex(0xbad, 20) })
    await expect(asked).rejects.toMatchObject({ code: 'ROUTER_UNVERIFIED' })
  })

  it('reports a node that does not answer as a node error', async () => {
    const silent = { request: () => Promise.reject(new Error('no node here')) }
    const failed = { code: 'RPC_FAILED', message: 'the node failed: no node here' }
    await expect(verifyRouter(silent)).rejects.toMatchObject(failed)
  })
})
