// A swap that would revert is refused, what is to blame is left out, and strangers cannot blame a good pool.
import type { wire } from '@braid-swap/api'
import type { Address } from '@braid-swap/core'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileDoubles, deploy } from '../families/doubles/compile.js'
import { type Served, startTrustWorld, type TrustWorld } from './trustWorld.js'

const HYPE = 10n ** 18n
const abi = parseAbi(['function mint(address, uint256)', 'function sync()'])

let world: TrustWorld
beforeAll(async () => {
  world = await startTrustWorld()
})
afterAll(() => world?.stop())

async function withApi(intermediates: readonly Address[], work: (api: Served) => Promise<void>) {
  const api = await world.serve(intermediates)
  try {
    await work(api)
  } finally {
    await api.stop()
  }
}

/** A token through which 1 WHYPE buys 2 % more money than at the honest pair. */
const addBetter = () => {
  const { chain, money } = world
  return world.addMoody([
    { other: chain.wrappedNative, amounts: [10_000n * HYPE, 10_000n * HYPE] },
    { other: money, amounts: [10_000n * HYPE, 408_000n * HYPE + 10_000n * HYPE] },
  ])
}

/** The calldata, in which a pool that is called stands by its address. */
const programOf = ({ tx }: Pick<wire.SwapBody, 'tx'>) => tx.data
const named = (address: Address) => address.slice(2)

describe('a swap that would revert', () => {
  it('teaches: the pool is left out, the order solved again before it is answered', async () => {
    const { token, pairs } = await addBetter()
    await withApi([token], async (api) => {
      const before = await api.swap()
      expect(before.status).toBe(200)
      expect(programOf(before.body)).toContain(named(pairs[1]!))
      await world.setMood(token, 'paused')
      const { status, body } = await api.swap()
      expect([status, body.message]).toEqual([200, undefined])
      expect(programOf(body)).not.toContain(named(pairs[1]!))
      expect(await api.passes(body)).toBe(true)
      expect(await api.metric('braid_swap_estimates_total{outcome="blamed_pool"}')).toBe(1)
      // The pool holds more than callers may have left out: this order alone does without it.
      expect(await api.metric('braid_suspensions')).toBe(0)
      const told = await api.ready()
      expect(told.verdicts).toContainEqual(
        expect.objectContaining({ kind: 'pool', isActedOn: false, until: expect.any(String) }),
      )
      // The next block's test rejects the token. After that, an order for it is refused with the reason.
      await api.mine()
      await expect.poll(() => api.serves(pairs[1]!), { timeout: 20_000 }).toBe(false)
      const quote = await api.get<wire.QuoteBody>('quote', {
        ...{ src: world.chain.wrappedNative, dst: world.money, amount: `${HYPE}` },
        includeGraph: 'true',
      })
      expect(quote.body.graph!.map(({ pool }) => pool.toLowerCase())).toEqual([world.honest])
      const wanted = await api.swap({ dst: token })
      expect([wanted.status, wanted.body.code]).toEqual([422, 'TOKEN_UNSUPPORTED'])
    })
  })

  it('at a pool that its token refuses is found too', async () => {
    const { token, pairs } = await addBetter()
    await withApi([token], async (api) => {
      await world.setMood(token, 'refuses', { subject: pairs[1]! })
      const { status, body } = await api.swap()
      expect([status, body.message]).toEqual([200, undefined])
      expect(programOf(body)).not.toContain(named(pairs[1]!))
      expect(await api.passes(body)).toBe(true)
    })
  })

  it.each([
    ['is paused', 'paused'],
    ['refuses its pools', 'refuses'],
    ['burns all gas', 'burns'],
  ] as const)('is answered where each of five listed tokens %s at once', async (_, mood) => {
    const added: Awaited<ReturnType<typeof addBetter>>[] = []
    for (let i = 0; i < 5; i++) added.push(await addBetter())
    const tokens = added.map(({ token }) => token)
    await withApi(tokens, async (api) => {
      const amount = { amount: `${100n * HYPE}` }
      const before = programOf((await api.swap(amount)).body)
      const passed = added.filter(({ pairs }) => before.includes(named(pairs[1]!)))
      expect(passed.length).toBeGreaterThan(2)
      for (const { token, pairs } of added) {
        await world.setMood(token, mood, { subject: pairs[1]! })
      }
      const { status, body } = await api.swap(amount)
      expect([status, body.message]).toEqual([200, undefined])
      for (const { pairs } of added) expect(programOf(body)).not.toContain(named(pairs[1]!))
      expect(await api.passes(body)).toBe(true)
    })
  })

  it('is refused with what fails if there is no other route, and names the pool', async () => {
    const { token, pairs } = await world.addMoody([
      { other: world.chain.wrappedNative, amounts: [10_000n * HYPE, 10_000n * HYPE] },
    ])
    await withApi([token], async (api) => {
      await world.setMood(token, 'refuses', { subject: world.wallet })
      // The wallet itself is refused: nobody but it is concerned.
      const own = await api.swap({ dst: token })
      expect([own.status, own.body.code]).toEqual([422, 'SWAP_WOULD_REVERT'])
      expect(await api.metric('braid_suspensions')).toBe(0)
      await world.setMood(token, 'refuses', { subject: pairs[0]! })
      const { status, body } = await api.swap({ dst: token })
      expect([status, body.code]).toEqual([422, 'SWAP_WOULD_REVERT'])
      expect(body.details).toMatchObject({ pools: pairs[0] })
    })
  })
})

