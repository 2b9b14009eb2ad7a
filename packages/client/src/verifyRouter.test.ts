// A node whose contracts have other code in one place at a time.

import { routerDeployment, shippedChain } from '@braid-swap/contracts'
import type { Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { keccak256 } from 'viem'
import { expect, it } from 'vitest'
import { nodeDouble } from './testing/nodeDouble.js'
import { verifyRouter } from './verifyRouter.js'

const { wrappedNative: WHYPE } = shippedChain
const { router, code } = routerDeployment(WHYPE)
const [OLD, NEW] = [toHex(0xe1, 20), toHex(0xe2, 20)]
const executors = [NEW, OLD].map((address) => ({
  ...{ address, codeHash: keccak256('0x60'), families: [] },
})) as never
const whole: readonly (readonly [Hex, Hex])[] = [
  ...([
    [WHYPE, '0x61'],
    [router, code],
  ] as const),
  ...([
    [NEW, '0x60'],
    [OLD, '0x60'],
  ] as const),
]

/** What is found where some contracts have other code. */
function verify(other: readonly (readonly [Hex, Hex])[] = []) {
  const codes = new Map([...whole, ...other])
  const { client } = nodeDouble({ eth_getCode: (address) => codes.get(address as Hex) ?? '0x' })
  return verifyRouter(client, { executors })
}

it('the published code is the router, with those of its executors that are there', async () => {
  expect(await verify()).toEqual({ router, executors: [NEW, OLD] })
  expect(await verify([[NEW, '0x']])).toEqual({ router, executors: [OLD] })
})

it.each<readonly [string, readonly (readonly [Hex, Hex])[]]>([
  [`no router at ${router}`, [[router, '0x']]],
  ['the router runs other code', [[router, '0x60']]],
  [`no wrapped token at ${WHYPE}`, [[WHYPE, '0x']]],
  [
    `no executor at ${NEW},${OLD}`,
    [
      [NEW, '0x'],
      [OLD, '0x'],
    ],
  ],
  [`the executor ${OLD} runs other code`, [[OLD, '0x61']]],
])('one fault is enough: %s', async (got, other) => {
  await expect(verify(other)).rejects.toMatchObject({
    ...{ code: 'ROUTER_UNVERIFIED', details: { router, got } },
  })
})

it('the router and the wrapped token of the caller are those that are compared', async () => {
  const [own, wrapped] = [toHex(0xb, 20), toHex(0xc, 20)]
  const codes = new Map<Hex, Hex>([
    [own, routerDeployment(wrapped).code],
    [wrapped, '0x61'],
    [NEW, '0x60'],
  ])
  const { client } = nodeDouble({ eth_getCode: (address) => codes.get(address as Hex) ?? '0x' })
  const expected = { router: own, wrappedNative: wrapped, executors }
  // Nobody else knows the executors of a router of one's own.
  const without = verifyRouter(client, { ...expected, executors: undefined })
  await expect(without).rejects.toThrow(expect.objectContaining({ code: 'ROUTER_UNVERIFIED' }))
  expect(await verifyRouter(client, expected)).toEqual({ router: own, executors: [NEW] })
})
