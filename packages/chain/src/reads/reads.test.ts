// Reads of headers, logs, receipts and calls from a node whose every answer the test may replace.
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import { keccak256 } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { GET_RESERVES } from '../pools/uniswapV2/abi.js'
import {
  type Asked,
  answerKey,
  createPair,
  type NodeLog,
  pairAt,
  receiptsOf,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
  trade,
  unknownLog,
} from '../testing/scriptedNode.js'
import { type Client, readHealth, refillMs } from '../transport/client.js'
import { wordAt } from './abiWords.js'
import { readProvedLogs } from './blockReceipts.js'
import { compareEndpoints, watchAgreement } from './compareEndpoints.js'
import { areOnChain, type Header, readHeader } from './headers.js'
import { readLogRange } from './logRange.js'
import { bloomOf } from './logsBloom.js'
import { createReader } from './multicall.js'
import { readRound } from './roundLogs.js'
import { type Head, watchHeads } from './watchHeads.js'

const E18 = 10n ** 18n
const EMPTY_ROOT = keccak256('0x80')
const [p0, p1, p2] = [0, 1, 2].map(pairAt) as [Address, Address, Address]
const followed = [p0, p1]

let node: ScriptedNode
let client: Client
const nodes: ScriptedNode[] = []

/** A node with a block for each of three pairs. */
async function start() {
  const started = await startScriptedNode()
  nodes.push(started)
  started.mine(...[p0, p1, p2].map((id) => createPair(id, [TOKENS[0]!, TOKENS[1]!], [E18, E18])))
  return started
}
beforeEach(async () => {
  node = await start()
  client = createClient(node.url)
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const one of nodes.splice(0)) one.stop()
})

const asked = (method: string) => node.asked.filter((one) => one.method === method)
const pointAt = (number: number) => ({ number: BigInt(number), hash: node.blocks[number]!.hash })

/** Answers a method by the given function, and all others honestly. */
function replace(method: string, answer: (asked: Asked, honest: () => unknown) => unknown) {
  const before = node.tamper
  node.tamper = (one, honest) => (one.method === method ? answer(one, honest) : before(one, honest))
}
const noReceipts = () =>
  replace('eth_getBlockReceipts', () => {
    throw new Refusal(-32601, 'no receipts')
  })

describe('a header', () => {
  it('is of the block that was asked for, or an error', async () => {
    expect(await readHeader(client, 1n)).toMatchObject({
      ...{ number: 1n, hash: node.blocks[1]!.hash, parentHash: node.blocks[0]!.hash },
      ...{ timestamp: 1_000_001n, gasLimit: 3_000_000n, baseFee: 100n },
    })
    await expect(readHeader(client, 9n)).rejects.toMatchObject({ code: 'BLOCK_UNAVAILABLE' })
    replace('eth_getBlockByNumber', (_, honest) => ({ ...(honest() as object), hash: null }))
    await expect(readHeader(client, 1n)).rejects.toMatchObject({ code: 'BLOCK_UNAVAILABLE' })
  })

  it('tells if blocks are still on the chain', async () => {
    node.mine()
    const before = [pointAt(1), pointAt(2)]
    expect(await areOnChain(client, before)).toBe(true)
    node.undo(1)
    node.mine()
    expect(await areOnChain(client, before)).toBe(false)
  })
})

