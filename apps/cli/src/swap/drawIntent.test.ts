// A swap in words, to the letter, because a person decides by them.

import {
  encodeProgram,
  encodeRouterCall,
  type Fee,
  NATIVE,
  type Payment,
  type Pool,
  type RouterCall,
  readIntent,
} from '@braid-swap/core'
import { toHex, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { drawIntent } from './drawIntent.js'

const [W, A, USD] = [toHex(0x5, 20), toHex(0xa, 20), toHex(0xd, 20)]
const [EXECUTOR, WALLET] = [toHex(0xe, 20), toHex(0xf, 20)]
const labels = new Map([
  [NATIVE, { symbol: 'HYPE', decimals: 18 }],
  [USD, { symbol: 'USD', decimals: 6 }],
])

/** A pool of two tokens in order, which sells the first. */
function hop(x: typeof W, y: typeof W, share: number) {
  const pool: Pool = {
    ...{ family: 'uniswapV2', id: toHex(BigInt(x) * 256n + BigInt(y), 20), venue: 'test' },
    ...{ tokens: [x, y], reserves: [1n, 1n], feePpm: 3000 },
  }
  return { pool, direction: { in: 0, out: 1 }, share } as const
}
const two = [hop(W, A, 0xffffff >> 2), hop(W, USD, 0), hop(A, USD, 0)]
const program = (fee?: Fee, hops = two) => encodeProgram(hops, { tokenIn: W, tokenOut: USD }, fee)
const call: RouterCall = {
  ...{ tokenIn: NATIVE, amountIn: 15n * 10n ** 17n, tokenOut: USD, minAmountOut: 997_000n },
  ...{ receiver: ZERO_ADDRESS, deadline: 1_700_000_000n, executor: EXECUTOR, program: program() },
}
const draw = (change: Partial<RouterCall> = {}) =>
  drawIntent(readIntent(encodeRouterCall({ ...call, ...change }), W), labels)

it('names who pays, gets and takes what, until when, through which pools', () => {
  expect(draw()).toMatchInlineSnapshot(`
    "payer     only the sender of the transaction
    pays      exactly 1.5 HYPE (1500000000000000000 wei)
    receiver  the sender of the transaction
    receives  at least 0.997 USD (997000 wei)
    deadline  2023-11-14T22:13:20.000Z (1700000000)
    executor  0x000000000000000000000000000000000000000e, which gets what is paid

    hop      share  in               out              family     pool
      1  25.0000 %  0x000000…000005  0x000000…00000a  uniswapV2  0x000000000000000000000000000000000000050a
      2   the rest  0x000000…000005  USD              uniswapV2  0x000000000000000000000000000000000000050d
      3   the rest  0x000000…00000a  USD              uniswapV2  0x0000000000000000000000000000000000000a0d

    The router wraps and unwraps the native token."
  `)
})

it('names what differs', () => {
  const fee = { of: 'tokenOut', ppm: 3_000, recipient: WALLET } as const
  const first = { ...fee, of: 'tokenIn' } as const
  expect(draw({ program: program(fee) })).toMatch(
    new RegExp(
      `^fee +0.3 % of the output, at least 0.002999 USD .2999 wei., to ${WALLET}; the rec`,
      'm',
    ),
  )
  expect(draw({ program: program(first) })).toMatch(
    new RegExp(`^fee +0.3 % of what is paid, 0.0045 HYPE .\\d+ wei., to ${WALLET}$`, 'm'),
  )
  expect(draw({ receiver: WALLET })).toMatch(new RegExp(`^receiver +${WALLET}$`, 'm'))
  expect(draw({ deadline: 1n << 200n })).toMatch(/^deadline +never \(\d+\)$/m)
  const one = draw({ tokenIn: W, program: program(undefined, [hop(W, USD, 0)]) })
  expect(one).toContain(`has it paid to the first pool, ${hop(W, USD, 0).pool.id}`)
  expect(one).not.toContain('The router wraps')
  const paid = (payment: Payment) => draw({ tokenIn: W, payment })
  expect(paid({ by: 'permit', signature: '0x00' })).toContain(', by a permit of the token\n')
  expect(paid({ by: 'permit2', nonce: 1n, signature: '0x00' })).toContain(
    ', by a Permit2 signature\n',
  )
  const wrap = draw({ tokenOut: W, program: '0x00', minAmountOut: call.amountIn })
  expect(wrap).toMatch(/\n\nThe router wraps and unwraps the native token\.$/)
  expect(wrap).not.toContain('hop')
})
