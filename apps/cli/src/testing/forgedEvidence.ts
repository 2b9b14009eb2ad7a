// Evidence as a forger would write it: what both checkers must find, and what they must tell.
import { NATIVE } from '@braid-swap/core'
import type { Evidence, Settled } from '@braid-swap/core/advanced'

/** What is made of evidence that holds. */
export type Change = (of: Evidence) => Evidence

const settled = (of: Evidence) => of.settled!
const inReceipt = (of: Evidence, change: Partial<Settled['receipt']>): Evidence => ({
  ...of,
  settled: { ...settled(of), receipt: { ...settled(of).receipt, ...change } },
})
export const inTransaction = (of: Evidence, change: Partial<Settled['transaction']>): Evidence => ({
  ...of,
  settled: { ...settled(of), transaction: { ...settled(of).transaction, ...change } },
})
/** With other calldata, as offered and as sent. */
export const inCall = (of: Evidence, data: `0x${string}`): Evidence => ({
  ...of,
  call: { ...of.call!, data },
  settled: inTransaction(of, { input: data }).settled!,
})
const inBound = (of: Evidence, change: Record<string, unknown>): Evidence => ({
  ...of,
  bound: { ...of.bound, ...change },
})

/** Each is false in one place. */
export const forged: readonly (readonly [string, Change])[] = [
  // A bound over the single hops is lower, and true of them alone.
  [
    'the edges',
    (of) => {
      const { tokenIn, tokenOut } = { ...of.order, tokenIn: of.snapshot.wrappedNative }
      const edges = of.edges.filter((e) => e.tokenIn === tokenIn && e.tokenOut === tokenOut)
      return { ...of, edges }
    },
  ],
  ['an edge twice', (of) => ({ ...of, edges: [...of.edges, of.edges[0]!] })],
  ['the fee of the bound', (of) => inBound(of, { fee: { of: 'tokenOut', ppm: 9_000 } })],
  ['the objective', (of) => inBound(of, { objective: 'gross' })],
  ['the price of a leg', (of) => inBound(of, { legPrice: -1e8 })],
  ['the legs', (of) => inBound(of, { maxLegs: 0 })],
  ['a price to a text', (of) => inBound(of, { prices: { ...of.bound.prices, [NATIVE]: 'x' } })],
  [
    'a price to no float',
    (of) => inBound(of, { prices: { ...of.bound.prices, [of.snapshot.wrappedNative]: 800 } }),
  ],
  [
    'a share to more than all',
    (of) => ({ ...of, route: of.route.map((hop) => ({ ...hop, share: 2 ** 25 })) }),
  ],
  ['what wraps', (of) => ({ ...of, route: of.route.with(0, { ...of.route[0]!, amountOut: 1n }) })],
  ['the route to one without it', (of) => ({ ...of, route: of.route.slice(1) })],
  [
    'the pools to one twice',
    (of) => ({
      ...of,
      snapshot: { ...of.snapshot, pools: [...of.snapshot.pools, of.snapshot.pools[0]!] },
    }),
  ],
  [
    'the spacing of ticks',
    (of) => ({
      ...of,
      snapshot: {
        ...of.snapshot,
        pools: of.snapshot.pools.map((pool) =>
          pool.family === 'uniswapV3' ? { ...pool, tickSpacing: -1 } : pool,
        ),
      },
    }),
  ],
  [
    'the block of the market',
    (of) => ({
      ...of,
      snapshot: { ...of.snapshot, block: { ...of.snapshot.block, number: 10n ** 9n } },
    }),
  ],
  [
    'the payee',
    (of) => {
      const { data } = of.call!
      return inCall(
        of,
        `${data.slice(0, 482)}${'66'.repeat(20)}${data.slice(522)}` as `0x${string}`,
      )
    },
  ],
  [
    'the program, with another payment before its hops',
    (of) => {
      const { data } = of.call!
      const at =
        data.indexOf(of.snapshot.pools.find(({ id }) => id === of.route[1]!.pool)!.id.slice(2)) - 12
      const paid = `00000003e820${'66'.repeat(20)}`
      return inCall(of, `${data.slice(0, at)}${paid}${data.slice(at, -52)}` as `0x${string}`)
    },
  ],
  [
    'the number of swaps',
    (of) => inReceipt(of, { logs: [...settled(of).receipt.logs, ...settled(of).receipt.logs] }),
  ],
  ['the type', (of) => inReceipt(of, { type: '0x1ff' })],
  ['the place', (of) => inReceipt(of, { index: 128 })],
  ['the hash of the transaction', (of) => inTransaction(of, { hash: `0x${'12'.repeat(32)}` })],
]

/** No JSON, or none that has one meaning. */
export const texts: readonly (readonly [string, (of: string) => string])[] = [
  ['a number that JSON lacks', (of) => of.replace(/"amount": "\d+"/, '"amount": NaN')],
  ['a name twice', (of) => of.replace('{', '{"amountOut": "1",')],
  ['digits of another script', (of) => of.replace(/"version": 1/, '"version": "١"')],
  ['no end of its lists', () => '['.repeat(100_000)],
]

/** Bounds that are true, but of fewer routes or of dearer gas. */
export const narrow: readonly (readonly [string, Change])[] = [
  ['hops', (of) => inBound(of, { maxLegs: 1 })],
  ['gas', (of) => inBound(of, { maxGas: 200_000 })],
  ['cost', (of) => inBound(of, { gasCost: 10 })],
  ['pools', (of) => inBound(of, { setAside: [of.route[1]!.pool] })],
]
