import { NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import type { PageConfig } from '../pageConfig.js'
import { clientOf, type Payer, type Provider } from '../wallet/payer.js'
import { requireBlock, requireDecimals } from './checkNode.js'

const token = toHex(0x70, 20)

/** A payer whose node has these answers. */
function payerOf(answers: Readonly<Record<string, unknown>>): Payer {
  const request = async ({ method }: { readonly method: string }) => answers[method] ?? null
  const client = clientOf({ request } as unknown as Provider)
  return { kind: 'wallet', address: token, client, canBatch: false }
}
const config = { chainId: 999 } as PageConfig
const quoted = { number: 5n, hash: toHex(1, 32) }
const block = (hash: number) => ({ number: '0x5', hash: toHex(hash, 32), transactions: [] })

it.each([
  ['the quoted block', { eth_chainId: '0x3e7', eth_getBlockByNumber: block(1) }, undefined],
  ['a block behind', { eth_chainId: '0x3e7', eth_getBlockByNumber: null }, undefined],
  [
    'another block',
    { eth_chainId: '0x3e7', eth_getBlockByNumber: block(2) },
    'WALLET_OTHER_NETWORK',
  ],
  ['another chain', { eth_chainId: '0x1', eth_getBlockByNumber: block(1) }, 'WRONG_CHAIN'],
])('a node with %s is judged by it', async (_, answers, code) => {
  const check = requireBlock(payerOf(answers), config, quoted).then(
    () => undefined,
    (error: { readonly code: string }) => error.code,
  )
  expect(await check).toBe(code)
})

it.each([
  [6, 18, undefined],
  [7, 18, 'DECIMALS_DIFFER'],
  [6, 6, 'DECIMALS_DIFFER'],
])(
  'amounts shown with %i and %i decimals are those of the chain, or nothing is sent',
  async (of, native, code) => {
    const payer = payerOf({ eth_call: toHex(6, 32) })
    const shown = [
      { address: token, symbol: 'T', decimals: of },
      { address: NATIVE, symbol: 'HYPE', decimals: native },
    ]
    const check = requireDecimals(payer, shown).then(
      () => undefined,
      (error: { readonly code: string }) => error.code,
    )
    expect(await check).toBe(code)
  },
)
