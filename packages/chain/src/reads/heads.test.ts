// Waits for new heads, and compares the endpoints of a client.
import { Refusal } from '@braid-swap/worlds/node'
import { describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { client, eachOnNode, node, replace, start } from '../testing/pairNode.js'
import { readHealth, refillMs } from '../transport/client.js'
import { compareEndpoints, watchAgreement } from './compareEndpoints.js'
import { type Head, watchHeads } from './watchHeads.js'

eachOnNode()

describe('new heads', () => {
  it('are yielded once each, again until one is done, and never by a failed poll', async () => {
    const yielded: Head[] = []
    const errors: unknown[] = []
    let polls = 0
    replace('eth_getBlockByNumber', (_, honest) => {
      polls += 1
      if (polls === 3) throw new Refusal(-32603, 'no')
      if (polls === 5) node.mine()
      return honest()
    })
    const ending = new AbortController()
    const heads = watchHeads(client, {
      ...{ pollMs: 1, signal: ending.signal, onError: (error) => errors.push(error) },
      isDone: () => yielded.length !== 1,
    })
    for await (const head of heads) {
      yielded.push(head)
      if (yielded.length === 3) ending.abort()
    }
    expect(yielded.map(({ header }) => header.number)).toEqual([1n, 1n, 2n])
    expect(yielded[1]).toBe(yielded[0])
    expect(yielded[2]!.receivedAtMs).toBeGreaterThan(yielded[0]!.receivedAtMs)
    expect(errors).toHaveLength(1)
  })

  it('of a limited client are asked for when a whole round can follow, and with a reserve if there is time', async () => {
    const limited = createClient(node.url, { requestsPerMinute: 1_200 })
    const left: (readonly number[])[] = []
    replace('eth_getBlockByNumber', (_, honest) => {
      node.mine()
      left.push([1, 7].map((requests) => refillMs(limited, requests)))
      return honest()
    })
    const ending = new AbortController()
    for await (const _ of watchHeads(limited, { pollMs: 1, signal: ending.signal })) {
      // More requests than any reserve, which leave nothing for the next round.
      if (left.length === 2) for (let i = 0; i < 45; i++) await limited.getChainId()
      if (left.length === 3) ending.abort()
    }
    expect(left[1]).toEqual([0, 0])
    expect(left[2]![0]).toBe(0)
  })

  it('end while they wait for the next poll', async () => {
    const ending = new AbortController()
    const yielded: Head[] = []
    for await (const head of watchHeads(client, { pollMs: 3_600_000, signal: ending.signal })) {
      yielded.push(head)
      setTimeout(() => ending.abort(), 20)
    }
    expect(yielded).toHaveLength(1)
  })

  it('end with the error if nobody takes it', async () => {
    replace('eth_getBlockByNumber', () => null)
    await expect(watchHeads(client).next()).rejects.toMatchObject({ code: 'BLOCK_UNAVAILABLE' })
  })
})

describe('the endpoints of a client', () => {
  it('are compared at the highest block that both have', async () => {
    const other = await start()
    const both = createClient([node.url, other.url])
    node.mine()
    node.mine()
    expect(await compareEndpoints(both)).toBeUndefined()
    other.undo(1)
    other.mine()
    const hashes = [node.blocks[1]!.hash, other.blocks[1]!.hash]
    const found = { number: 1n, hashes }
    expect(await compareEndpoints(both)).toEqual(found)
    const changes: unknown[] = []
    const ending = new AbortController()
    await watchAgreement(both, {
      ...{ everyMs: 1, signal: ending.signal },
      onChange: (change) => {
        changes.push(change)
        if (changes.length === 2) return ending.abort()
        node.undo(2)
        other.undo(1)
      },
    })
    expect(changes).toEqual([found, undefined])
  })

  it('that are far behind or silent are left out, and the late one rests', async () => {
    const other = await start()
    other.undo(1)
    other.mine()
    const both = createClient([node.url, other.url])
    for (let i = 0; i < 5; i++) node.mine()
    expect(await compareEndpoints(both)).toMatchObject({ number: 1n })
    expect(readHealth(both).map(({ restsMs }) => restsMs)).toEqual([0, 0])
    node.mine()
    expect(await compareEndpoints(both)).toBeUndefined()
    const [first, second] = readHealth(both).map(({ restsMs }) => restsMs)
    expect(first).toBe(0)
    expect(second).toBeGreaterThan(9_000)
    other.stop()
    expect(await compareEndpoints(both)).toBeUndefined()
  })

  it('that is alone is not watched', async () => {
    await watchAgreement(client, { onChange: () => {} })
    expect(node.asked).toEqual([])
  })
})
