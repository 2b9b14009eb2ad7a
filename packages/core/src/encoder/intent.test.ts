import { describe, expect, it } from 'vitest'
import { type Address, NATIVE, toHex } from '../hex.js'
import type { Pool } from '../pools/index.js'
import { encodeRouterCall, type RouterCall } from './calldata.js'
import { findMismatches, readIntent, type SwapCall } from './intent.js'
import { encodeProgram } from './program.js'

const WRAPPED: Address = '0x5555555555555555555555555555555555555555'
const [A, B, C, ROUTER] = [toHex(0xa, 20), toHex(0xb, 20), toHex(0xc, 20), toHex(0xffff, 20)]

function pair(x: Address, y: Address): Pool {
  const id = toHex(BigInt(x) * 100n + BigInt(y), 20)
  const tokens = [x, y] as const
  return { family: 'uniswapV2', id, tokens, venue: 'test', reserves: [1n, 1n], feePpm: 3000 }
}

const forward = { in: 0, out: 1 } as const
const program = encodeProgram(
  [
    { pool: pair(A, C), direction: forward, share: 1000 },
    { pool: pair(A, B), direction: forward, share: 0 },
    { pool: pair(C, B), direction: forward, share: 0 },
  ],
  { tokenIn: A, tokenOut: B },
)
const call: RouterCall = {
  ...{ tokenIn: A, amountIn: 1000n, tokenOut: B, minAmountOut: 990n },
  ...{ receiver: toHex(0, 20), deadline: 1_700_000_000n, program },
}
const { program: _, ...wanted } = call

function mismatches(call: RouterCall, tx: Partial<SwapCall> = {}): readonly string[] {
  const value = call.tokenIn === NATIVE ? call.amountIn : 0n
  const sent = { to: ROUTER, data: encodeRouterCall(call), value, ...tx }
  return findMismatches(sent, { router: ROUTER, wrappedNative: WRAPPED, wanted })
}

describe('a transaction', () => {
  it('that is the wanted swap has no mismatch, however it is paid', () => {
    expect(mismatches(call)).toEqual([])
    expect(mismatches({ ...call, payment: { by: 'permit', signature: '0x00' } })).toEqual([])
    expect(
      mismatches({ ...call, payment: { by: 'permit2', nonce: 1n, signature: '0x00' } }),
    ).toEqual([])
  })

  it('may promise more and end sooner, not less and later', () => {
    expect(mismatches({ ...call, minAmountOut: 991n, deadline: 1n })).toEqual([])
    expect(mismatches({ ...call, minAmountOut: 989n })).toEqual(['minAmountOut'])
    expect(mismatches({ ...call, deadline: 1_700_000_001n })).toEqual(['deadline'])
  })

  it('is named for each field that differs', () => {
    expect(mismatches({ ...call, amountIn: 1001n })).toEqual(['amountIn'])
    expect(mismatches({ ...call, receiver: C })).toEqual(['receiver'])
    expect(mismatches({ ...call, tokenIn: C })[0]).toBe('tokenIn')
    expect(mismatches({ ...call, tokenOut: C })[0]).toBe('tokenOut')
    expect(mismatches(call, { to: A })).toEqual(['to'])
    expect(mismatches(call, { value: 1n })).toEqual(['value'])
  })

  it('of the native token sends its amount and takes no permit', () => {
    const native = { ...call, tokenIn: NATIVE, program: '0x00' } as const
    expect(mismatches(native, { value: 999n })).toContain('value')
    const permitted = { ...native, payment: { by: 'permit', signature: '0x' } } as const
    expect(mismatches(permitted)).toContain('the native token takes no permit')
  })
})

describe('a program', () => {
  const faultsOf = (hops: Parameters<typeof encodeProgram>[0], over: Partial<RouterCall> = {}) => {
    const program = encodeProgram(hops, { tokenIn: A, tokenOut: B })
    return readIntent(encodeRouterCall({ ...call, program, ...over }), WRAPPED).faults
  }

  it('that leaves something over, spends what never came or ends elsewhere is faulty', () => {
    const hop = { pool: pair(A, B), direction: forward, share: 0 }
    expect(faultsOf([hop])).toEqual([])
    expect(faultsOf([{ ...hop, share: 5 }])).toEqual([`some ${A} would be left over`])
    expect(faultsOf([{ ...hop, pool: pair(C, B) }])[0]).toContain('before any hop brings it')
    expect(faultsOf([{ ...hop, pool: pair(A, C) }])).toContain(`no hop brings ${B}`)
  })

  it('with nothing in or no floor is faulty', () => {
    const hop = { pool: pair(A, B), direction: forward, share: 0 }
    expect(faultsOf([hop], { amountIn: 0n })).toEqual(['nothing goes in'])
    expect(faultsOf([hop], { minAmountOut: 0n })).toEqual(['there is no floor'])
  })
})
