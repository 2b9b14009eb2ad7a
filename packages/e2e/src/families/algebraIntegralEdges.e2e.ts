/**
 * Algebra Integral at the end of its reserves, which are uint128: pools so deep that a swap fills a
 * reserve before it reaches the end of the price range. The pool's bytecode decides what is refused.
 */
import { createClient, loadSnapshot } from '@braid-swap/chain'
import { poolCallerAbi, poolCallerBytecode } from '@braid-swap/contracts/testing'
import type { Address, Direction } from '@braid-swap/core'
import {
  type AlgebraIntegralPool,
  getAmountOut,
  getSqrtPriceAtTick,
  mostIntoReserve,
  ROOM_FOR_FEES,
  toCurve,
} from '@braid-swap/core/families'
import {
  type AlgebraIntegral,
  algebraCreateCall,
  type Call,
  createRandom,
  deployAlgebraIntegral,
  readAlgebraPool,
} from '@braid-swap/devnet'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  approveAll,
  type BareChain,
  pairsOf,
  readPools,
  startBareChain,
} from './differential/bareChain.js'
import { anyBelow, anyBits, anyInteger } from './differential/integers.js'
import { simulate } from './differential/simulate.js'

const SEED = 20_261_122
const GAS = 30_000_000n
const MAX_UINT128 = (1n << 128n) - 1n
const FORWARD = { in: 0, out: 1 } as const
const BACK = { in: 1, out: 0 } as const
/** The widest range of ticks, and nearly the largest liquidity that the pool allows per tick. */
const END_TICK = 887_220
const DEEPEST_BITS = 107
const abi = parseAbi(['function getReserves() view returns (uint128, uint128)'])

let bare: BareChain
let algebra: AlgebraIntegral
let caller: Address
let pools: readonly AlgebraIntegralPool[]

const callerCall = (data: `0x${string}`, from: Address): Call => ({
  ...{ label: 'PoolCaller', from, to: caller, gas: GAS, data },
})

/** A swap of an exact input, paid by the trader. */
const swapData = (pool: Address, zeroForOne: boolean, amountIn: bigint) =>
  encodeFunctionData({
    ...{ abi: poolCallerAbi, functionName: 'swap', args: [pool, zeroForOne, amountIn] },
  })

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 5)
  const { chain, random, trader } = bare
  algebra = await deployAlgebraIntegral(chain, 'edges')
  const data = poolCallerBytecode
  const [created] = await chain.execute([{ label: 'deploy', from: chain.deployer, data, gas: GAS }])
  caller = created!.contractAddress!.toLowerCase() as Address
  await approveAll(bare, caller)
  const manager = { from: chain.deployer, positionManager: algebra.positionManager }
  for (const tokens of pairsOf(bare.tokens)) {
    const tick = anyInteger(random, -260_000, 260_000)
    const sqrtPriceX96 = getSqrtPriceAtTick(tick) + 1n
    await chain.execute([algebraCreateCall(manager, { tokens, sqrtPriceX96 })])
    const { address } = await readAlgebraPool(chain, algebra, { tokens, feePpm: 0 })
    const liquidity = 1n << BigInt(anyInteger(random, 80, DEEPEST_BITS))
    const mint = encodeFunctionData({
      ...{ abi: poolCallerAbi, functionName: 'mintAlgebra' },
      args: [address, -END_TICK, END_TICK, liquidity],
    })
    await chain.execute([callerCall(mint, chain.deployer)])
    // Uncollected fees stay in the reserve.
    const swap = swapData(address, random.next() < 0.5, anyBits(random, 60, 80))
    await chain.execute([callerCall(swap, trader)])
  }
  const read = await readPools(chain, algebra.venue)
  pools = read.filter((pool) => pool.family === 'algebraIntegral')
}, 120_000)

afterAll(() => bare?.chain.stop())

