// When routes may pass a token that no list names, and what ends that.

import { type Address, buildGraph, type Pool, type Snapshot } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { createEarned } from './earned.js'

const [WHYPE, USDC, CAT, OWN] = [1, 2, 3, 4].map((n) => toHex(n, 20)) as [
  ...[Address, Address, Address, Address],
]
const E18 = 10n ** 18n
const DAY = 86_400n

const pair = (id: number, tokens: readonly [Address, Address], reserve: bigint): Pool => ({
  ...{ family: 'uniswapV2', venue: 'v', id: toHex(0x100 + id, 20), feePpm: 3_000 },
  ...{ tokens, reserves: [reserve, reserve] },
})
const hub = pair(0, [WHYPE, USDC], 10_000_000n * E18)
/** Depth is a hundredth of what a pair holds: 5,200 dollars, and 150. */
const deep = [pair(1, [CAT, WHYPE], 520_000n * E18), pair(2, [CAT, USDC], 15_000n * E18)]

/** A market of a block a minute, in which swaps touch the pools of a token; one native token is a dollar. */
function world() {
  const earned = createEarned({ trusted: new Set([WHYPE, USDC]), usdTokens: [USDC] })
  let [number, timestamp] = [1n, 1_000_000n]
  const pass = (minutes: number, pools: readonly Pool[], { swaps = 1 } = {}) => {
    for (let i = 0; i < minutes; i++) {
      ;[number, timestamp] = [number + 1n, timestamp + 60n]
      const tokens = [WHYPE, USDC, CAT, OWN].map((address) => ({ address, decimals: 18 }))
      const block = {
        number,
        hash: toHex(number, 32),
        timestamp,
        gasPrice: 0n,
        gasLimit: 3_000_000n,
      }
      const snapshot: Snapshot = {
        ...{ chainId: 999, wrappedNative: WHYPE, block, tokens, pools: [hub, ...pools] },
      }
      const touched = i < swaps ? [deep[0]!.id] : []
      const trail = [{ number, hash: block.hash, touched, created: [] }]
      earned.take({ trail }, snapshot, () => buildGraph(snapshot))
    }
    return earned.current()
  }
  return pass
}

it('is after a day of depth in two pools with swaps in twenty blocks, and no minute before', () => {
  const pass = world()
  expect(pass(1_440, deep, { swaps: 100 })).toEqual([])
  expect(pass(1, deep)).toEqual([CAT])
})

it('ends when the depth is gone, and starts from zero when it is back', () => {
  const pass = world()
  pass(1_441, deep, { swaps: 100 })
  expect(pass(1, [deep[0]!])).toEqual([])
  expect(pass(1_440, deep, { swaps: 100 })).toEqual([])
  expect(pass(1, deep)).toEqual([CAT])
})

it.each([
  ['swaps came in too few blocks', deep, 18],
  ['one pool is too small', [deep[0]!, pair(2, [CAT, USDC], 9_000n * E18)], 100],
  ['both together are', [pair(1, [CAT, WHYPE], 300_000n * E18), deep[1]!], 100],
  [
    'the depth is of another unlisted token, which its maker prints',
    [deep[0]!, pair(2, [CAT, OWN], 10n ** 9n * E18), pair(3, [OWN, WHYPE], 10n ** 9n * E18)],
    100,
  ],
])('is never where %s', (_, pools, swaps) => {
  expect(world()(Number((2n * DAY) / 60n), pools, { swaps })).toEqual([])
})
