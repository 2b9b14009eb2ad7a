import { createClient, loadSnapshot } from '@braid-swap/chain'
import { type Address, encodeProgram, encodeRouterCall } from '@braid-swap/core'
import { getAmountOut, type instantUnstake } from '@braid-swap/core/families'
import { approveCall, createRandom, deployRouter } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { type BareChain, readPools, startBareChain } from './differential/bareChain.js'
import { examined } from './differential/examined.js'
import { anyBelow } from './differential/integers.js'
import { itFollows } from './differential/itFollows.js'
import { simulate } from './differential/simulate.js'
import {
  createUnstakings,
  movedUnstakings,
  poolCall,
  type UnstakingDouble,
} from './doubles/unstaking.js'

// The double is ours, written from the formula. It proves that core, the loader and the executor agree with the
// formula; that the venue uses it, only the loader's comparison on chain shows.
const SEED = 20_261_128
const unstake = { in: 0, out: 1 } as const

let bare: BareChain
let doubles: readonly UnstakingDouble[]

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 4, [18])
  doubles = await createUnstakings(bare)
}, 120_000)

afterAll(() => bare?.chain.stop())

itFollows({
  title: 'follows rates, fees, minimums and buffers as a fresh load reads them',
  bare: () => bare,
  moved: () => [movedUnstakings(bare, doubles)],
  ...{ blocks: scaled(30), movesPerBlock: 3, leastCalls: scaled(40) },
})

it('pays the quote through the router to the wei, or refuses what core refuses', async () => {
  const { chain, random, tokens, trader } = bare
  const { router, executor } = await deployRouter(chain)
  await chain.execute(tokens.map((token) => approveCall(token, { owner: trader, spender: router })))
  const seen = { paid: 0, refused: 0 }
  const loaded = await Promise.all(doubles.map(({ venue }) => readPools(chain, venue)))
  for (const pool of loaded.flat() as readonly instantUnstake.InstantUnstakePool[]) {
    const { buffer, minAmountIn } = pool
    const drawn = Array.from({ length: scaled(40) }, () => anyBelow(random, 2n * buffer) + 1n)
    for (const amountIn of [...drawn, minAmountIn, minAmountIn - 1n, 3n]) {
      if (amountIn <= 0n) continue
      const paid = getAmountOut(pool, unstake, amountIn)
      const [result] = await sell(pool, amountIn)
      const { succeeded, data } = result!
      expect({ amountIn, succeeded }).toEqual({ amountIn, succeeded: paid > 0n })
      if (paid > 0n) expect(BigInt(data)).toBe(paid)
      seen[paid > 0n ? 'paid' : 'refused'] += 1
    }
  }
  expect(seen.paid).toBeGreaterThan(scaled(40))
  expect(seen.refused).toBeGreaterThan(scaled(20))

  function sell(pool: instantUnstake.InstantUnstakePool, amountIn: bigint) {
    const [tokenIn, tokenOut] = pool.tokens
    const order = { tokenIn, tokenOut, amountIn }
    const hop = { pool, direction: unstake, share: 0, amountIn, amountOut: 0n }
    const call = {
      ...{ ...order, minAmountOut: 1n, receiver: trader, deadline: 1n << 64n, executor },
      program: encodeProgram([hop], order),
    }
    return simulate(chain.client, [{ from: trader, to: router, data: encodeRouterCall(call) }])
  }
})

it('is examined by doctor without a wrong finding', async () => {
  const findings = await examined(bare.chain, doubles[0]!.venue)
  expect(findings.filter(({ holds }) => holds === false)).toEqual([])
  expect(findings.find(({ check }) => check === 'pools read')?.holds).toBe(true)
})

it('sets a manager aside whose previews differ by a wei, and a contract that is none', async () => {
  const { chain, tokens } = bare
  const [differing] = doubles
  await chain.execute([poolCall(chain.deployer, differing!, 'setSurplus', 1n)])
  const none = { ...differing!.venue, id: 'none', factory: tokens[0] as Address }
  const { wrappedNative } = chain
  const venues = [differing!.venue, none]
  const { setAside } = await loadSnapshot(createClient(chain.rpcUrl), { venues, wrappedNative })
  expect(new Map(setAside.map(({ id, code }) => [id, code]))).toEqual(
    new Map([
      [differing!.venue.factory, 'POOL_FORM_UNKNOWN'],
      [none.factory, 'VENUE_UNREADABLE'],
    ]),
  )
})
