// @vitest-environment happy-dom
// What the payer's node is asked, and what its answers offer.

import { NATIVE } from '@braid-swap/core'
import { PERMIT2, toHex } from '@braid-swap/core/advanced'
import { h } from 'preact'
import { domainSeparator, encodeFunctionResult, erc20Abi, toFunctionSelector } from 'viem'
import { expect, it } from 'vitest'
import type { PageConfig } from '../pageConfig.js'
import { chain } from '../testing/chain.js'
import { shown } from '../testing/shown.js'
import { clientOf, type Payer, type Provider } from '../wallet/payer.js'
import { usePayWays } from './usePayWays.js'

const [TOKEN, OWNER, ROUTER] = [toHex(0x70, 20), toHex(7, 20), toHex(5, 20)]
const config = { chainId: 999, router: ROUTER, demo: null, chain } as PageConfig
const sale = { src: TOKEN, dst: NATIVE, amount: 5n }
const selector = (of: string) => toFunctionSelector(`function ${of}`)
const ALLOWANCE = selector('allowance(address,address)')
const domain = { name: 'T', version: '1', chainId: 999, verifyingContract: TOKEN }
/** What the token answers to each call: it has a permit, and the router may take nothing. */
const calls: Readonly<Record<string, string>> = {
  [ALLOWANCE]: toHex(0, 32),
  [selector('name()')]: encodeFunctionResult({
    ...{ abi: erc20Abi, functionName: 'name', result: 'T' },
  }),
  [selector('nonces(address)')]: toHex(0, 32),
  [selector('DOMAIN_SEPARATOR()')]: domainSeparator({ domain }),
}

type Asked = { readonly method: string; readonly params: readonly unknown[] }

/** A payer whose node has Permit2, unless told otherwise; `asked` has what its token was asked. */
function payerOf(kind: Payer['kind'], node: { allowance: bigint; permit2?: string }) {
  const asked: string[] = []
  const request = async ({ method, params }: Asked) => {
    if (method === 'eth_getCode') return params[0] === PERMIT2 ? (node.permit2 ?? '0x00') : '0x'
    const { data } = params[0] as { readonly data: string }
    const called = data.slice(0, 10)
    asked.push(called)
    if (called === ALLOWANCE) return toHex(node.allowance, 32)
    if (!calls[called]) throw new Error('execution reverted')
    return calls[called]
  }
  const client = clientOf({ request } as unknown as Provider)
  return { payer: { kind, address: OWNER, client, canBatch: false } satisfies Payer, asked }
}

/** What the hook gives for these arguments, and for others later. */
async function ways(...first: Parameters<typeof usePayWays>) {
  const Ways = ({ of }: { readonly of: typeof first }) =>
    h('output', {}, usePayWays(...of).join(' '))
  const on = await shown(h(Ways, { of: first }))
  return {
    now: () => on.text('output'),
    become: (...next: typeof first) => on.draw(h(Ways, { of: next })),
  }
}

it('a wallet is offered the permit of a token that has one, and Permit2 where it is deployed', async () => {
  const here = await ways(payerOf('wallet', { allowance: 4n }).payer, sale, { config, sent: 0 })
  await expect.poll(() => here.now()).toBe('permit approval permit2')
  const absent = payerOf('wallet', { allowance: 4n, permit2: '0x' })
  const on = await ways(absent.payer, sale, { config, sent: 0 })
  await expect.poll(() => on.now()).toBe('permit approval')
})

it('the demo account does not ask a token for its permit', async () => {
  const { payer, asked } = payerOf('demo', { allowance: 4n })
  const on = await ways(payer, sale, { config, sent: 0 })
  await expect.poll(() => on.now()).toBe('approval permit2')
  expect(asked).toEqual([ALLOWANCE])
})

it('an approval is offered before the node has answered', async () => {
  const request = () => new Promise(() => {})
  const client = clientOf({ request } as unknown as Provider)
  const payer = { ...payerOf('wallet', { allowance: 0n }).payer, client }
  const on = await ways(payer, sale, { config, sent: 0 })
  expect(on.now()).toBe('approval')
})

it('the allowance is read again after a swap', async () => {
  const node = { allowance: 5n }
  const { payer } = payerOf('demo', node)
  const on = await ways(payer, sale, { config, sent: 0 })
  await expect.poll(() => on.now()).toBe('')
  node.allowance = 0n
  await on.become(payer, sale, { config, sent: 1 })
  await expect.poll(() => on.now()).toBe('approval permit2')
})

it('nothing is asked without a payer or a sale, nor for the native token', async () => {
  const { payer, asked } = payerOf('wallet', { allowance: 0n })
  const on = await ways(undefined, sale, { config, sent: 0 })
  expect(on.now()).toBe('')
  await on.become(payer, undefined, { config, sent: 0 })
  expect(on.now()).toBe('')
  await on.become(payer, { ...sale, src: NATIVE }, { config, sent: 0 })
  expect([on.now(), asked]).toEqual(['', []])
})
