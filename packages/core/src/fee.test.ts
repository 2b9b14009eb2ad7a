import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recomputeBound } from './certificate/recomputeBound.js'
import { recomputeInputBound } from './certificate/recomputeInputBound.js'
import { decodeRouterCall, encodeRouterCall, type RouterCall } from './encoder/calldata.js'
import { type ExpectedFields, findMismatches, readIntent, replayIntent } from './encoder/intent.js'
import { decodeProgram, encodeProgram } from './encoder/program.js'
import { routerCallOf, swapCallOf } from './encoder/swapCall.js'
import { inputGapBpsOf } from './exactOut/inputBound.js'
import { quoteDelivery } from './exactOut/quoteDelivery.js'
import { quoteExactOut } from './exactOut/quoteExactOut.js'
import { beforeFee, FEE_GAS, type Fee, feeOn, lessFee, MAX_FEE_PPM } from './fee.js'
import { buildGraph } from './graph.js'
import { type Address, concatHex, NATIVE, toHex, ZERO_ADDRESS } from './hex.js'
import type { Pool } from './pools/index.js'
import { gapBpsOf, type Quote, quote } from './quote.js'
import { replay } from './replay.js'
import { pair, snapshotOf, token, WRAPPED } from './testing/arbitraryMarkets.js'
import { anyBoundCase } from './testing/checkBound.js'
import { anyExactOutCase } from './testing/checkExactOut.js'
import { propertyRuns } from './testing/propertyRuns.js'

const E18 = 10n ** 18n
const numRuns = propertyRuns(150)
const ROUTER = toHex(0xffff, 20)
const recipient = toHex(0xfee, 20)
const executor = toHex(0xeee, 20)
const terms = {
  ...{ wrappedNative: WRAPPED, executor, slippagePpm: 10_000n, deadline: 1_700_000_000n },
}
const feeOf = (of: Fee['of'], ppm: number): Fee => ({ of, ppm, recipient })
const anyFee = fc
  .tuple(
    fc.constantFrom('tokenIn' as const, 'tokenOut' as const),
    fc.integer({ min: 1, max: MAX_FEE_PPM }),
  )
  .map(([of, ppm]) => feeOf(of, ppm))
const wrap: Pool = { family: 'wrap', id: WRAPPED, tokens: [NATIVE, WRAPPED], venue: 'whype' }

/** A market of two ways from token 1 to token 2, and one to the wrapped native token. */
const snapshot = snapshotOf(
  [
    wrap,
    pair(1, [1, 2], [1_000n * E18, 2_000n * E18]),
    pair(2, [1, 3], [1_000n * E18, 1_000n * E18]),
    pair(3, [2, 3], [2_000n * E18, 1_000n * E18]),
    pair(4, [1, 0], [1_000n * E18, 500n * E18]),
  ],
  10n ** 8n,
)
const graph = buildGraph(snapshot)
const order = { tokenIn: token(1), tokenOut: token(2), amountIn: 40n * E18 }

/** The swap that a quote becomes, and the names of what differs from the expected one. */
function mismatchesOf(answer: Quote, wanted: Partial<ExpectedFields> = {}) {
  const tx = swapCallOf(ROUTER, routerCallOf(answer, terms))
  return findMismatches(tx, {
    ...{ router: ROUTER, executors: [executor], wrappedNative: WRAPPED },
    wanted: { ...answer.order, receiver: ZERO_ADDRESS, ...wanted },
  })
}

describe('an amount before a fee', () => {
  it('is the least of which the rest remains', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), anyFee, (rest, fee) => {
        const amount = beforeFee(rest, fee)
        expect(lessFee(amount, fee)).toBeGreaterThanOrEqual(rest)
        expect(lessFee(amount - 1n, fee)).toBeLessThan(rest)
      }),
    )
  })
})

