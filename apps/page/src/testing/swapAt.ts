import { type Address, encodeRouterCall, NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { KeptSwap } from '../memory/swapMemory.js'

const token: Address = toHex(0x70, 20)
const HOUR_MS = 3_600_000

/** The record of a swap that was started then, and may be performed for an hour. */
export function swapAt(startedMs: number, outcome?: KeptSwap['outcome']): KeptSwap {
  const data = encodeRouterCall({
    ...{ tokenIn: NATIVE, amountIn: 7n, tokenOut: token, minAmountOut: 5n, receiver: token },
    ...{
      deadline: BigInt(Math.floor((startedMs + HOUR_MS) / 1_000)),
      executor: token,
      program: '0x',
    },
  })
  const end = (address: Address) => ({ address, symbol: 'T', decimals: 6 })
  const sent = {
    ...{ id: toHex(startedMs, 32), terms: 'o', chainId: 999, from: token, router: token, data },
    ...{ quoted: '6', balance: '7', block: '12', count: 1 },
  }
  return { startedMs, src: end(NATIVE), dst: end(token), sent, ...(outcome && { outcome }) }
}
