// The logs of a node with quirks: system logs that are in no bloom, and logs that are not there yet,
// not there at all, or another block's.

import { Refusal } from '../wire/rpcServer.js'
import { blockAt, hex, type RpcLog } from '../wire/upstream.js'
import { type Backend, checkKept, heightOf, heightOfHash } from './backend.js'

type Filter = {
  readonly address?: string | readonly string[]
  readonly topics?: readonly (string | readonly string[] | null)[]
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly blockHash?: string
}

/** Answers `eth_getLogs`; throws a {@link Refusal}. */
export async function logsAnswer(
  backend: Backend,
  [given]: readonly unknown[],
): Promise<readonly RpcLog[]> {
  const { quirks, ask } = backend
  const filter = given as Filter
  const { from, to } = await rangeOf(backend, filter)
  if (to < from) return []
  const { blockHash: _, ...rest } = filter
  const asked = { ...rest, fromBlock: hex(from), toBlock: hex(to) }
  const logs = (await ask('eth_getLogs', [asked])) as readonly RpcLog[]
  const seen = await changedLogs(backend, logs, { from, to, filter: rest })
  if (seen.length > quirks.logResults) {
    throw new Refusal(-32602, `query exceeds max results ${quirks.logResults}`)
  }
  return seen
}

type Range = { readonly from: number; readonly to: number }

async function rangeOf(backend: Backend, filter: Filter): Promise<Range> {
  const { logRange, nullBlock } = backend.quirks
  if (filter.blockHash !== undefined) {
    const number = await heightOfHash(backend, filter.blockHash)
    return { from: number, to: number }
  }
  const head = await backend.head()
  const [from, to] = [heightOf(filter.fromBlock, head), heightOf(filter.toBlock, head)]
  if (to - from > logRange) {
    throw new Refusal(-32602, `query exceeds max block range ${logRange}`)
  }
  if (to < from) throw new Refusal(-32602, 'invalid block range params')
  checkKept(backend, from, head)
  if (nullBlock !== undefined && from <= nullBlock && nullBlock <= to) {
    throw new Refusal(-32602, 'invalid block range')
  }
  return { from, to: Math.min(to, head) }
}

/** The logs with what the quirks add, take away or exchange, block by block. */
async function changedLogs(
  backend: Backend,
  logs: readonly RpcLog[],
  { from, to, filter }: Range & { readonly filter: Filter },
): Promise<readonly RpcLog[]> {
  const changed = new Map<number, readonly RpcLog[]>()
  for (let number = from; number <= to; number++) {
    const own = () => logs.filter(({ blockNumber }) => Number(blockNumber) === number)
    if (isEvery(number, backend.quirks.siblingLogsEvery)) {
      changed.set(number, await siblingLogs(backend, number, filter))
    } else if (isHalved(backend, number)) {
      const last = await middleOf(backend, number)
      changed.set(
        number,
        own().filter(({ logIndex }) => Number(logIndex) < last),
      )
    } else if (isEvery(number, backend.quirks.systemLogsEvery)) {
      const system = await systemLogs(backend, number)
      const moved = own().map((log) => ({ ...log, logIndex: hex(Number(log.logIndex) + 2) }))
      changed.set(number, [...system.filter((log) => matches(log, filter)), ...moved])
    }
  }
  if (changed.size === 0) return logs
  const kept = logs.filter(({ blockNumber }) => !changed.has(Number(blockNumber)))
  return [...kept, ...[...changed.values()].flat()].sort(
    (a, b) =>
      Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex),
  )
}

function isEvery(number: number, every: number): boolean {
  return every > 0 && number % every === 0
}

function isHalved({ quirks, ageMsOf }: Backend, number: number): boolean {
  return isEvery(number, quirks.shortBlockEvery) || ageMsOf(number) < quirks.lateLogsMs
}

/** The first index of the second half of a block's logs. */
async function middleOf({ ask }: Backend, number: number): Promise<number> {
  const whole = { fromBlock: hex(number), toBlock: hex(number) }
  const logs = (await ask('eth_getLogs', [whole])) as readonly RpcLog[]
  return Math.ceil(logs.length / 2)
}

async function siblingLogs(
  { ask }: Backend,
  number: number,
  filter: Filter,
): Promise<readonly RpcLog[]> {
  const before = { ...filter, fromBlock: hex(number - 1), toBlock: hex(number - 1) }
  const [block, logs] = await Promise.all([
    blockAt(ask, number),
    ask('eth_getLogs', [before]) as Promise<readonly RpcLog[]>,
  ])
  if (!block) return []
  return logs.map((log) => ({ ...log, blockNumber: block.number, blockHash: block.hash }))
}

const USDC = '0xb88339cb7199b77e23db6e890353e22632ba630f'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Two transfers out of HyperCore in a transaction of the system, the first of the block. */
async function systemLogs({ ask }: Backend, number: number): Promise<readonly RpcLog[]> {
  const block = await blockAt(ask, number)
  if (!block) return []
  const sender = `0x${'2'.padStart(26, '0').padEnd(64, '0')}`
  const receiver = `0x${'1'.repeat(40).padStart(64, '0')}`
  return [0, 1].map((index) => ({
    address: USDC,
    topics: [TRANSFER, sender, receiver],
    data: `0x${'f4240'.padStart(64, '0')}`,
    ...{ blockNumber: block.number, blockHash: block.hash, transactionIndex: '0x0' },
    transactionHash: `0x${number.toString(16).padStart(64, '5')}`,
    ...{ logIndex: hex(index), removed: false },
  }))
}

function matches(log: RpcLog, { address, topics }: Filter): boolean {
  const addresses = [address ?? []].flat().map((one) => one.toLowerCase())
  const firstTopics = [topics?.[0] ?? []].flat()
  return (
    (addresses.length === 0 || addresses.includes(log.address)) &&
    (firstTopics.length === 0 || firstTopics.includes(log.topics[0]!))
  )
}