describe('a quote with a fee', () => {
  it.each(['tokenIn', 'tokenOut'] as const)(
    'of the %s is net of it, and its call pays it',
    (of) => {
      const fee = feeOf(of, 3_000)
      const answer = quote(graph, order, { fee })
      const sold = of === 'tokenIn' ? lessFee(order.amountIn, fee) : order.amountIn
      const hops = answer.route.map(({ pool, direction, share }) => ({ pool, direction, share }))
      const gross = replay(hops, { ...order, amountIn: sold })!.amountOut
      const amount = feeOn(of === 'tokenIn' ? order.amountIn : gross, fee)
      expect(answer.fee).toEqual({ ...fee, amount })
      expect(answer.amountOut).toBe(of === 'tokenIn' ? gross : gross - amount)
      const call = routerCallOf(answer, terms)
      expect(call.minAmountOut).toBe((answer.amountOut * 99n + 99n) / 100n)
      const intent = readIntent(encodeRouterCall(call), WRAPPED)
      expect([intent.faults, intent.fee]).toEqual([[], fee])
      expect(replayIntent(intent, snapshot)).toEqual({ amountOut: answer.amountOut })
    },
  )

  it.each([
    ['the native token', NATIVE, token(2)],
    ['for the native token', token(2), NATIVE],
  ] as const)('%s pays it in the wrapped token, between wrap and hops', (_, tokenIn, tokenOut) => {
    for (const of of ['tokenIn', 'tokenOut'] as const) {
      const fee = feeOf(of, 10_000)
      const answer = quote(graph, { tokenIn, tokenOut, amountIn: E18 }, { fee })
      const [first, last] = [answer.route[0]!, answer.route.at(-1)!]
      expect(first.amountIn).toBe(tokenIn === NATIVE || of === 'tokenOut' ? E18 : lessFee(E18, fee))
      if (tokenOut === NATIVE) expect(last.amountOut).toBe(answer.amountOut)
      expect(mismatchesOf(answer, { fee })).toEqual([])
      const data = encodeRouterCall(routerCallOf(answer, terms))
      expect(replayIntent(readIntent(data, WRAPPED), snapshot)).toEqual({
        amountOut: answer.amountOut,
      })
    }
  })

  it('that only wraps pays none', () => {
    const wrapped = { tokenIn: NATIVE, tokenOut: WRAPPED, amountIn: 5n }
    const answer = quote(graph, wrapped, { fee: feeOf('tokenOut', 10_000) })
    expect(answer).toEqual(quote(graph, wrapped))
    expect(mismatchesOf(answer, { fee: feeOf('tokenOut', 1) })).toEqual([])
  })

  it('counts the gas of the payment, and leaves room for it under the cap', () => {
    const plain = quote(graph, order)
    const paid = quote(graph, order, { fee: feeOf('tokenOut', 1) })
    expect(paid.gas).toBe(plain.gas + FEE_GAS)
    const capped = quote(graph, order, { fee: feeOf('tokenOut', 1), maxGas: plain.gas })
    expect(capped.gas).toBeLessThanOrEqual(plain.gas)
  })

  it('stays below its bound, which anyone can recompute, in any market', () => {
    let checked = 0
    fc.assert(
      fc.property(anyBoundCase, anyFee, ({ pools, gasPrice, options, ...one }, fee) => {
        const market = snapshotOf(pools, gasPrice)
        const answer = tryOr(() => quote(buildGraph(market), one.order, { ...options, fee }))
        if (!answer?.bound) return
        checked++
        expect(answer.bound.fee).toEqual({ of: fee.of, ppm: fee.ppm })
        expect(gapBpsOf(answer)).not.toBeNull()
        const proved = recomputeBound(market, one.order, answer.bound)
        expect(proved).toBeLessThanOrEqual(answer.bound.amount)
        // A bound without the fee would claim too much, or too little for the gas.
        const { fee: _, ...plain } = answer.bound
        if (answer.fee!.amount > 2n && fee.of === 'tokenOut' && answer.bound.gasCost === 0) {
          expect(recomputeBound(market, one.order, plain)).toBeGreaterThan(proved)
        }
      }),
      { numRuns },
    )
    expect(checked).toBeGreaterThan(numRuns / 4)
  })
})

describe('an exact output with a fee', () => {
  it('arrives after the fee, for the least input, above a bound that anyone can recompute', () => {
    let checked = 0
    fc.assert(
      fc.property(anyExactOutCase, fc.integer({ min: 1, max: MAX_FEE_PPM }), (one, ppm) => {
        const fee = feeOf('tokenOut', ppm)
        const market = snapshotOf(one.pools, one.gasPrice)
        const answer = tryOr(() => quoteExactOut(buildGraph(market), one.order, { fee }))
        if (!answer) return
        checked++
        const { tokenIn, tokenOut, amountOut: wanted } = one.order
        const hops = answer.route.map(({ pool, direction, share }) => ({ pool, direction, share }))
        const netOf = (amountIn: bigint) =>
          lessFee(replay(hops, { tokenIn, tokenOut, amountIn })?.amountOut ?? 0n, fee)
        const { amountIn } = answer.order
        expect(netOf(amountIn)).toBe(answer.amountOut)
        expect(answer.amountOut).toBeGreaterThanOrEqual(wanted)
        expect(netOf(amountIn - 1n)).toBeLessThan(wanted)
        if (!answer.inputBound) return
        expect(inputGapBpsOf({ ...answer, amountIn, inputBound: answer.inputBound })).not.toBeNull()
        const proved = recomputeInputBound(market, one.order, answer.inputBound)
        expect(proved).toBeGreaterThanOrEqual(answer.inputBound.amount)
      }),
      { numRuns },
    )
    expect(checked).toBeGreaterThan(numRuns / 8)
  })

  it('is delivered by the raised input', () => {
    const fee = feeOf('tokenOut', 10_000)
    const wanted = { tokenIn: NATIVE, tokenOut: token(2), amountOut: 3n * E18 }
    const { least, sale } = quoteDelivery(graph, wanted, { slippagePpm: 5_000n, fee })
    expect(sale.order.amountIn).toBeGreaterThan(least.order.amountIn)
    expect(sale.fee).toMatchObject(fee)
    expect(sale.amountOut).toBeGreaterThan(wanted.amountOut)
  })

  it('cannot have a fee of the token in', () => {
    const wanted = { tokenIn: token(1), tokenOut: token(2), amountOut: E18 }
    expect(() => quoteExactOut(graph, wanted, { fee: feeOf('tokenIn', 1) })).toThrow(
      expect.objectContaining({ code: 'BAD_OPTIONS' }),
    )
  })
})

