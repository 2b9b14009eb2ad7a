import { toHex } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import { type PoolRef, tokenPairOf } from './loader.js'

const [A, B, C] = [0xa, 0xb, 0xc].map((n) => toHex(n, 20)) as [
  PoolRef['id'],
  PoolRef['id'],
  PoolRef['id'],
]
const refOf = (tokens: PoolRef['tokens']): PoolRef => ({
  ...{ id: toHex(0xabc, 20), family: 'uniswapV2', venue: 'test', tokens },
})

describe('the tokens of a pool of two', () => {
  it('are those of its reference', () => {
    expect(tokenPairOf(refOf([A, B]))).toEqual([A, B])
  })

  it('are refused if there are more or fewer', () => {
    const refused = expect.objectContaining({ code: 'POOL_FORM_UNKNOWN' })
    for (const tokens of [[A], [A, B, C]]) expect(() => tokenPairOf(refOf(tokens))).toThrow(refused)
  })
})
