/**
 * Asks the type checker for the promises of the public types: `pnpm types` fails where an answer changes.
 * The tests run too, but only to be counted; their questions are in the types.
 */
import { describe, expectTypeOf, it } from 'vitest'
import {
  type Address,
  buildGraph,
  type Graph,
  type Hex,
  type Order,
  type Pool,
  parseSnapshot,
  type Quote,
  quote,
  type Snapshot,
} from './index.js'

describe('the types of core', () => {
  it('keep money in bigint', () => {
    expectTypeOf<Quote['amountOut']>().toEqualTypeOf<bigint>()
    expectTypeOf<Order['amountIn']>().toEqualTypeOf<bigint>()
    expectTypeOf<Snapshot['block']['gasPrice']>().toEqualTypeOf<bigint>()
    expectTypeOf<Quote['route'][number]['amountIn']>().toEqualTypeOf<bigint>()
  })

  it('tell an address from any text', () => {
    expectTypeOf<Address>().toExtend<Hex>()
    expectTypeOf<string>().not.toExtend<Address>()
    expectTypeOf<Order['tokenIn']>().toEqualTypeOf<Address>()
  })

  it('say by the family which fields a pool has', () => {
    type Pair = Extract<Pool, { readonly family: 'uniswapV2' }>
    type Ranged = Extract<Pool, { readonly family: 'uniswapV3' }>
    expectTypeOf<Pair>().toHaveProperty('reserves')
    expectTypeOf<Pair>().not.toHaveProperty('ticks')
    expectTypeOf<Ranged>().toHaveProperty('ticks')
    expectTypeOf<Pool['family']>().not.toEqualTypeOf<string>()
  })

  it('make a market read-only', () => {
    expectTypeOf<Snapshot['pools']>().toEqualTypeOf<readonly Pool[]>()
    expectTypeOf<Pool[]>().toExtend<Snapshot['pools']>()
    expectTypeOf<Snapshot['pools']>().not.toExtend<Pool[]>()
  })

  it('lead from a text to a quote', () => {
    expectTypeOf(parseSnapshot).parameter(0).toEqualTypeOf<string>()
    expectTypeOf(parseSnapshot).returns.toEqualTypeOf<Snapshot>()
    expectTypeOf(buildGraph).parameter(0).toEqualTypeOf<Snapshot>()
    expectTypeOf(quote).parameter(0).toExtend<Graph>()
    expectTypeOf(quote).returns.toEqualTypeOf<Quote>()
  })
})