/** The output of the pool's bytecode for the whole input; `0n` if it reverts or leaves input over. */
async function paidBy(pool: AlgebraIntegralPool, direction: Direction, amountIn: bigint) {
  const { chain, trader: from } = bare
  const data = swapData(pool.id, direction.in === 0, amountIn)
  const [result] = await simulate(chain.client, [{ from, to: caller, data }], pool.quotedAt)
  if (!result!.succeeded) return 0n
  const deltas = decodeFunctionResult({
    ...{ abi: poolCallerAbi, functionName: 'swap', data: result!.data },
  })
  return deltas[direction.in as 0 | 1] === amountIn ? -deltas[direction.out as 0 | 1]! : 0n
}

async function reserveOf(pool: AlgebraIntegralPool, i: number): Promise<bigint> {
  const reserves = await bare.chain.client.readContract({
    ...{ address: pool.id, abi, functionName: 'getReserves' },
  })
  return reserves[i]!
}

describe('Algebra Integral at the end of its reserves', () => {
  it('never takes less than core quotes, in either direction', async () => {
    const { random } = bare
    let [paid, refused] = [0, 0]
    for (const pool of pools) {
      for (const direction of [FORWARD, BACK]) {
        const left = MAX_UINT128 - (await reserveOf(pool, direction.in))
        const most = mostIntoReserve(pool, direction)
        const near = [most, most + 1n, left, left + 1n, MAX_UINT128, MAX_UINT128 + 1n]
        const drawn = Array.from(
          { length: 10 },
          () => left - (left >> 9n) + anyBelow(random, left >> 7n),
        )
        const amounts = [...near, ...drawn, anyBits(random, 129, 255), (1n << 255n) - 1n]
        for (const amountIn of amounts) {
          const chain = await paidBy(pool, direction, amountIn)
          const core = getAmountOut(pool, direction, amountIn)
          if (chain === 0n) refused += 1
          if (core > 0n) paid += 1
          const wanted = core === 0n && amountIn > most ? 0n : chain
          expect({ pool: pool.id, direction, amountIn, core }).toEqual({
            ...{ pool: pool.id, direction, amountIn, core: wanted },
          })
        }
      }
    }
    console.log(
      `Integral at the end of its reserves: ${paid} to the wei, ${refused} refused by both`,
    )
    expect(paid).toBeGreaterThan(50)
    expect(refused).toBeGreaterThan(100)
  }, 400_000)

  it('reverts one wei past its reserve; core refuses at most the room for fees earlier', async () => {
    let asked = 0
    for (const pool of pools) {
      for (const direction of [FORWARD, BACK]) {
        const left = MAX_UINT128 - (await reserveOf(pool, direction.in))
        expect(await paidBy(pool, direction, left + 1n)).toBe(0n)
        const most = mostIntoReserve(pool, direction)
        expect(left - most).toBeGreaterThanOrEqual(0n)
        expect(left - most).toBeLessThan(2n * ROOM_FOR_FEES)
        expect(toCurve(pool, direction).limit).toBeLessThanOrEqual(Number(most))
        if ((await paidBy(pool, direction, left)) > 0n) asked += 1
      }
    }
    expect(asked).toBeGreaterThan(10)
  }, 400_000)

  it('is set aside if uncollected fees leave less room than core assumes', async () => {
    const { chain, trader } = bare
    // Swaps in both directions, so large that their fees exceed the room reserved for fees.
    const [pool] = pools.toSorted((a, b) => (a.liquidity < b.liquidity ? 1 : -1))
    for (let i = 0; i < 12; i++) {
      const direction = i % 2 === 0 ? FORWARD : BACK
      const swap = swapData(pool!.id, direction.in === 0, 1n << 122n)
      await chain.execute([callerCall(swap, trader)])
    }
    const {
      state: { setAside },
    } = await loadSnapshot(createClient(chain.rpcUrl), {
      ...{ venues: [algebra.venue], wrappedNative: chain.wrappedNative },
    })
    expect(setAside.map(({ id, code }) => ({ id, code }))).toEqual([
      { id: pool!.id, code: 'POOL_OUT_OF_RANGE' },
    ])
  })
})
