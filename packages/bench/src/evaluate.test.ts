import { replay, transactionGasOf } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import { indexEdges } from './edges.js'
import { bpsAbove, compareNets, evaluate, isBeyondEnd } from './evaluate.js'
import { madeAddress, makePair, toSnapshot } from './markets/build.js'
import type { Request } from './request.js'

const tokens = [0, 1].map((n) => ({ address: madeAddress('token', n), decimals: 18, price: 1 }))
const [a, b] = tokens as [(typeof tokens)[0], (typeof tokens)[0]]
const pool = makePair({ n: 0, ends: [a, b], depth: 1000, feePpm: 3000 })
const edge = indexEdges(toSnapshot(tokens, [pool])).from.get(a.address)![0]!
const hops = [{ pool, direction: edge.direction, share: 0 }]
const request: Request = {
  id: 'test',
  label: 'test',
  order: { tokenIn: a.address, tokenOut: b.address, amountIn: 10n ** 18n },
  gasPrice: 10n ** 9n,
  gasCost: 1e9,
  maxLegs: 1,
}

describe('evaluate', () => {
  it('equals the replay of core, net of gas at the request’s price', () => {
    const replayed = replay(hops, request.order)!
    const gas = transactionGasOf(replayed.route)
    // x·997·Y / (X·1000 + x·997) with X = Y = 1000e18 and x = 1e18
    expect(replayed.amountOut).toBe(996006981039903216n)
    expect(evaluate(request, hops)).toEqual({
      gross: replayed.amountOut,
      gas,
      net: replayed.amountOut - BigInt(gas) * 10n ** 9n,
      legs: 1,
    })
  })

  it('refuses a missing route, one that is too long and one that would revert', () => {
    expect(evaluate(request, undefined)).toBeUndefined()
    expect(evaluate(request, [])).toBeUndefined()
    expect(evaluate({ ...request, maxLegs: 0 }, hops)).toBeUndefined()
    const leavesDust = [{ ...hops[0]!, share: 1000 }]
    expect(evaluate(request, leavesDust)).toBeUndefined()
  })
})

describe('isBeyondEnd', () => {
  it('begins about 249 reserves of a pair in', () => {
    const isEnd = (reserves: bigint) => {
      const order = { ...request.order, amountIn: reserves * 1000n * 10n ** 18n }
      return isBeyondEnd({ ...request, order }, hops)
    }
    expect([100n, 245n, 255n, 2000n].map(isEnd)).toEqual([false, false, true, true])
  })
})

describe('compareNets', () => {
  it('treats one wei or a hundredth of a basis point as a tie', () => {
    expect(compareNets(3n, 2n)).toBe('tie')
    expect(compareNets(10n ** 18n + 10n ** 12n, 10n ** 18n)).toBe('tie')
    expect(compareNets(10n ** 18n + 2n * 10n ** 12n, 10n ** 18n)).toBe('win')
    expect(compareNets(-(10n ** 18n), 10n ** 18n)).toBe('loss')
    expect(compareNets(-5n, -5n)).toBe('tie')
  })
})

describe('bpsAbove', () => {
  it('is in ten-thousandths of the base', () => {
    expect(bpsAbove(10_100n, 10_000n)).toBe(100)
    expect(bpsAbove(-9_900n, -10_000n)).toBe(100)
    expect(bpsAbove(1n, 0n)).toBe(0)
  })
})
