// Compares what is followed with the chain, and takes the state of the chain where they differ.
import type { Address } from '@braid-swap/core'
import { Refusal } from '@braid-swap/worlds/node'
import { describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { changed } from '../testing/changed.js'
import {
  advanced,
  busy,
  client,
  drifted,
  E18,
  eachOnPairs,
  expectFresh,
  isOfReserves,
  load,
  node,
  PAIRS,
  p0,
  p1,
  p2,
  quiet,
  reservesOf,
  times,
  venues,
  watch,
  withoutReceipts,
  withoutSampled,
} from '../testing/pairMarket.js'
import { pairVenue, sampledAt, silently, trade } from '../testing/scriptedNode.js'
import { auditPools } from './auditPools.js'
import type { Market } from './market.js'
import { DriftError } from './syncErrors.js'

eachOnPairs()

describe('an audit', () => {
  const audit = (market: Market, ids: readonly Address[]) =>
    auditPools(client, market, { ids, venues })

  it('changes nothing where the logs told everything', async () => {
    node.mine(trade(p0, [3n * E18, E18]))
    const market = await load()
    expect(await audit(market, [p0, p1])).toEqual({ market, compared: 2, drifts: [] })
  })

  it('finds what no log told, and takes the state of the chain', async () => {
    const market = await load()
    node.mine(silently(p0, [5n * E18, E18]), trade(p1, [2n * E18, E18]))
    const next = await advanced(market)
    const { market: after, compared, drifts } = await audit(next, [p0, p1, sampledAt(0)])
    expect(compared).toBe(2)
    expect(drifts.map(({ details }) => details)).toEqual([{ pool: p0, block: '3' }])
    expect(reservesOf(after, p0)).toEqual([5n * E18, E18])
    await expectFresh(after)
  })

  it('compares copies that only logs carried, where the node answers from its newest block', async () => {
    const market = await load()
    node.isLatestOnly = true
    node.tamper = ({ method }, honest) => {
      if (method !== 'eth_call') return honest()
      node.tamper = (_, answer) => answer()
      node.mine(trade(p0, [7n * E18, E18]), silently(p1, [8n * E18, E18]))
      return honest()
    }
    const { market: after, compared, drifts } = await audit(market, [p0, p1])
    expect(compared).toBe(2)
    expect(drifts.map(({ details }) => details['pool'])).toEqual([p1])
    expect(after.state.snapshot.block.number).toBe(3n)
    await expectFresh(after)
  })

  it('of a block that is gone compares nothing', async () => {
    const market = await load()
    node.undo(1)
    node.mine()
    expect(await audit(market, [p0])).toEqual({ market, compared: 0, drifts: [] })
  })
})

describe('following', () => {
  it('yields each new market once, in order, and joins new pools', async () => {
    const start = await load()
    const hidden = changed(start, { pools: start.state.pools.filter(({ id }) => id !== p2) })
    const found = start.state.pools.filter(({ id }) => id === p2)
    let given = false
    const { seen, errors } = await watch(hidden, [quiet, () => {}, quiet, quiet], {
      newPools: () => {
        if (given) return []
        given = true
        return [...found, ...found]
      },
    })
    expect(errors).toEqual([])
    expect(seen.map(({ state }) => state.snapshot.block.number)).toEqual([3n, 4n, 5n])
    expect(seen.at(-1)!.state.pools).toHaveLength(5)
    await expectFresh(seen.at(-1)!)
  })

  it('keeps the market when a round fails, and tries the same head again', async () => {
    const start = await load()
    let failures = 0
    node.tamper = ({ method }, honest) => {
      if (method === 'eth_getBlockReceipts' && failures++ < 1) throw new Refusal(429, 'busy')
      return honest()
    }
    const { seen, errors } = await watch(
      withoutSampled(start),
      [() => void node.mine(trade(p0, [9n * E18, E18])), () => {}, () => {}],
      { venues: [pairVenue], client: createClient(node.url, { retryCount: 0 }) },
    )
    expect(errors).toHaveLength(1)
    expect(seen.map((market) => reservesOf(market, p0))).toEqual([[9n * E18, E18]])
  })

  it('compares all pools every eighth round, and reports one that no log changed', async () => {
    const start = await load()
    const steps = [...times(3), () => void node.mine(silently(p1, [5n * E18, E18])), ...times(12)]
    node.asked.length = 0
    const { seen, errors } = await watch(start, steps, { auditEvery: 0 })
    expect(drifted(errors)).toEqual([p1])
    expect(errors[0]).toMatchObject({ details: { block: '11' } })
    expect(seen.map((market) => reservesOf(market, p1)![0] === E18)).toEqual(
      seen.map((_, i) => i < 8),
    )
    await expectFresh(seen.at(-1)!)
  })

  it('compares pools in every round whose logs are not proved, where requests are not limited', async () => {
    const start = await load()
    node.tamper = (one, honest) => {
      withoutReceipts(one)
      return honest()
    }
    const steps = [5n, 6n, 7n].flatMap((x) => [
      ...[() => busy(), () => busy(silently(p1, [x * E18, E18]))],
    ])
    const { seen, errors } = await watch(start, steps, { auditEvery: 0 })
    expect(drifted(errors)).toEqual([p1, p1, p1])
    expect(seen.map((market) => reservesOf(market, p1)![0] / E18)).toEqual([1n, 5n, 5n, 6n, 6n, 7n])
  })

  it('compares pools in every round after the logs of a limited node were wrong', async () => {
    const start = await load()
    node.tamper = (one, honest) => {
      withoutReceipts(one)
      return honest()
    }
    const steps = [5n, 6n, 7n].flatMap((x) => [
      ...[
        () => busy(silently(p1, [x * E18, E18])),
        ...Array.from({ length: 9 }, () => () => busy()),
      ],
    ])
    const limited = createClient(node.url, { requestsPerMinute: 1_000_000 })
    const { seen, errors } = await watch(start, steps, { auditEvery: 0, client: limited })
    expect(drifted(errors)).toEqual([p1, p1, p1])
    const wrong = seen.map((market) => {
      const [x] = reservesOf(market, p1)!
      const blocks =
        Number(market.state.snapshot.block.number) - Number(start.state.snapshot.block.number)
      return x !== BigInt(5 + Math.floor((blocks - 1) / 10)) * E18
    })
    expect(wrong.filter(Boolean)).toHaveLength(8)
    expect(wrong.slice(8).some(Boolean)).toBe(false)
  })

  it('decides a comparison that a later block answered by the logs up to it', async () => {
    const start = withoutSampled(await load())
    node.isLatestOnly = true
    const glances: number[] = []
    const steps = [() => void node.mine(silently(p1, [5n * E18, E18])), ...times(13)]
    node.tamper = (one, honest) => {
      if (!isOfReserves(one)) return honest()
      glances.push(node.head().number)
      // The block after the one that is compared, with a trade that explains the other difference.
      if (glances.length === 1) node.mine(trade(p0, [3n * E18, E18]))
      return honest()
    }
    const { seen, errors } = await watch(start, steps, { venues: [pairVenue], auditEvery: 0 })
    expect(drifted(errors)).toEqual([p1])
    // The comparison, its repetition for one pool, and the read of that pool.
    const [first, ...more] = glances
    expect(more.map((at) => at - first!)).toEqual([3, 3])
    expect(reservesOf(seen.at(-1)!, p1)).toEqual([5n * E18, E18])
  })

  it('audits pools in turn, those that changed first', async () => {
    const start = withoutSampled(await load())
    const audits: number[] = []
    const asked: Address[] = []
    node.tamper = (one, honest) => {
      const text = JSON.stringify(one.params)
      if (isOfReserves(one)) asked.push(...PAIRS.filter((id) => text.includes(id.slice(2))))
      return honest()
    }
    const both = () => void node.mine(trade(p2, [3n * E18, E18]), trade(p0, [3n * E18, E18]))
    const steps = [quiet, both, ...times(5)]
    await watch(start, steps, {
      ...{ venues: [pairVenue], auditEvery: 2, auditedPools: 1 },
      onAudit: ({ compared }) => audits.push(compared),
    })
    expect(audits).toEqual([1, 1, 1])
    expect(asked).toEqual([p0, p2, p0])
  })

  it('takes the chain’s state after an audit that found a drift, and forgets earlier markets', async () => {
    const start = withoutSampled(await load())
    const steps = [() => void node.mine(silently(p0, [6n * E18, E18])), ...times(2)]
    const { seen, errors } = await watch(start, steps, {
      ...{ venues: [pairVenue], auditEvery: 2, auditedPools: 4 },
    })
    expect(drifted(errors)).toEqual([p0])
    expect(errors[0]).toBeInstanceOf(DriftError)
    expect(reservesOf(seen.at(-1)!, p0)).toEqual([6n * E18, E18])
  })
})
