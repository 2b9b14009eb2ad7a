// Reads ranges of logs, and calls, from a node that refuses and shortens its answers.
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import { describe, expect, it, vi } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { GET_RESERVES } from '../pools/uniswapV2/abi.js'
import {
  asked,
  client,
  connect,
  E18,
  eachOnNode,
  node,
  p0,
  p1,
  p2,
  replace,
} from '../testing/pairNode.js'
import { type Asked, answerKey, type NodeLog, trade, unknownLog } from '../testing/scriptedNode.js'
import { wordAt } from './abiWords.js'
import { type Header, readHeader } from './headers.js'
import { readLogRange } from './logRange.js'
import { createReader } from './multicall.js'

eachOnNode()

describe('a range of logs', () => {
  const range = (to: number, filter = {}) =>
    readLogRange(client, { fromBlock: 1n, toBlock: BigInt(to), ...filter })
  const lengths = () =>
    asked('eth_getLogs').map(({ params }) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
      return Number(toBlock) - Number(fromBlock) + 1
    })
  const limit = (most: number) =>
    replace('eth_getLogs', ({ params }, honest) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
      if (Number(toBlock) - Number(fromBlock) >= most) throw new Refusal(-32602, 'range')
      return honest()
    })

  it('is halved until the node answers, grows again below what it refused, and is kept', async () => {
    for (let i = 0; i < 2_100; i++)
      node.mine(...(i % 500 === 0 ? [trade(p0, [BigInt(i), 1n])] : []))
    limit(300)
    const { logs, skipped } = await range(2_100, { addresses: [p0] })
    expect(logs.map(({ blockNumber }) => Number(blockNumber))).toEqual([
      1, 2, 502, 1_002, 1_502, 2_002,
    ])
    expect(skipped).toEqual([])
    expect(lengths().slice(0, 5)).toEqual([1_000, 500, 250, 250, 250])
    node.asked.length = 0
    await range(2_100)
    expect(lengths()[0]).toBe(250)
    expect(Math.max(...lengths())).toBe(250)
  })

  it('keeps to the setting of the client', async () => {
    for (let i = 0; i < 50; i++) node.mine()
    connect({ logRange: 20 })
    await range(50)
    expect(lengths()).toEqual([20, 20, 10])
    node.asked.length = 0
    limit(4)
    await range(12)
    expect(lengths()).toEqual([12, 6, 3, 3, 3, 3])
  })

  it('skips a block only after it was refused for five seconds', async () => {
    for (let i = 0; i < 8; i++) node.mine(trade(p0, [BigInt(i), 1n]))
    replace('eth_getLogs', ({ params }, honest) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
      if (Number(fromBlock) <= 5 && Number(toBlock) >= 5)
        throw new Refusal(-32602, 'invalid block range')
      return honest()
    })
    await expect(range(9)).rejects.toThrow()
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 4_000)
    await expect(range(9)).rejects.toThrow()
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000)
    const { logs, skipped } = await range(9)
    expect(skipped).toEqual([5n])
    expect(new Set(logs.map(({ blockNumber }) => Number(blockNumber)))).toEqual(
      new Set([1, 2, 3, 4, 6, 7, 8, 9]),
    )
    // The length of ranges is as before.
    for (let i = 0; i < 900; i++) node.mine()
    node.asked.length = 0
    await readLogRange(client, { fromBlock: 10n, toBlock: 900n })
    expect(lengths()).toEqual([891])
  })

  it('asks for half of the addresses if one block is too large', async () => {
    node.mine(trade(p0, [1n, 1n]), trade(p1, [1n, 1n]), trade(p2, [1n, 1n]))
    replace('eth_getLogs', ({ params }, honest) => {
      const { address } = params[0] as { address?: readonly Address[] }
      if (address?.length !== 1) throw new Refusal(-32008, 'Response is too big')
      return honest()
    })
    const { logs } = await readLogRange(client, {
      ...{ fromBlock: 2n, toBlock: 2n, addresses: [p0, p1, p2] },
    })
    expect(logs.map(({ address, logIndex }) => [address, logIndex])).toEqual([
      [p0, 0],
      [p1, 1],
      [p2, 2],
    ])
  })

  it.each([{ removed: true }, { blockNumber: null }, { blockHash: null }, { logIndex: null }])(
    'is refused with a log of no block: %o',
    async (change) => {
      replace('eth_getLogs', (_, honest) =>
        (honest() as readonly NodeLog[]).map((log) => ({ ...log, ...change })),
      )
      await expect(range(1)).rejects.toMatchObject({ code: 'LOGS_MIXED' })
    },
  )

  it('has only the topics and the addresses that were asked for', async () => {
    node.mine(trade(p0, [1n, 1n]), unknownLog(p0), trade(p1, [1n, 1n]))
    const [sync] = node.head().logs
    replace('eth_getLogs', (_, honest) => [
      ...(honest() as readonly NodeLog[]),
      node.head().logs[2],
    ])
    const { logs } = await readLogRange(client, {
      ...{ fromBlock: 2n, toBlock: 2n, addresses: [p0], topics: [sync!.topics[0]!] },
    })
    expect(logs).toMatchObject([{ address: p0, logIndex: 0, blockHash: node.head().hash }])
  })
})

