// Checks that the executor answers the swap callback that a pool calls, from the pool's bytecode.

import type { Address, Hex } from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import type { Client } from '../transport/client.js'
import type { Finding } from './check.js'
import type { PoolRef } from './loader.js'

/** The swap callbacks that the executor implements, by selector. */
export const callbacks: ReadonlyMap<Hex, string> = new Map(
  ['uniswapV3', 'hyperswapV3', 'pancakeV3', 'algebra'].map((name) => {
    const callback = `${name}SwapCallback`
    return [toFunctionSelector(`function ${callback}(int256,int256,bytes)`), callback]
  }),
)

/** Which of the known swap callbacks the code of a pool contains. */
export function callbackFinding(ref: PoolRef, code: Hex): Finding {
  const names = [...callbacks].flatMap(([selector, name]) =>
    code.includes(selector.slice(2)) ? [name] : [],
  )
  return {
    ...{ subject: ref.venue, check: 'callback', assumed: 'one that the executor implements' },
    found: names.length === 0 ? 'none known' : names.join(', '),
    holds: names.length > 0,
  }
}

/** The code of an EIP-1167 minimal proxy, with the address of its implementation. */
const PROXY = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/

/** The code that runs at an address: its implementation's if it is a minimal proxy. */
export async function codeOf(client: Client, address: Address): Promise<Hex> {
  const code = (await client.getCode({ address })) ?? '0x'
  const implementation = PROXY.exec(code)?.[1]
  return implementation ? codeOf(client, `0x${implementation}`) : code
}
