import { describe, expect, it } from 'vitest'
import { type Address, type Hex, NATIVE, toHex } from '../hex.js'
import type { Pool } from '../pools/index.js'
import type { PlannedHop } from '../replay.js'
import { encodeRouterCall, type RouterCall } from './calldata.js'
import {
  checkIntent,
  type ExpectedFields,
  type ExpectedSwap,
  findMismatches,
  readIntent,
} from './intent.js'
import { encodeProgram } from './program.js'
import type { SwapCall } from './swapCall.js'

const WRAPPED: Address = '0x5555555555555555555555555555555555555555'
const A = toHex(0xa, 20)
const B = toHex(0xb, 20)
const C = toHex(0xc, 20)
const ROUTER = toHex(0xffff, 20)
const EXECUTOR = toHex(0xeee, 20)

function pair(x: Address, y: Address): Pool {
  const id = toHex(BigInt(x) * 100n + BigInt(y), 20)
  const tokens = x < y ? ([x, y] as const) : ([y, x] as const)
  return { family: 'uniswapV2', id, tokens, venue: 'test', reserves: [1n, 1n], feePpm: 3000 }
}

/** A hop through the pair of two tokens, which sells the first. */
function hopOf(x: Address, y: Address, share = 0): PlannedHop {
  return { pool: pair(x, y), direction: x < y ? { in: 0, out: 1 } : { in: 1, out: 0 }, share }
}

const ends = { tokenIn: A, tokenOut: B }
const program = encodeProgram([hopOf(A, C, 1000), hopOf(A, B), hopOf(C, B)], ends)
const call: RouterCall = {
  ...{ tokenIn: A, amountIn: 1000n, tokenOut: B, minAmountOut: 990n },
  ...{ receiver: toHex(0, 20), deadline: 1_700_000_000n, executor: EXECUTOR, program },
}
const { program: _, ...wanted } = call

const known = { router: ROUTER, executors: [EXECUTOR] } as const

function mismatches(call: RouterCall, tx: Partial<SwapCall> = {}): readonly string[] {
  const value = call.tokenIn === NATIVE ? call.amountIn : 0n
  const sent = { to: ROUTER, data: encodeRouterCall(call), value, ...tx }
  return findMismatches(sent, { ...known, wrappedNative: WRAPPED, wanted })
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

  it('names an unknown executor if none is known', () => {
    const tx = { to: ROUTER, data: encodeRouterCall(call), value: 0n }
    const none: readonly (readonly Address[] | undefined)[] = [[], undefined]
    for (const executors of none) {
      const expected = { router: ROUTER, executors, wrappedNative: WRAPPED, wanted }
      expect(findMismatches(tx, expected as ExpectedSwap)).toEqual(['executor'])
    }
  })

  it('is named for each field that differs', () => {
    expect(mismatches({ ...call, amountIn: 1001n })).toEqual(['amountIn'])
    expect(mismatches({ ...call, receiver: C })).toEqual(['receiver'])
    expect(mismatches({ ...call, executor: C })).toEqual(['executor'])
    expect(mismatches({ ...call, tokenIn: C })[0]).toBe('tokenIn')
    expect(mismatches({ ...call, tokenOut: C })[0]).toBe('tokenOut')
    expect(mismatches(call, { to: A })).toEqual(['to'])
    expect(mismatches(call, { value: 1n })).toEqual(['value'])
  })

  it('of the native token sends its amount and has no permit', () => {
    const native = { ...call, tokenIn: NATIVE, program: '0x00' } as const
    expect(mismatches(native, { value: 999n })).toContain('value')
    const permitted = { ...native, payment: { by: 'permit', signature: '0x' } } as const
    expect(mismatches(permitted)).toContain('the native token has no permit')
  })
})

it.each([
  ['wrap', NATIVE, WRAPPED],
  ['unwrap', WRAPPED, NATIVE],
] as const)(
  'a %s has its whole amount as floor, whatever floor is wanted',
  (_, tokenIn, tokenOut) => {
    const wrap = { ...call, tokenIn, tokenOut, program: '0x00', minAmountOut: 1000n } as const
    const check = (minAmountOut: bigint, least: bigint) => {
      const intent = readIntent(encodeRouterCall({ ...wrap, minAmountOut }), WRAPPED)
      return checkIntent(intent, { minAmountOut: least }).map(({ isOk }) => isOk)
    }
    expect(check(1000n, 990n)).toEqual([true])
    expect(check(999n, 990n)).toEqual([false])
    expect(check(1000n, 1001n)).toEqual([false])
  },
)

