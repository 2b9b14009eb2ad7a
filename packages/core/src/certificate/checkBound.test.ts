import { expect, it } from 'vitest'
import { quoteExactOut } from '../exactOut/quoteExactOut.js'
import { buildGraph } from '../graph.js'
import { NATIVE } from '../hex.js'
import { quote } from '../quote.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { checkBound } from './checkBound.js'

const E18 = 10n ** 18n
const [a, b] = [token(1), token(2)]
const pools = [pair(1, [1, 2], [1000n * E18, 1000n * E18]), pair(2, [1, 2], [E18, E18])]
const snapshot = snapshotOf(pools)
const order = { tokenIn: a, tokenOut: b, amountIn: 10n * E18 }
const { bound } = quote(buildGraph(snapshot), order)
const terms = { gasCost: bound!.gasCost }

it('an honest certificate holds on its own terms, also one of an input', () => {
  expect(checkBound(snapshot, order, bound!, terms)).toMatchObject({ ok: true, why: [] })
  const wanted = { tokenIn: a, tokenOut: b, amountOut: E18 }
  const { inputBound } = quoteExactOut(buildGraph(snapshot), wanted)
  const own = { gasCost: inputBound!.bound.gasCost }
  expect(checkBound(snapshot, wanted, inputBound!, own).ok).toBe(true)
  const forged = { ...inputBound!, amount: 10n ** 30n }
  expect(checkBound(snapshot, wanted, forged, own).why[0]).toContain('recomputed')
})

it.each<[string, object, object, string]>([
  ['one wei', { amount: 1n }, {}, 'recomputed'],
  [
    'every pool excluded',
    { amount: 1n, excluded: pools.map(({ id }) => id) },
    {},
    'pools that it covers',
  ],
  ['a pool set aside', { setAside: [pools[1]!.id] }, {}, `sets the pool ${pools[1]!.id} aside`],
  ['gas at any price', { gasCost: 1e18 }, {}, 'gas costs'],
  ['one hop', { maxLegs: 1 }, {}, '1 hops of 24'],
  ['no hops', { maxLegs: 0 }, {}, 'maxLegs is 0'],
  ['little gas', { maxGas: 1e5 }, {}, 'gas of'],
  ['no gas', { maxGas: 0 }, {}, 'maxGas is 0'],
  ['nothing in it', { gasCost: undefined, excluded: undefined }, {}, 'gasCost'],
  ['another objective', {}, { objective: 'gross' }, 'objective is net'],
  ['a fee that nobody asked for', { fee: { of: 'tokenOut', ppm: 1 } }, {}, 'fee'],
  ['no tokens between', { onlyIntermediates: [] }, {}, 'only routes'],
  ['no prices', { prices: {} }, {}, 'the ln of its worth'],
  ['prices that are none', { prices: { [a]: Number.NaN, [b]: 0 } }, {}, 'the ln of its worth'],
  ['a price of a leg that is none', { legPrice: Number.NaN }, {}, 'legPrice'],
])('a certificate with %s is none', (_, forged, more, why) => {
  const checked = checkBound(snapshot, order, { ...bound!, ...forged }, { ...terms, ...more })
  expect(checked.ok).toBe(false)
  expect(checked.why.join()).toContain(why)
})

it('the native token is checked as the wrapped one, and another case is refused', () => {
  const wrapped = { ...snapshot, wrappedNative: a }
  const native = { ...order, tokenIn: NATIVE }
  expect(checkBound(wrapped, native, bound!, terms).ok).toBe(true)
  expect(checkBound(wrapped, native, { ...bound!, amount: 1n }, terms).ok).toBe(false)
  const loud = { ...order, tokenOut: `0x${'aB'.repeat(20)}` } as const
  expect(() => checkBound(wrapped, loud, bound!, terms)).toThrow('tokenOut')
})
