import { createClient, loadSnapshot } from '@braid-swap/chain'
import { poolCallerAbi } from '@braid-swap/contracts/testing'
import type { Direction } from '@braid-swap/core'
import { applySwap, feePpmOf, getAmountOut, type UniswapV3Pool } from '@braid-swap/core/families'
import { createRandom } from '@braid-swap/devnet'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { startBareChain } from './differential/bareChain.js'
import { anyBits, anyInteger } from './differential/integers.js'
import { startFollowing } from './differential/itFollows.js'
import { simulate } from './differential/simulate.js'
import { anyMove, deployMovingFees, type MovingFees, swapThrough } from './doubles/movingFees.js'

// Tests with our doubles: their fees are written from a description, and their swap is Uniswap's.
const SEED = 20_261_121
const SWAPS = scaled(2_000)
const HOPS = 3

let world: MovingFees

beforeAll(async () => {
  world = await deployMovingFees(await startBareChain(createRandom(SEED), 8))
})

afterAll(() => world?.chain.stop())

const read = async () => {
  const { chain, venues } = world
  const client = createClient(chain.rpcUrl)
  return loadSnapshot(client, { venues, wrappedNative: chain.wrappedNative })
}
const poolsOf = ({ snapshot }: Awaited<ReturnType<typeof read>>) =>
  snapshot.pools.filter((pool) => pool.family === 'uniswapV3')

async function moveAndMine(blocks: number): Promise<void> {
  const { chain, random } = world
  for (let i = 0; i < blocks; i++) {
    await chain.send(Array.from({ length: anyInteger(random, 0, 4) }, () => anyMove(world)))
    if (random.next() < 0.3) {
      const { timestamp } = await chain.client.getBlock()
      await chain.client.setNextBlockTimestamp({
        timestamp: timestamp + BigInt(anyInteger(random, 2, 40)),
      })
    }
    await chain.mine()
  }
}

const feeAbi = parseAbi(['function fee() view returns (uint24)'])

/** Some swaps through one pool in one block; core computes each from its state after the last. */
async function swapAgain(start: UniswapV3Pool): Promise<{ paid: number; moved: number }> {
  const { chain, random, trader } = world
  const swaps = Array.from({ length: HOPS }, () => {
    const zeroForOne = random.next() < 0.5
    return { zeroForOne, amountIn: anyBits(random, 1, 91) }
  })
  const fee = { from: trader, to: start.id, data: encodeFunctionData({ abi: feeAbi }) }
  const results = await simulate(
    chain.client,
    swaps.flatMap(({ zeroForOne, amountIn }) => {
      const { from, to, data } = swapThrough(world, { pool: start.id, zeroForOne, amountIn })
      return [fee, { from, to: to!, data: data! }]
    }),
    start.quotedAt,
  )
  let pool = start
  let [paid, moved] = [0, 0]
  for (const [i, { zeroForOne, amountIn }] of swaps.entries()) {
    const [fee, swapped] = [results[2 * i]!, results[2 * i + 1]!]
    if (pool.venue !== 'double-ramses') expect(BigInt(fee.data)).toBe(BigInt(feePpmOf(pool)))
    const direction: Direction = zeroForOne ? { in: 0, out: 1 } : { in: 1, out: 0 }
    const deltas = swapped.succeeded
      ? decodeFunctionResult({ abi: poolCallerAbi, functionName: 'swap', data: swapped.data })
      : [0n, 0n]
    const isWhole = deltas[direction.in] === amountIn
    const answer = getAmountOut(pool, direction, amountIn)
    expect(answer).toBe(isWhole ? -deltas[direction.out]! : 0n)
    // A swap that leaves input over or pays nothing is not served but moves the pool, so stop here.
    if (answer === 0n) break
    paid += 1
    if (feePpmOf(pool) !== pool.feePpm) moved += 1
    pool = applySwap(pool, direction, amountIn)
  }
  return { paid, moved }
}

