// Reads headers, receipts and the logs of a round from a node whose every answer the test may replace.
import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import { describe, expect, it } from 'vitest'
import {
  asked,
  client,
  connect,
  EMPTY_ROOT,
  eachOnNode,
  followed,
  node,
  noReceipts,
  p0,
  p1,
  p2,
  pointAt,
  replace,
} from '../testing/pairNode.js'
import { type Asked, type NodeLog, receiptsOf, trade } from '../testing/scriptedNode.js'
import { readProvedLogs } from './blockReceipts.js'
import { areOnChain, readHeader } from './headers.js'
import { bloomOf } from './logsBloom.js'
import { readRound } from './roundLogs.js'

eachOnNode()

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
    connect({ requestsPerMinute: 100_000 })
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