describe('a receiver', () => {
  it('that loses its funds is a fault, even if the caller asked for it', () => {
    const system: Address = '0x20000000000000000000000000000000000000c8'
    const faults = (receiver: Address) =>
      findMismatches(
        { to: ROUTER, data: encodeRouterCall({ ...call, receiver }), value: 0n },
        {
          ...{ router: ROUTER, executors: [EXECUTOR, C], wrappedNative: WRAPPED, wanted: {} },
          systemAddresses: [{ from: system, to: system, why: 'it is of the chain' }],
        },
      )
    for (const receiver of [A, B, WRAPPED, NATIVE, system, ROUTER, EXECUTOR, C]) {
      expect(faults(receiver)).toEqual([expect.stringContaining('the receiver would lose')])
    }
    expect(faults(toHex(0, 20))).toEqual([])
    expect(faults(toHex(0xdead, 20))).toEqual([])
  })

  it('may be the sender, by address or as the zero address', () => {
    const check = (receiver: Address, wanted: ExpectedFields) =>
      checkIntent(readIntent(encodeRouterCall({ ...call, receiver }), WRAPPED), wanted)[0]?.isOk
    const [zero, sender] = [toHex(0, 20), toHex(0x5e, 20)]
    expect(check(sender, { receiver: zero, sender })).toBe(true)
    expect(check(zero, { receiver: sender, sender })).toBe(true)
    expect(check(C, { receiver: zero, sender })).toBe(false)
    expect(check(sender, { receiver: zero })).toBe(false)
  })
})

describe('a program', () => {
  const faultsOf = (program: Hex, over: Partial<RouterCall> = {}) =>
    readIntent(encodeRouterCall({ ...call, program, ...over }), WRAPPED).faults
  const faultsOfHops = (hops: readonly PlannedHop[]) => faultsOf(encodeProgram(hops, ends))

  it('that leaves something over, spends what never came or ends elsewhere is faulty', () => {
    expect(faultsOfHops([hopOf(A, B)])).toEqual([])
    expect(faultsOfHops([hopOf(A, B, 5)])).toEqual([`some ${A} would be left over`])
    expect(faultsOfHops([hopOf(C, B)])[0]).toContain('before any hop buys it')
    expect(faultsOfHops([hopOf(A, C)])).toContain(`no hop buys ${B}`)
  })

  it('with nothing in, more than pools take or no floor is faulty', () => {
    const direct = encodeProgram([hopOf(A, B)], ends)
    expect(faultsOf(direct, { amountIn: 0n })).toEqual(['the amount in is zero'])
    expect(faultsOf(direct, { minAmountOut: 0n })).toEqual(['there is no floor'])
    expect(faultsOf(direct, { amountIn: 1n << 255n })).toEqual([
      'the amount in is more than any pool takes',
    ])
  })

  const pool = 'ab'.repeat(20)
  const word = (address: Address) => address.slice(2)
  const pairHop = `01${pool}01000bb8`
  const key = `000bb8003c${'00'.repeat(20)}`
  it.each<readonly [string, Hex, string]>([
    ['a flag of 2', `0x00000100000001${pool}02000bb8`, 'flag 2'],
    ['the other flag', `0x00000100000001${pool}00000bb8`, 'the other token of its pool'],
    ['the other flag of a V3 pool', `0x00000100000002${pool}00`, 'the other token of its pool'],
    ['a fee of everything', `0x00000100000001${pool}010f4240`, 'fee of the whole'],
    ['a hop to the same token', `0x000000000000${pairHop}`, 'trades a token for itself'],
    ['an end in its table', `0x01${word(B)}0002000000${pairHop}`, 're-encoding'],
    [
      'a token twice in its table',
      `0x02${word(C)}${word(C)}0002000000${pairHop}0301000000${pairHop}`,
      're-encoding',
    ],
    ['a token that no hop uses', `0x01${word(C)}0001000000${pairHop}`, 're-encoding'],
    ['the native token', `0x01${word(NATIVE)}0002000000${pairHop}`, 'not a contract'],
    ['the zero address as pool', `0x00000100000001${'00'.repeat(20)}01000bb8`, 'not a contract'],
    ['a token as pool', `0x00000100000001${word(A)}01000bb8`, 'a token as its pool'],
    ['shares of another vault', `0x00000100000004${pool}00`, 'shares of another vault'],
    ['a flag of 4 for a V4 pool', `0x0000010000000a${pool}04${key}`, 'flag 4'],
    [
      'the other flag of a V4 pool',
      `0x0000010000000a${pool}00${key}`,
      'the other token of its pool',
    ],
    ['another token as the native one', `0x0000010000000a${pool}03${key}`, 'as the native one'],
    [
      'a V4 pool with the flag of a dynamic fee',
      `0x0000010000000a${pool}01800000003c${'00'.repeat(20)}`,
      'fee of the whole',
    ],
    ['a deposit for other shares', `0x00000100000004${pool}01`, 'shares of another vault'],
  ])('with %s is faulty', (_, malformed, fault) => {
    expect(faultsOf(malformed).join(', ')).toContain(fault)
  })

  it('through a V4 pool of the native token is sound where the wrapped token is its first', () => {
    const [into, out] = [
      `0x0000010000000a${pool}03${key}`,
      `0x0000010000000a${pool}02${key}`,
    ] as const
    expect(faultsOf(into, { tokenIn: WRAPPED })).toEqual([])
    expect(faultsOf(into, { tokenIn: NATIVE })).toEqual([])
    expect(faultsOf(out, { tokenOut: WRAPPED })).toEqual([])
    expect(faultsOf(out).join()).toContain('as the native one')
    expect(faultsOf(into, { tokenOut: WRAPPED }).join()).toContain('as the native one')
  })

  it('through a vault is sound where the vault is the share', () => {
    expect(faultsOf(`0x00000100000004${word(B)}01`)).toEqual([])
    expect(faultsOf(`0x00000100000004${word(A)}00`)).toEqual([])
  })
})