describe('calls', () => {
  const reserves = (id: Address) => ({ to: id, data: GET_RESERVES })
  const read = async (calls: Parameters<ReturnType<typeof createReader>>[0], at?: Header) =>
    createReader(client, at ?? (await readHeader(client, 'latest')))(calls)

  it('are of the block that the reader is for, and say it', async () => {
    const before = await readHeader(client, 'latest')
    node.mine(trade(p0, [7n, 8n]))
    const [then] = await read([reserves(p0)], before)
    expect(wordAt(then!.data, 0)).toBe(E18)
    expect(then!.seen).toEqual({
      ...{ number: 1n, parentHash: node.blocks[0]!.hash, timestamp: 1_000_001n },
    })
    const [now, latest] = await read([reserves(p0), { ...reserves(p0), isLatest: true }], before)
    expect([now, latest].map((one) => one!.seen!.number)).toEqual([1n, 2n])
  })

  it('fall back from the hash to the number and to the newest block', async () => {
    const tags: unknown[] = []
    for (const [isRefused, wanted] of [
      [(tag: unknown) => typeof tag === 'object', ['object', '0x1']],
      [(tag: unknown) => tag !== 'latest', ['object', '0x1', 'latest']],
    ] as const) {
      connect()
      tags.length = 0
      replace('eth_call', ({ params }, honest) => {
        tags.push(typeof params[1] === 'object' ? 'object' : params[1])
        if (isRefused(params[1])) throw new Refusal(-32602, 'only the latest block')
        return honest()
      })
      const reader = createReader(client, await readHeader(client, 1n))
      await reader([reserves(p0)])
      expect(tags).toEqual(wanted)
      await reader([reserves(p0)])
      expect(tags.at(-1)).toBe(wanted.at(-1))
      expect(tags).toHaveLength(wanted.length + 1)
      node.tamper = (_, honest) => honest()
    }
  })

  it('fail alone, one by one with the whole gas', async () => {
    node.mine(({ answers }) => {
      answers.set(answerKey(p1, GET_RESERVES), '0x')
      return []
    })
    const results = await read([reserves(p0), reserves(p1), reserves(p2)])
    expect(results.map(({ success }) => success)).toEqual([true, false, true])
    // The one that failed was asked once more.
    expect(asked('eth_call')).toHaveLength(2)
  })

  it('that burned all gas go alone from then on, until they do not', async () => {
    const burns = (one: Asked) => JSON.stringify(one.params).includes(p1.slice(2))
    const isMulticall = ({ method }: Asked) => method === 'eth_call'
    replace('eth_call', (one, honest) => {
      if (burns(one)) throw new Refusal(-32000, 'out of gas')
      return honest()
    })
    const all = [p0, p1, p2].map(reserves)
    expect((await read(all)).map(({ success }) => success)).toEqual([true, false, true])
    node.asked.length = 0
    expect((await read(all)).map(({ success }) => success)).toEqual([true, false, true])
    expect(node.asked.filter(isMulticall).map(burns)).toEqual([false, true])
    node.tamper = (_, honest) => honest()
    for (const requests of [2, 1]) {
      node.asked.length = 0
      expect((await read(all)).map(({ success }) => success)).toEqual([true, true, true])
      expect(node.asked.filter(isMulticall)).toHaveLength(requests)
    }
  })

  it('of a storage slot and of a program go apart', async () => {
    replace('eth_getStorageAt', ({ params }) => (params[1] === '0x2' ? '0x5' : null))
    const slot = (data: `0x${string}`) => ({ to: p0, data, isSlot: true as const })
    const program = { to: p0, data: '0x00', isProgram: true, mayFail: true } as const
    const head = `0x${[1, 2, 3].map((one) => toHex(one, 32).slice(2)).join('')}` as const
    replace('eth_call', ({ params }, honest) => ('to' in (params[0] as object) ? honest() : head))
    const results = await read([slot('0x2'), reserves(p0), program, slot('0x3')])
    expect(results.map(({ data }) => wordAt(data, 0))).toEqual([5n, E18, 1n, 0n])
    expect(results[2]!.seen).toEqual({ number: 1n, parentHash: toHex(2, 32), timestamp: 3n })
    replace('eth_call', () => {
      throw new Refusal(-32000, 'out of gas')
    })
    expect(await read([program])).toEqual([{ success: false, data: '0x' }])
  })

  it('of many slots wait for the limit of a client a few at a time, none in vain', async () => {
    replace('eth_getStorageAt', () => '0x7')
    const limited = createClient(node.url, { requestsPerMinute: 6_000, patienceMs: 400 })
    const slots = Array.from({ length: 100 }, (_, i) => ({
      ...({ to: p0, data: toHex(i, 1), isSlot: true } as const),
    }))
    const results = await createReader(limited, await readHeader(client, 'latest'))(slots)
    expect(results.map(({ data }) => wordAt(data, 0))).toEqual(slots.map(() => 7n))
  })

  it('of many scans share requests, fewer after a refusal, and none after one that fails alone', async () => {
    const end = (2).toString(16).padStart(8, '0') + '0'.repeat(64)
    const scans = Array.from({ length: 40 }, () => ({
      ...({ to: p0, data: '0x5339c296', scan: { first: 0, end: 2 }, mayFail: true } as const),
    }))
    const rowsIn = ({ params }: Asked) => {
      const { data } = params[0] as { readonly data: Hex }
      return (data.match(/5339c2960{56}/g) ?? []).length
    }
    const asked: number[] = []
    const refuseAbove = (most: number) =>
      replace('eth_call', (request) => {
        asked.push(rowsIn(request))
        if (asked.at(-1)! > most) throw new Refusal(-32000, 'out of gas')
        const head = [1, 2, 3].map((one) => toHex(one, 32).slice(2)).join('')
        return `0x${head}${end.repeat(asked.at(-1)!)}`
      })
    refuseAbove(40)
    const whole = await read(scans)
    expect(whole.map(({ data, seen }) => [data, seen!.number])).toEqual(
      scans.map(() => [`0x${end}`, 1n]),
    )
    expect(asked).toEqual([40])
    refuseAbove(10)
    expect((await read(scans)).every(({ success }) => success)).toBe(true)
    expect(asked.slice(-4)).toEqual([10, 10, 10, 10])
    asked.length = 0
    refuseAbove(0)
    expect(await read(scans)).toEqual(scans.map(() => ({ success: false, data: '0x' })))
    expect(new Set(asked)).toEqual(new Set([40, 20, 10, 5, 2, 1]))
  })
})