describe('a swap that pays less than quoted', () => {
  it('in the block of its quote is solved again without the token that keeps a part', async () => {
    const { chain, money, wallet } = world
    const { WatchfulToken } = compileDoubles(['WatchfulToken.sol'])
    const [SHORT_CODE, TAX_PERMILLE] = [6, 8]
    const token = await deploy(chain, WatchfulToken!, [SHORT_CODE, wallet, TAX_PERMILLE])
    const pairs = [
      await world.addPair([token, chain.wrappedNative], [10_000n * HYPE, 10_000n * HYPE]),
      await world.addPair([token, money], [10_000n * HYPE, 418_000n * HYPE]),
    ]
    await withApi([token], async (api) => {
      const quoted = await api.get<wire.QuoteBody>('quote', {
        ...{ src: world.chain.wrappedNative, dst: money, amount: `${HYPE}`, includeGraph: 'true' },
      })
      expect(quoted.body.graph!.map(({ pool }) => pool.toLowerCase())).toContain(pairs[1])
      const { status, body } = await api.swap({ slippage: '3' })
      expect(status).toBe(200)
      for (const pair of pairs) expect(programOf(body)).not.toContain(named(pair))
      expect(await api.passes(body)).toBe(true)
    })
  })

  it('because the market moved keeps its route', async () => {
    const { token, pairs } = await addBetter()
    await withApi([token], async (api) => {
      const before = await api.swap({ slippage: '1' })
      expect(programOf(before.body)).toContain(named(pairs[1]!))
      const block = before.body.meta!.blockNumber
      const args = [pairs[1]!, 12n * HYPE] as const
      await world.call(token, encodeFunctionData({ abi, functionName: 'mint', args }))
      await world.call(pairs[1]!, encodeFunctionData({ abi, functionName: 'sync' }))
      const { status, body } = await api.swap({ slippage: '1', block })
      expect(status).toBe(200)
      expect(programOf(body)).toContain(named(pairs[1]!))
    })
  })
})

describe('a stranger cannot make a good pool the culprit', () => {
  it('by a burst of swaps of a state that the market has left', async () => {
    await withApi([], async (api) => {
      const first = await api.swap({ amount: `${10n * HYPE}`, slippage: '0' })
      const block = first.body.meta!.blockNumber
      expect(await api.passes(first.body)).toBe(true)
      for (let i = 0; i < 12; i++) {
        const late = await api.swap({ block, slippage: '0' })
        expect([late.status, late.body.code]).toEqual([422, 'SWAP_WOULD_REVERT'])
        expect(late.body.details['reason']).toMatch(/^AmountOutTooLow/)
      }
      expect(await api.metric('braid_suspensions')).toBe(0)
      expect((await api.swap()).status).toBe(200)
    })
  })

  it('by a receiver that refuses the output', async () => {
    const { chain, money, wallet, router, honest } = world
    const mint = parseAbi(['function mint(address, uint256)'])
    const args = [wallet, 100n * HYPE] as const
    await world.call(money, encodeFunctionData({ abi: mint, functionName: 'mint', args }))
    const approval = { abi: erc20Abi, functionName: 'approve', args: [router, 2n ** 255n] } as const
    await world.call(money, encodeFunctionData(approval), wallet)
    await withApi([], async (api) => {
      const params = { src: money, dst: `0x${'ee'.repeat(20)}`, receiver: chain.multicall3 }
      const { status, body } = await api.swap(params)
      expect([status, body.code]).toEqual([422, 'SWAP_WOULD_REVERT'])
      expect(await api.metric('braid_suspensions')).toBe(0)
      const fine = await api.swap({ src: money, dst: params.dst })
      expect(programOf(fine.body)).toContain(named(honest))
    })
  })

  it('by a token whose code takes what another pool was paid', async () => {
    const { chain, honest, wallet, router } = world
    const { token } = await world.addMoody([])
    const pool = await world.addV3([token, chain.wrappedNative], 10_000n * HYPE)
    const mint = parseAbi(['function mint(address, uint256)'])
    const args = [wallet, 100n * HYPE] as const
    await world.call(token, encodeFunctionData({ abi: mint, functionName: 'mint', args }))
    const approval = { abi: erc20Abi, functionName: 'approve', args: [router, 2n ** 255n] } as const
    await world.call(token, encodeFunctionData(approval), wallet)
    await withApi([], async (api) => {
      const fine = await api.swap({ src: token })
      expect(programOf(fine.body)).toContain(named(honest))
      await world.setMood(token, 'skims', { subject: honest })
      const { status, body } = await api.swap({ src: token })
      expect([status, body.code]).toEqual([422, 'SWAP_WOULD_REVERT'])
      expect(body.details['pools']).toBe(pool)
      expect(programOf((await api.swap()).body)).toContain(named(honest))
    })
  })
})
