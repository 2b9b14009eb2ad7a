import fc from 'fast-check'
import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Address, concatHex, type Hex, NATIVE, sizeOfHex, sliceHex, toHex } from '../hex.js'
import type { Direction } from '../pools/family.js'
import type { Pool } from '../pools/index.js'
import { type PlannedHop, SHARE_ONE } from '../replay.js'
import {
  BadCalldataError,
  decodeRouterCall,
  encodeRouterCall,
  type Payment,
  type RouterCall,
} from './calldata.js'
import { payeeOf } from './payee.js'
import { decodeProgram, encodeProgram } from './program.js'

const ORDER = 'Order order, bytes program'
const abi = parseAbi([
  'struct Order { address tokenIn; uint256 amountIn; address tokenOut; uint256 minAmountOut; address receiver; uint256 deadline; address executor; address payee; }',
  `function swap(${ORDER}) payable returns (uint256)`,
  `function swapWithPermit(${ORDER}, bytes signature) returns (uint256)`,
  `function swapWithPermit2(${ORDER}, uint256 nonce, bytes signature) returns (uint256)`,
])

const anyAddress: fc.Arbitrary<Address> = fc
  .bigInt({ min: 1n, max: (1n << 160n) - 1n })
  .map((value) => toHex(value, 20))
const anyUint256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })
const anyBytes: fc.Arbitrary<Hex> = fc
  .uint8Array({ maxLength: 200 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

const anyPayment: fc.Arbitrary<Payment> = fc.oneof(
  fc.record({ by: fc.constant('permit' as const), signature: anyBytes }),
  fc.record({ by: fc.constant('permit2' as const), nonce: anyUint256, signature: anyBytes }),
)
const anyCall: fc.Arbitrary<RouterCall> = fc.record(
  {
    tokenIn: anyAddress,
    amountIn: anyUint256,
    tokenOut: anyAddress,
    minAmountOut: anyUint256,
    receiver: anyAddress,
    deadline: anyUint256,
    executor: anyAddress,
    program: anyBytes,
    payment: anyPayment,
  },
  {
    requiredKeys: [
      ...(['tokenIn', 'amountIn', 'tokenOut', 'minAmountOut'] as const),
      ...(['receiver', 'deadline', 'executor', 'program'] as const),
    ],
  },
)

/** The same call, encoded by viem. */
function encodeByViem({ payment, program, ...order }: RouterCall): Hex {
  const args = [{ ...order, payee: payeeOf(program, order.executor) }, program] as const
  if (payment === undefined) return encodeFunctionData({ abi, functionName: 'swap', args })
  const { signature } = payment
  return payment.by === 'permit'
    ? encodeFunctionData({ abi, functionName: 'swapWithPermit', args: [...args, signature] })
    : encodeFunctionData({
        ...{ abi, functionName: 'swapWithPermit2' },
        args: [...args, payment.nonce, signature],
      })
}

describe('the payee', () => {
  const [executor, pool]: readonly Address[] = [toHex(0xe, 20), toHex(0x9, 20)]
  const hop = (head: Hex, opcode: Hex) => concatHex('0x00', head, opcode, pool!, '0x01000bb8')

  it.each<readonly [string, Hex, Address]>([
    ['a pair that is sold everything', hop('0x0001000000', '0x01'), pool!],
    ['a quoting pair that is sold everything', hop('0x0001000000', '0x03'), pool!],
    ['a pair of bins that is sold everything', hop('0x0001000000', '0x08'), pool!],
    ['a pair with a least rate', hop('0x0001000000', '0x81'), pool!],
    ['a pool that asks for its payment', hop('0x0001000000', '0x02'), executor!],
    ['a pair that is sold a share', hop('0x0001000001', '0x01'), executor!],
    ['a pair that is sold another token', hop('0x0200000000', '0x01'), executor!],
    ['a payment', hop('0x0000000001', '0x20'), executor!],
    ['an unknown family', hop('0x0001000000', '0x7f'), executor!],
    ['a hop that is cut short', sliceHex(hop('0x0001000000', '0x01'), 0, 26), executor!],
    ['a table alone', '0x00', executor!],
    ['a table that is cut short', '0xff00', executor!],
    ['nothing', '0x', executor!],
  ])('of a program that begins with %s', (_, program, payee) => {
    expect(payeeOf(program, executor!)).toBe(payee)
  })
})

describe('router calldata', () => {
  it('equals the encoding by viem, selectors included', () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        expect(encodeRouterCall(call)).toBe(encodeByViem(call))
      }),
    )
  })

  it('decodes back to the encoded call, and rejects any changed length', () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        const data = encodeRouterCall(call)
        expect(decodeRouterCall(data)).toEqual(call)
        expect(() => decodeRouterCall(`${data}00`)).toThrow('canonical')
        expect(() => decodeRouterCall(data.slice(0, -2) as Hex)).toThrow(BadCalldataError)
      }),
    )
  })

  it('is rejected or encodes back to itself after a change of any word', () => {
    fc.assert(
      fc.property(anyCall, fc.nat(), anyUint256, (call, at, word) => {
        const data = encodeRouterCall(call)
        const words = (sizeOfHex(data) - 4) / 32
        const start = 2 + 2 * (4 + 32 * (at % words))
        const changed = `${data.slice(0, start)}${toHex(word, 32).slice(2)}${data.slice(start + 64)}`
        try {
          expect(encodeRouterCall(decodeRouterCall(changed as Hex))).toBe(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(BadCalldataError)
        }
      }),
    )
  })

  it('is rejected with another payee than the executor or the first pool', () => {
    fc.assert(
      fc.property(anyCall, anyAddress, (call, payee) => {
        const data = encodeRouterCall(call)
        fc.pre(payee !== payeeOf(call.program, call.executor))
        const at = 2 + 2 * (4 + 7 * 32 + 12)
        const changed = `${data.slice(0, at)}${payee.slice(2)}${data.slice(at + 40)}` as Hex
        expect(() => decodeRouterCall(changed)).toThrow('another payee')
      }),
    )
  })

  it('is rejected with another selector', () => {
    expect(() => decodeRouterCall(`0xa9059cbb${'00'.repeat(288)}`)).toThrow('not a call')
  })
})