describe('receipts', () => {
  const proved = async () => readProvedLogs(client, await readHeader(client, 'latest'))

  it('prove a block with its system transactions, whose logs they do not', async () => {
    node.mine(trade(p0, [1n, 2n]), trade(p1, [3n, 4n]))
    const system = {
      ...receiptsOf(node.head())[0]!,
      ...{ cumulativeGasUsed: '0x0', logs: [{ address: p2, topics: [], data: '0x' }] },
    }
    expect((await proved())!.logs.map(({ address, logIndex }) => [address, logIndex])).toEqual([
      [p0, 0],
      [p1, 1],
    ])
    replace('eth_getBlockReceipts', (_, honest) => [system, ...(honest() as object[])])
    const { logs, others } = (await proved())!
    expect(logs.map(({ address, logIndex }) => [address, logIndex])).toEqual([
      [p0, 1],
      [p1, 2],
    ])
    expect(others).toEqual([p2])
  })

  const zero = toHex(0, 256)
  type Lie = (logs: readonly NodeLog[]) => readonly NodeLog[]
  it.each<readonly [string, Lie, object]>([
    ['halved', (logs) => logs.slice(0, 1), {}],
    ['without their tail', (logs) => logs.slice(0, -1), {}],
    ['halved, under a bloom of zero', (logs) => logs.slice(0, 1), { logsBloom: zero }],
    [
      'halved, under a bloom of ones',
      (logs) => logs.slice(0, 1),
      { logsBloom: toHex(2n ** 2_048n - 1n, 256) },
    ],
    ['absent, as the header is before its body', () => [], { logsBloom: zero, transactions: [] }],
    ['absent, under the root of none', () => [], { logsBloom: zero, receiptsRoot: EMPTY_ROOT }],
    ['reversed', (logs) => logs.toReversed(), {}],
    ['doubled', (logs) => logs.flatMap((log) => [log, log]), {}],
    ['another pool’s', ([one, two]) => [one!, { ...two!, address: p2 }], {}],
  ])('prove nothing where they are %s', async (_, lie, header) => {
    node.mine(trade(p0, [1n, 2n]), trade(p1, [3n, 4n]))
    replace('eth_getBlockByNumber', (_asked, honest) => ({ ...(honest() as object), ...header }))
    const [whole] = receiptsOf(node.head())
    const logs = lie(node.head().logs)
    const bloom = toHex(bloomOf(logs), 256)
    for (const logsBloom of [whole!.logsBloom, bloom]) {
      const lying = logs.length === 0 ? [] : [{ ...whole!, logsBloom, logs }]
      replace('eth_getBlockReceipts', () => lying)
      expect(await proved()).toBeUndefined()
    }
  })

  it('are not asked for 64 blocks after three without', async () => {
    noReceipts()
    for (let i = 0; i < 70; i++) await proved()
    // After the pause one more is enough to pause again.
    expect(asked('eth_getBlockReceipts')).toHaveLength(4)
    node.tamper = (_, honest) => honest()
    for (let i = 0; i < 70; i++) await proved()
    node.asked.length = 0
    for (let i = 0; i < 5; i++) await proved()
    expect(asked('eth_getBlockReceipts')).toHaveLength(5)
  })
})

