import { listRecordedPools, readRecordedVector } from '@braid-swap/vectors'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../hex.js'
import { parse } from '../json.js'
import { faultOf } from '../shape/check.js'
import type { Direction } from './family.js'
import { families, getAmountOut, type Pool } from './index.js'

type PoolVector = {
  readonly source: { readonly contract: Hex }
  readonly pool: Pool
  readonly swaps: readonly {
    readonly direction: Direction
    readonly amountIn: bigint
    readonly amountOut: bigint
  }[]
}

const files = listRecordedPools()
const vectors = files.map((file) => parse(readRecordedVector(file)) as PoolVector)

describe('swaps recorded on chain', () => {
  it.each(files.map((file, i) => [file, vectors[i]!] as const))(
    'is what core answers, to the wei: %s',
    (_, { source, pool, swaps }) => {
      expect(pool.id).toBe(source.contract)
      expect(faultOf(families[pool.family].shape, pool)).toBeUndefined()
      const answers = swaps.map(({ direction, amountIn }) => ({
        ...{ direction, amountIn },
        amountOut: getAmountOut(pool, direction, amountIn),
      }))
      expect(answers).toEqual(swaps)
      // A file of refusals alone would prove nothing.
      expect(swaps.filter(({ amountOut }) => amountOut > 0n).length).toBeGreaterThan(10)
    },
  )

  it('exist for every family with published bytecode', () => {
    // The others are deployed or compiled from a package and compared swap by swap, or nobody publishes
    // their bytecode: reference vectors and a double of ours are used instead.
    const published = ['algebraIntegral', 'algebraV1', 'uniswapV2', 'uniswapV3']
    expect([...new Set(vectors.map(({ pool }) => pool.family))].sort()).toEqual(published)
  })
})
