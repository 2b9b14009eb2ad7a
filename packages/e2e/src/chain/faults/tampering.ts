import type { Random } from '@braid-swap/devnet'

/** One JSON-RPC request of an HTTP body. */
export type RpcRequest = {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

/** The answer to a request. */
export type RpcAnswer = {
  readonly jsonrpc?: '2.0'
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Sends a request to the node behind the proxy, without faults. */
export type AskNode = (requests: readonly RpcRequest[]) => Promise<readonly RpcAnswer[]>

type LogFilter = {
  readonly blockHash?: string
  readonly fromBlock?: string
  readonly toBlock?: string
}

const hex = (value: bigint) => `0x${value.toString(16)}`
const refusal = ({ id }: RpcRequest, code: number, message: string): RpcAnswer => ({
  ...{ jsonrpc: '2.0', id, error: { code, message } },
})

/** A public node's error for a request that it does not allow; `undefined` if it allows it. */
export function refuse(
  request: RpcRequest,
  limits: { readonly logRange: number; readonly isLatestOnly: boolean },
): RpcAnswer | undefined {
  const [first, second] = request.params ?? []
  if (request.method === 'eth_getLogs') {
    const { fromBlock, toBlock } = first as LogFilter
    if (fromBlock === undefined || toBlock === undefined) return undefined
    const blocks = Number(BigInt(toBlock) - BigInt(fromBlock)) + 1
    if (blocks <= limits.logRange) return undefined
    return refusal(request, -32602, `query exceeds max block range ${limits.logRange}`)
  }
  if (limits.isLatestOnly && request.method === 'eth_call' && second !== 'latest') {
    return refusal(request, -32000, 'state is kept for the latest block only')
  }
  return undefined
}

/** The answers of a replica that is some blocks behind the node. */
export async function answerBehind(
  ask: AskNode,
  requests: readonly RpcRequest[],
  behind: bigint,
): Promise<readonly RpcAnswer[]> {
  const [latest] = await ask([{ id: 0, method: 'eth_blockNumber' }])
  const head = BigInt(latest!.result as string) - behind
  if (head < 0n) return ask(requests)
  return Promise.all(
    requests.map(async (request) => {
      const [first, second] = request.params ?? []
      const alone = async (params: readonly unknown[]) => {
        const [answer] = await ask([{ ...request, params }])
        return answer!
      }
      switch (request.method) {
        case 'eth_blockNumber':
          return { jsonrpc: '2.0', id: request.id, result: hex(head) } as const
        case 'eth_getBlockByNumber':
          if (first === 'latest') return alone([hex(head), second])
          if (BigInt(first as string) > head) return { id: request.id, result: null }
          break
        case 'eth_call':
          if (second === 'latest') return alone([first, hex(head)])
          if (await isAfter(ask, second, head)) return refusal(request, -32000, 'header not found')
          break
        case 'eth_getLogs':
          return logsUpTo(ask, request, head)
      }
      return alone(request.params ?? [])
    }),
  )
}

async function isAfter(ask: AskNode, at: unknown, head: bigint): Promise<boolean> {
  if (typeof at === 'string') return BigInt(at) > head
  const { blockHash } = at as { blockHash: string }
  const [block] = await ask([{ id: 0, method: 'eth_getBlockByHash', params: [blockHash, false] }])
  const { number } = (block!.result ?? { number: '0x0' }) as { number: string }
  return BigInt(number) > head
}

/** The replica answers a range past its head silently, and refuses a newer hash. */
async function logsUpTo(ask: AskNode, request: RpcRequest, head: bigint): Promise<RpcAnswer> {
  const [filter] = request.params as [LogFilter]
  if (filter.blockHash !== undefined) {
    if (await isAfter(ask, filter, head)) return refusal(request, -32000, 'unknown block')
  } else if (BigInt(filter.fromBlock!) > head) {
    return { id: request.id, result: [] }
  } else if (BigInt(filter.toBlock!) > head) {
    const [answer] = await ask([{ ...request, params: [{ ...filter, toBlock: hex(head) }] }])
    return answer!
  }
  const [answer] = await ask([request])
  return answer!
}

/** The same requests, but one of them asks for the previous block. */
export async function atWrongBlock(
  ask: AskNode,
  requests: readonly RpcRequest[],
  random: Random,
): Promise<readonly RpcRequest[] | undefined> {
  const moved = await Promise.all(requests.map((request) => moveBack(ask, request)))
  const candidates = moved.flatMap((request, i) => (request ? [i] : []))
  if (candidates.length === 0) return undefined
  const chosen = random.pick(candidates)
  return requests.map((request, i) => (i === chosen ? moved[i]! : request))
}

async function moveBack(ask: AskNode, request: RpcRequest): Promise<RpcRequest | undefined> {
  const [first, second] = request.params ?? []
  const before = (at: unknown) => hex(BigInt(at as string) - 1n)
  switch (request.method) {
    case 'eth_getBlockByNumber':
      if (first === 'latest' || first === '0x0') return undefined
      return { ...request, params: [before(first), second] }
    case 'eth_call': {
      if (typeof second === 'object') {
        const parent = await parentOf(ask, (second as { blockHash: string }).blockHash)
        return parent ? { ...request, params: [first, { blockHash: parent }] } : undefined
      }
      return second === 'latest' ? undefined : { ...request, params: [first, before(second)] }
    }
    case 'eth_getLogs': {
      const { blockHash, ...filter } = first as LogFilter
      if (blockHash === undefined) return undefined
      const parent = await parentOf(ask, blockHash)
      return parent ? { ...request, params: [{ ...filter, blockHash: parent }] } : undefined
    }
    default:
      return undefined
  }
}

async function parentOf(ask: AskNode, hash: string): Promise<string | undefined> {
  const [block] = await ask([{ id: 0, method: 'eth_getBlockByHash', params: [hash, false] }])
  return (block!.result as { parentHash: string } | null)?.parentHash
}
