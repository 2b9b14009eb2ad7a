import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ReorganisedWorld, startReorganisedWorld, undoBlocks } from './reorganisationRuns.js'
import { createTamperedClient } from './tampered.js'
import { comparable } from './world.js'

let reorganised: ReorganisedWorld
beforeAll(async () => {
  reorganised = await startReorganisedWorld()
})
afterAll(() => reorganised?.world.chain.stop())

describe('a reorganisation that undoes pools', () => {
  // Every depth up to 20 is in reorganisations.fuzz.ts.
  it.each([1, 2, 7, 20])('of %d blocks leaves no trace of the branch', (depth) =>
    undoBlocks(reorganised, depth),
  )

  it('keeps a market whose block is still on the chain', async () => {
    const { world, load, mineBlock, followTo } = reorganised
    const market = await load()
    await mineBlock(1)
    const lying = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
      const answer = await ask(request)
      const isHead = request.method === 'eth_getBlockByNumber'
      const { number } = Object(answer) as { number?: string }
      if (!isHead || BigInt(number ?? 0) <= market.snapshot.block.number) return answer
      return { ...(answer as object), parentHash: `0x${'13'.repeat(32)}` }
    })
    const before = comparable(market)
    await expect(followTo([], market, lying)).rejects.toMatchObject({ code: 'NOT_CONTINUOUS' })
    expect(comparable(market)).toEqual(before)
  })
})
