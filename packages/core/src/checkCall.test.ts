import { describe, expect, it } from 'vitest'
import { encodeRouterCall, type RouterCall } from './encoder/calldata.js'
import { encodeProgram } from './encoder/program.js'
import { routerCallOf } from './encoder/swapCall.js'
import { quoteDelivery } from './exactOut/quoteDelivery.js'
import { quoteExactOut } from './exactOut/quoteExactOut.js'
import { buildGraph } from './graph.js'
import { type Address, NATIVE, ZERO_ADDRESS } from './hex.js'
import { quote, quoteHops } from './quote.js'
import { floorAt, raisedAt } from './slippage.js'
import type { Snapshot } from './snapshot.js'
import { solveOrder as solve } from './solveOrder.js'
import type { Options } from './solver/terms.js'
import { pair, snapshotOf, token } from './testing/arbitraryMarkets.js'

const E18 = 10n ** 18n
const A = token(1)
const B = token(2)
const snapshot = snapshotOf([pair(0, [1, 2], [E18, E18])])
const graph = buildGraph(snapshot)
const order = { tokenIn: A, tokenOut: B, amountIn: 10n ** 9n }
const CHECKSUMMED = '0xB88339CB7199b77E23DB6E890353E22632Ba630f' as Address

/** The code and the field of what a call throws. */
function faultOf(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    const { code, details } = error as { code?: string; details?: { field?: string } }
    return [code, details?.field]
  }
  return 'nothing'
}

const withOptions = (options: object) => faultOf(() => quote(graph, order, options as Options))
const withOrder = (change: object) => faultOf(() => quote(graph, { ...order, ...change }))
const withBlock = (change: object) => {
  const block = { ...snapshot.block, ...change } as Snapshot['block']
  return faultOf(() => quote(buildGraph({ ...snapshot, block }), order))
}

describe('misuse of the library is a coded error', () => {
  it('maxGas below the gas of the router itself', () => {
    expect(withOptions({ maxGas: 83_999 })).toEqual(['BAD_OPTIONS', 'maxGas'])
    expect(withOptions({ maxGas: Number.NaN })).toEqual(['BAD_OPTIONS', 'maxGas'])
    expect(withOptions({ maxGas: 1_000_000 })).toBe('nothing')
    expect(withOptions({ maxGas: Number.POSITIVE_INFINITY })).toBe('nothing')
  })

  it('a block without a gas limit, or with less than a swap needs', () => {
    expect(withBlock({ gasLimit: undefined })).toEqual(['BAD_SNAPSHOT', 'block.gasLimit'])
    expect(withBlock({ gasLimit: 0n })).toEqual(['BAD_SNAPSHOT', 'block.gasLimit'])
    expect(withBlock({ gasLimit: 21_000n })).toEqual(['BAD_OPTIONS', 'maxGas'])
    expect(withBlock({ gasPrice: undefined })).toEqual(['BAD_SNAPSHOT', 'block.gasPrice'])
  })

  it('a checksummed address where lower case is stored', () => {
    expect(withOrder({ tokenIn: CHECKSUMMED })).toEqual(['BAD_ORDER', 'tokenIn'])
    expect(withOrder({ tokenOut: NATIVE.toUpperCase() })).toEqual(['BAD_ORDER', 'tokenOut'])
    expect(withOrder({ tokenOut: '0x11' })).toEqual(['BAD_ORDER', 'tokenOut'])
  })

  it('the same token twice', () => {
    expect(withOrder({ tokenOut: A })).toEqual(['BAD_ORDER', 'tokenOut'])
  })

  it('an amount that is a number, negative or missing', () => {
    for (const amountIn of [5, -5n, '5', undefined]) {
      expect(withOrder({ amountIn })).toEqual(['BAD_ORDER', 'amountIn'])
    }
  })

  it('the same in an order for an output, and in a quote of given hops', () => {
    const wanted = { tokenIn: A, tokenOut: B, amountOut: 5 as unknown as bigint }
    expect(faultOf(() => quoteExactOut(graph, wanted))).toEqual(['BAD_ORDER', 'amountOut'])
    const tight = () => quoteExactOut(graph, { ...wanted, amountOut: 5n }, { maxGas: 1 })
    expect(faultOf(tight)).toEqual(['BAD_OPTIONS', 'maxGas'])
    const same = { ...order, tokenOut: A }
    expect(faultOf(() => quoteHops(graph, same, []))).toEqual(['BAD_ORDER', 'tokenOut'])
  })

  it.each([
    ['objective', 'Net'],
    ['certificate', 'slow'],
    ['maxHops', 0],
    ['maxLegs', 1.5],
    ['gasPrice', 5],
    ['excludedPools', ['0x11']],
    ['onlyIntermediates', [A]],
    ['onlyIntermediates', new Set([CHECKSUMMED])],
    ['excludedPools', new Set(['0xAB'])],
    ['excludedPools', new Set([5])],
    ['start', 'none'],
    ['start', { '0x11': 'high' }],
    ['start', { '0x11': Number.NaN }],
    ['shouldStop', true],
  ])('an option that has no such value: %s', (name, value) => {
    expect(withOptions({ [name]: value })).toEqual(['BAD_OPTIONS', name])
    const options = { [name]: value } as Options
    expect(faultOf(() => solve(graph, order, options))).toEqual(['BAD_OPTIONS', name])
    const wanted = { tokenIn: A, tokenOut: B, amountOut: 5n }
    expect(faultOf(() => quoteExactOut(graph, wanted, options))).toEqual(['BAD_OPTIONS', name])
  })
})

