// What a running demo says about itself, in the folder where it was started.
import { readFileSync } from 'node:fs'
import type { Address, Hex } from '@braid-swap/core'

type Demo = {
  readonly apiUrl: string
  readonly apiKey: string
  readonly rpcUrl: string
  readonly wrappedNative: Address
  readonly tokens: readonly { readonly symbol: string; readonly address: Address }[]
  readonly venues: readonly { readonly family: string; readonly factory: Address }[]
  readonly account: { readonly address: Address; readonly privateKey: Hex }
}

export const demo = JSON.parse(readFileSync('.braid/demo.json', 'utf8')) as Demo
const dollar = demo.tokens.find(({ symbol }) => symbol === 'USDC')
if (dollar === undefined) throw new Error('the demo has no dollar')
export const usdc = dollar.address
