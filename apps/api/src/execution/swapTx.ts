// A transaction as answers show it; `answerSwap.ts` builds it.

import type { Address, Hex } from '@braid-swap/core'
import { encodeAbiParameters, getAddress } from 'viem'
import type { SwapBody } from '../wire/responses.js'

/** A transaction, ready to be shown or encoded. */
export type Tx = {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gasPrice: bigint
  readonly gas: bigint
}

/** One tuple of (from, to, data, value, gasPrice, gas), ABI-encoded: the first word is 0x20. */
export function encodeTx(tx: Tx): Hex {
  return encodeAbiParameters([TX_TUPLE], [tx])
}

const TX_TUPLE = {
  type: 'tuple',
  components: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'data', type: 'bytes' },
    { name: 'value', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gas', type: 'uint256' },
  ],
} as const

/** `tx` in the form of responses. */
export function showTx({ from, to, data, value, gasPrice, gas }: Tx): SwapBody['tx'] {
  return {
    from: getAddress(from),
    to: getAddress(to),
    data,
    value: `${value}`,
    gasPrice: `${gasPrice}`,
    gas: `${gas}`,
  }
}