describe('the solver alone', () => {
  it('checks its order and its options as a quote does', () => {
    const asked = (change: object) => faultOf(() => solve(graph, { ...order, ...change }))
    expect(asked({ amountIn: 5 })).toEqual(['BAD_ORDER', 'amountIn'])
    expect(asked({ tokenOut: A })).toEqual(['BAD_ORDER', 'tokenOut'])
    expect(faultOf(() => solve(graph, order, null as never))).toEqual(['BAD_OPTIONS', 'options'])
    expect(faultOf(() => quote(graph, order, 5 as never))).toEqual(['BAD_OPTIONS', 'options'])
    expect(solve(graph, order)?.amountOut).toBe(quote(graph, order).amountOut)
  })
})

describe('a slippage that is none', () => {
  const amount = 1_000n
  it.each([-1n, 1_000_001n, 5000, '5000', undefined])('%s', (slippage) => {
    const slippagePpm = slippage as bigint
    const refused = ['BAD_OPTIONS', 'slippagePpm']
    expect(faultOf(() => floorAt(amount, slippagePpm))).toEqual(refused)
    expect(faultOf(() => raisedAt(amount, slippagePpm))).toEqual(refused)
    const wanted = { tokenIn: A, tokenOut: B, amountOut: 5n }
    expect(faultOf(() => quoteDelivery(graph, wanted, { slippagePpm }))).toEqual(refused)
    const { wrappedNative } = snapshot
    const terms = { wrappedNative, executor: A, slippagePpm, deadline: 1n }
    expect(faultOf(() => routerCallOf(quote(graph, order), terms))).toEqual(refused)
  })
})

describe('what cannot be encoded is a coded error', () => {
  const call: RouterCall = {
    ...{ tokenIn: A, amountIn: 5n, tokenOut: B, minAmountOut: 1n },
    ...{ receiver: ZERO_ADDRESS, deadline: 1n, executor: A, program: '0x00' },
  }
  const encoding = (change: object) => faultOf(() => encodeRouterCall({ ...call, ...change }))

  it.each([
    ['tokenIn', '0x11'],
    ['tokenOut', CHECKSUMMED],
    ['receiver', '0x11'],
    ['amountIn', -1n],
    ['minAmountOut', 1n << 256n],
    ['deadline', 5],
    ['program', '0x0'],
  ])('in a call: %s', (name, value) => {
    expect(encoding({})).toBe('nothing')
    expect(encoding({ receiver: CHECKSUMMED })).toBe('nothing')
    expect(encoding({ [name]: value })).toEqual(['BAD_CALL', name])
  })

  it('in a program: an address 0x11, or a share above the whole', () => {
    const direction = { in: 0, out: 1 }
    const [pool] = snapshot.pools as [Snapshot['pools'][number]]
    const ends = { tokenIn: A, tokenOut: B }
    const program = (change: object, share = 0) =>
      faultOf(() =>
        encodeProgram([{ pool: { ...pool, ...change } as never, direction, share }], ends),
      )
    expect(program({})).toBe('nothing')
    expect(program({ id: '0x11' })).toEqual(['BAD_CALL', 'hops[0].pool'])
    expect(program({ tokens: [A, '0x11'] })).toEqual(['BAD_CALL', 'tokens[2]'])
    expect(program({}, 1 << 24)).toEqual(['BAD_CALL', 'hops[0].share'])
    const short = () => encodeProgram([], { tokenIn: '0x11', tokenOut: B })
    expect(faultOf(short)).toEqual(['BAD_CALL', 'tokens[0]'])
  })
})