describe('a fee that no program can contain', () => {
  it.each<[string, Partial<Record<keyof Fee, unknown>>, string]>([
    ['of nothing', { ppm: 0 }, 'fee.ppm'],
    ['above 1 %', { ppm: 10_001 }, 'fee.ppm'],
    ['of a part of a millionth', { ppm: 1.5 }, 'fee.ppm'],
    ['of another token', { of: 'both' }, 'fee.of'],
    ['to no address', { recipient: '0xfee' }, 'fee.recipient'],
    ['to an address in upper case', { recipient: `0x${'A'.repeat(40)}` }, 'fee.recipient'],
  ])('%s is refused by the quote and by the encoder', (_, wrong, field) => {
    const fee = { ...feeOf('tokenOut', 1), ...wrong } as Fee
    const refusal = (code: string) =>
      expect.objectContaining({ code, details: expect.objectContaining({ field }) })
    expect(() => quote(graph, order, { fee })).toThrow(refusal('BAD_OPTIONS'))
    const { route } = quote(graph, order)
    expect(() => encodeProgram(route, order, fee)).toThrow(refusal('BAD_CALL'))
  })

  it('is one beside no hops', () => {
    const ends = { tokenIn: WRAPPED, tokenOut: WRAPPED }
    expect(() => encodeProgram([], ends, feeOf('tokenOut', 1))).toThrow(/fee is/)
  })
})

describe('calldata', () => {
  const SYSTEM: Address = `0x${'22'.repeat(20)}`
  const fee = feeOf('tokenOut', 3_000)
  const answer = quote(graph, order, { fee })

  it('with a fee that nobody asked for is a mismatch', () => {
    expect(mismatchesOf(answer)).toEqual(['fee'])
    expect(mismatchesOf(answer, { fee })).toEqual([])
    expect(mismatchesOf(answer, { fee: { ...fee, ppm: 3_001 } })).toEqual([])
    expect(mismatchesOf(answer, { fee: { ...fee, ppm: 2_999 } })).toEqual(['fee'])
    expect(mismatchesOf(answer, { fee: { ...fee, of: 'tokenIn' } })).toEqual(['fee'])
    expect(mismatchesOf(answer, { fee: { ...fee, recipient: toHex(1, 20) } })).toEqual(['fee'])
    expect(mismatchesOf(quote(graph, order), { fee })).toEqual([])
  })

  it.each<[string, Address, RegExp]>([
    ['the zero address', ZERO_ADDRESS, /zero address/],
    ['the token out', token(2), /token out/],
    ['the wrapped token', WRAPPED, /wrapped native/],
    ['the router', ROUTER, /router/],
    ['the executor', executor, /executor/],
    ['a system address', SYSTEM, /HyperCore/],
  ])('that pays %s is refused, because the fee would be lost', (_, lost, reason) => {
    const wrong = { ...fee, recipient: lost }
    const program = encodeProgram(answer.route, order, wrong)
    const call: RouterCall = { ...routerCallOf(answer, terms), program }
    const systemAddresses = [{ from: SYSTEM, why: 'it is HyperCore' }]
    const known = { router: ROUTER, systemAddresses }
    const { faults } = readIntent(encodeRouterCall(call), WRAPPED, known)
    expect(faults).toEqual([expect.stringMatching(reason)])
  })

  it('without a fee has the bytes that it had', () => {
    const { program } = routerCallOf(quote(graph, order), terms)
    const paid = decodeRouterCall(encodeRouterCall(routerCallOf(answer, terms))).program
    expect(paid).toBe(concatHex(program, '0x0101', '0x000bb8', '0x20', recipient))
  })

  it.each<[string, (program: string, pay: string) => string, RegExp]>([
    ['two fees', (program, pay) => program + pay + pay, /after the fee|second fee/],
    [
      'a fee of another token',
      (program) => `${program}0000000bb820${recipient.slice(2)}`,
      /no fee/,
    ],
    ['a fee above 1 %', (program) => `${program}010100271120${recipient.slice(2)}`, /fee.ppm/],
    ['a fee alone', (_, pay) => `0x00${pay.replace('0101', '0000')}`, /without a hop/],
    ['a fee cut short', (program, pay) => program + pay.slice(0, -2), /cut short/],
    ['a fee between hops', (program, pay) => program + pay + program.slice(44), /after the fee/],
  ])('with %s is no program', (_, build, reason) => {
    const { program } = routerCallOf(quote(graph, order), terms)
    const pay = `0101000bb820${recipient.slice(2)}`
    const bytes = build(program, pay) as `0x${string}`
    expect(() => decodeProgram(bytes, order)).toThrow(reason)
  })
})

/** The result, or `undefined` if it throws a coded error. */
function tryOr<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    expect((error as { readonly code?: string }).code).toBeTypeOf('string')
    return undefined
  }
}