describe('the logs of a round', () => {
  const round = async (from: number, before?: Parameters<typeof readRound>[1]['before']) =>
    readRound(client, {
      ...{ from: pointAt(from), before, followed },
      head: await readHeader(client, 'latest'),
    })
  const at = (logs: readonly { readonly address: Address; readonly blockNumber: bigint }[]) =>
    logs.map(({ address, blockNumber }) => [address, Number(blockNumber)])

  it('are proved block by block up to four blocks, and by a range beyond', async () => {
    for (let i = 2; i < 6; i++) node.mine(trade([p0, p1, p2][i % 3]!, [BigInt(i), 1n]))
    const four = await round(1)
    expect(at(four.logs)).toEqual([
      [p0, 3],
      [p1, 4],
    ])
    expect(four.unproved).toEqual([])
    expect(asked('eth_getBlockReceipts')).toHaveLength(4)
    expect(asked('eth_getLogs')).toEqual([])
    node.mine(trade(p1, [9n, 1n]))
    const five = await round(1)
    expect(five).toMatchObject({ doubts: [], changed: [], skipped: [], unproved: followed })
    expect(at(five.logs)).toEqual([...at(four.logs), [p1, 6]])
    expect(asked('eth_getLogs')).toHaveLength(1)
    expect(asked('eth_getBlockReceipts')).toHaveLength(4)
  })

  it('of one block are all that a limited client asks receipts for', async () => {
    client = createClient(node.url, { requestsPerMinute: 100_000 })
    node.mine(trade(p0, [2n, 1n]))
    await round(1)
    expect(asked('eth_getBlockReceipts')).toHaveLength(1)
    node.mine()
    await round(1)
    expect(asked('eth_getBlockReceipts')).toHaveLength(1)
  })

  it('do not follow another branch', async () => {
    node.mine(trade(p0, [2n, 1n]))
    const head = await readHeader(client, 'latest')
    const from = { number: 1n, hash: toHex(5, 32) }
    const other = { ...{ from, before: undefined, followed }, head }
    await expect(readRound(client, other)).rejects.toMatchObject({ code: 'NOT_CONTINUOUS' })
    node.mine(trade(p0, [3n, 1n]))
    for (const isProved of [true, false]) {
      if (!isProved) noReceipts()
      const later = { ...other, head: await readHeader(client, 'latest') }
      await expect(readRound(client, later)).rejects.toMatchObject({ code: 'NOT_CONTINUOUS' })
    }
  })

  it('are refused if one is of another block than the range', async () => {
    noReceipts()
    node.mine(trade(p0, [2n, 1n]))
    const foreign = (number: bigint) =>
      replace('eth_getLogs', (_, honest) =>
        (honest() as readonly NodeLog[]).map((log) =>
          BigInt(log.blockNumber) === number ? { ...log, blockHash: toHex(8, 32) } : log,
        ),
      )
    foreign(2n)
    await expect(round(1)).rejects.toMatchObject({ code: 'LOGS_MIXED' })
    node.tamper = (_, honest) => honest()
    noReceipts()
    foreign(1n)
    await expect(round(1)).rejects.toMatchObject({ code: 'LOGS_MIXED' })
  })

  it('that changed since they were read are told, with both readings', async () => {
    noReceipts()
    node.mine(trade(p0, [2n, 1n]), trade(p1, [2n, 1n]))
    node.mine(trade(p0, [3n, 1n]))
    const first = await round(1)
    const before = {
      fromBlock: 2n,
      logs: first.logs.filter(({ blockNumber }) => blockNumber >= 2n),
    }
    node.mine()
    node.mine()
    const again = await round(3, before)
    expect(again).toMatchObject({ changed: [], doubts: [] })
    const cut = { ...before, logs: before.logs.filter(({ address }) => address !== p1) }
    expect(at((await round(3, cut)).changed)).toEqual([
      [p0, 2],
      [p0, 2],
      [p1, 2],
    ])
  })

  it('are read again, three times in all, where the answer has none of the head’s', async () => {
    noReceipts()
    node.mine(trade(p0, [2n, 1n]))
    node.mine(trade(p1, [2n, 1n]))
    let lacking = 2
    replace('eth_getLogs', (_asked, honest) => {
      const logs = honest() as readonly NodeLog[]
      return lacking-- > 0 ? logs.filter(({ blockNumber }) => blockNumber !== '0x3') : logs
    })
    const whole = await round(1)
    expect([at(whole.logs), whole.doubts]).toEqual([
      [
        [p0, 2],
        [p1, 3],
      ],
      [],
    ])
    lacking = 3
    const { doubts } = await round(1)
    expect(doubts).toEqual([{ address: p1, at: 3n }])
    expect(asked('eth_getLogs')).toHaveLength(6)
  })

  it.each([
    ['the head lacks a log by its bloom', 3, (log: NodeLog) => log.address !== p1],
    ['a block between has a hole', 2, (log: NodeLog) => Number(log.logIndex) !== 0],
  ])('are in doubt where %s', async (_, block, isKept) => {
    noReceipts()
    node.mine(trade(p0, [2n, 1n]), trade(p1, [2n, 1n]))
    node.mine(trade(p0, [3n, 1n]), trade(p1, [3n, 1n]))
    replace('eth_getLogs', (_asked, honest) =>
      (honest() as readonly NodeLog[]).filter(
        (log) => BigInt(log.blockNumber) !== BigInt(block) || isKept(log),
      ),
    )
    const { doubts } = await round(1)
    expect(doubts).toEqual([
      { address: p0, at: BigInt(block) },
      { address: p1, at: BigInt(block) },
    ])
  })

  it('of followed contracts alone are read while the node refuses those of all', async () => {
    noReceipts()
    const isOfAll = ({ params }: Asked) =>
      (params[0] as { address?: unknown }).address === undefined
    let refusals = 0
    replace('eth_getLogs', (one, honest) => {
      if (!isOfAll(one)) return honest()
      refusals += 1
      throw new Refusal(-32008, 'Response is too big')
    })
    for (let i = 2; i < 12; i++) {
      node.mine(trade(p0, [BigInt(i), 1n]), trade(p2, [1n, 1n]))
      node.mine(trade(p1, [BigInt(i), 1n]))
      expect(at((await round(2 * i - 3)).logs)).toEqual([
        [p0, 2 * i - 2],
        [p1, 2 * i - 1],
      ])
    }
    expect(refusals).toBe(2)
  })
})

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
    client = createClient(node.url, { logRange: 20 })
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
      client = createClient(node.url)
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

  it('are an error where there is no Multicall3', async () => {
    replace('eth_call', () => '0x')
    await expect(read([reserves(p0)])).rejects.toMatchObject({ code: 'NO_MULTICALL' })
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