const anyHop: fc.Arbitrary<PlannedHop & { readonly leastRate?: Hex }> = fc
  .record({
    family: fc.constantFrom('uniswapV2' as const, 'uniswapV3' as const),
    id: anyAddress,
    tokens: fc.tuple(anyAddress, anyAddress).filter(([a, b]) => a !== b),
    feePpm: fc.integer({ min: 0, max: 999_999 }),
    share: fc.integer({ min: 0, max: SHARE_ONE }),
    direction: fc.constantFrom<Direction>({ in: 0, out: 1 }, { in: 1, out: 0 }),
    rate: fc.option(
      fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map((bits) => toHex(bits, 8)),
      { nil: undefined },
    ),
  })
  .map(({ family, share, direction, rate, ...rest }) => {
    const base = { ...rest, venue: 'test' }
    const pool: Pool =
      family === 'uniswapV2'
        ? { ...base, family, reserves: [1n, 1n] }
        : { ...base, family, tickSpacing: 1, sqrtPriceX96: 1n, tick: 0, liquidity: 0n, ticks: [] }
    return { pool, direction, share, ...(rate && { leastRate: rate }) }
  })

describe('programs', () => {
  it('decode back to the encoded hops', () => {
    fc.assert(
      fc.property(
        fc.array(anyHop, { minLength: 1, maxLength: 12 }),
        anyAddress,
        anyAddress,
        (hops, tokenIn, tokenOut) => {
          const ends = { tokenIn, tokenOut }
          const { hops: decoded } = decodeProgram(encodeProgram(hops, ends), ends)
          expect(decoded).toHaveLength(hops.length)
          for (const [i, { pool, direction, share, leastRate }] of hops.entries()) {
            expect(decoded[i]?.leastRate).toBe(leastRate)
            expect(decoded[i]).toMatchObject({
              tokenIn: pool.tokens[direction.in],
              tokenOut: pool.tokens[direction.out],
              share,
              families: expect.arrayContaining([pool.family]),
              pool: pool.id,
            })
          }
        },
      ),
    )
  })

  it('leave the wraps at the ends to the router', () => {
    const wrapped: Address = '0x5555555555555555555555555555555555555555'
    const wrap: Pool = { family: 'wrap', id: wrapped, tokens: [NATIVE, wrapped], venue: 'whype' }
    const hop = { pool: wrap, direction: { in: 0, out: 1 }, share: 0 }
    expect(encodeProgram([hop], { tokenIn: wrapped, tokenOut: wrapped })).toBe('0x00')
  })

  it('are rejected if cut short, with an unknown opcode or with an unknown token', () => {
    const ends = { tokenIn: toHex(1, 20), tokenOut: toHex(2, 20) }
    const pool = { family: 'uniswapV2', id: toHex(3, 20), venue: 'test' } as const
    const v2Hop = {
      pool: { ...pool, tokens: [toHex(1, 20), toHex(2, 20)], reserves: [1n, 1n], feePpm: 0 },
      ...{ direction: { in: 0, out: 1 }, share: 0 },
    } as const
    expect(() => decodeProgram('0x', ends)).toThrow('cut short')
    expect(() => decodeProgram('0x0000010000', ends)).toThrow('cut short')
    expect(() => decodeProgram('0x000001000000ff', ends)).toThrow('unknown opcode')
    // A payment has no least rate.
    expect(() => decodeProgram('0x000000000001a0', ends)).toThrow('unknown opcode')
    const rated = encodeProgram([{ ...v2Hop, leastRate: toHex(1, 8) }], ends)
    expect(() => decodeProgram(sliceHex(rated, 0, sizeOfHex(rated) - 1), ends)).toThrow('cut short')
    expect(() => decodeProgram('0x00000200000001', ends)).toThrow('no such token')
  })
})