describe('fees that move', () => {
  it('equal the pools’ fees, to the wei, in the first swap of a block and in the next', async () => {
    let [paid, again, moving] = [0, 0, 0]
    while (paid < SWAPS) {
      await moveAndMine(4)
      const pools = poolsOf(await read())
      for (const pool of pools) {
        // Mostly pools with moving fees.
        for (let i = 0; i < (pool.dynamicFee ? 16 : 4); i++) {
          const hops = await swapAgain(pool)
          paid += hops.paid
          again += Math.max(0, hops.paid - 1)
          moving += hops.moved
        }
      }
    }
    console.log(
      `moving fees: ${paid} swaps to the wei, ${again} after another, ${moving} at a moved fee`,
    )
    expect(again).toBeGreaterThan(scaled(300))
    expect(moving).toBeGreaterThan(scaled(200))
  })

  it('give the state that core computes, including the oracle, after a mined swap', async () => {
    const { chain, random } = world
    let mined = 0
    for (let round = 0; round < scaled(16); round++) {
      await moveAndMine(2)
      const swaps = poolsOf(await read()).flatMap((pool) => {
        const zeroForOne = random.next() < 0.5
        const direction: Direction = zeroForOne ? { in: 0, out: 1 } : { in: 1, out: 0 }
        const amountIn = anyBits(random, 40, 90)
        const isServed = getAmountOut(pool, direction, amountIn) > 0n
        return isServed ? [{ pool, zeroForOne, direction, amountIn }] : []
      })
      await chain.execute(
        swaps.map(({ pool, ...swap }) => swapThrough(world, { pool: pool.id, ...swap })),
      )
      const after = new Map(poolsOf(await read()).map((pool) => [pool.id, pool]))
      for (const { pool, direction, amountIn } of swaps) {
        const read = after.get(pool.id)!
        const moved = applySwap(pool, direction, amountIn)
        expect(read).toEqual('quotedAt' in read ? { ...moved, quotedAt: read.quotedAt } : moved)
        mined += 1
      }
    }
    expect(mined).toBeGreaterThan(scaled(100))
  })

  it('give the same state from logs as from a fresh load, at every block', async () => {
    const { chain, venues } = world
    const { market, next } = await startFollowing(chain, venues)
    for (let round = 0; round < scaled(100); round++) {
      await moveAndMine(anyInteger(world.random, 1, 3))
      await next()
    }
    expect(market().setAside).toEqual([])
    expect(poolsOf(market()).filter(({ dynamicFee }) => dynamicFee).length).toBeGreaterThan(0)
  })

  it('of an unknown module cause the pool to be set aside and counted', async () => {
    const { chain, unknown } = world
    const market = await loadSnapshot(createClient(chain.rpcUrl), {
      venues: unknown.venues,
      wrappedNative: chain.wrappedNative,
    })
    expect(poolsOf(market)).toEqual([])
    expect(market.setAside.map(({ code }) => code)).toEqual(Array(8).fill('POOL_FEE_UNKNOWN'))
  })

  it('of a config with five words are set aside even while they look constant, 80 times too low', async () => {
    const { chain, unknown, call, modules, trader } = world
    const { address: pool } = unknown.pools.findLast(({ venue }) => venue === 'double-initial')!
    const config = { baseFee: 500, feeCap: 40_000, scalingFactor: 0n }
    const swap = swapThrough(world, { pool, zeroForOne: true, amountIn: 10n ** 18n })
    await chain.execute([
      call('InitialFeeDouble', modules.initial, 'configure', [pool, config]),
      call('InitialFeeDouble', modules.initial, 'setInitialFee', [pool, 500]),
      swap,
    ])
    for (let i = 0; i < 4; i++) await chain.mine()
    const fee = { from: trader, to: pool, data: encodeFunctionData({ abi: feeAbi }) }
    const { timestamp } = await chain.client.getBlock()
    const calls = [fee, { from: trader, to: swap.to!, data: swap.data! }, fee]
    const [before, swapped, after] = await simulate(chain.client, calls, timestamp + 1n)
    expect(swapped!.succeeded).toBe(true)
    expect([before, after].map((result) => BigInt(result!.data))).toEqual([500n, 40_000n])
    const { setAside } = await loadSnapshot(createClient(chain.rpcUrl), {
      venues: unknown.venues,
      wrappedNative: chain.wrappedNative,
    })
    const found = setAside.find(({ id }) => id === pool)
    expect(found?.code).toBe('POOL_FEE_UNKNOWN')
    expect(found?.message).toContain(`${modules.initial} of pool ${pool} is none that is known`)
  })
})
