/**
 * A node whose answers are recorded, and one that answers from such a record. What a command reads from
 * a node can so be sent as a file and read again without the node. A record has no URL, which may
 * contain a key.
 */
import { type Client, clientOver, type EndpointProfile } from '@braid-swap/chain'
import { RpcRequestError, BaseError as ViemError } from 'viem'
import { z } from 'zod'

const answer = z.union([
  z.object({ result: z.unknown() }),
  z.object({ error: z.object({ code: z.number(), message: z.string(), data: z.unknown() }) }),
])
/** Requests and answers, in the order of the requests. */
export const exchangesSchema = z.array(z.tuple([z.string(), z.unknown(), answer]))
export type Exchange = readonly [
  method: string,
  params: unknown,
  answer: z.infer<typeof exchangesSchema>[number][2],
]

/** "Request too large", as jsonrpsee counts it: what a failure without a JSON-RPC error is read as. */
const REFUSED = -32_008

/** A client that asks through another one, whose node has this profile, and adds each exchange to the list. */
export function recordNode(
  client: Client,
  exchanges: Exchange[],
  profile: EndpointProfile | undefined,
): Client {
  return clientOver(async ({ method, params }) => {
    try {
      const result: unknown = await client.request({ method, params } as never)
      exchanges.push([method, params ?? null, { result: result ?? null }])
      return result
    } catch (error) {
      exchanges.push([method, params ?? null, { error: errorOf(error) }])
      throw error
    }
  }, profile)
}

/**
 * A client that answers from a record: equal requests in their recorded order, the last answer again
 * once they are used up. A request that is not in the record is refused.
 */
export function replayNode(
  exchanges: readonly Exchange[],
  profile: EndpointProfile | undefined,
): Client {
  const answers = new Map<string, Exchange[2][]>()
  for (const [method, params, one] of exchanges) {
    const key = JSON.stringify([method, params])
    answers.set(key, [...(answers.get(key) ?? []), one])
  }
  return clientOver(async ({ method, params }) => {
    const left = answers.get(JSON.stringify([method, params ?? null])) ?? []
    const next = left.length > 1 ? left.shift()! : left[0]
    if (next && 'result' in next) return next.result
    const error = next?.error ?? { code: REFUSED, message: 'not in the record' }
    throw new RpcRequestError({ body: { method, params }, error: error as never, url: 'record' })
  }, profile)
}

function errorOf(error: unknown): { code: number; message: string; data: unknown } {
  const found =
    error instanceof ViemError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  if (!(found instanceof RpcRequestError)) {
    return { code: REFUSED, message: 'the request failed', data: null }
  }
  return { code: found.code, message: found.details, data: found.data ?? null }
}
