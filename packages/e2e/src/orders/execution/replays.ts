// A quote replayed from its two files: the market that the API saves under the quote's `snapshotId`, and
// the request. Another API reads the market from its text and is asked the same; all it says must be the
// same bytes, ids, bound and route included.

import { frozenSnapshot, RECEIVED_AT_MS, startTestApi } from '@braid-swap/api/testing'
import { type ChainRecord, hyperEvm } from '@braid-swap/chain'
import { buildGraph, parseSnapshot } from '@braid-swap/core'
import { isFullRun } from '../../draws.js'
import { type Answered, type Ask, createAsk, paths } from './ask.js'

/** Replays quotes, and counts them and the families of their routes. */
export type Replays = {
  /**
   * Adds a fault if the market saved for a quote does not give the same answer to the same request. In a
   * part of the full run, only quotes that cross a family for the first time are replayed.
   */
  readonly check: (params: Parameters<Ask>[1], quoted: Answered, faults: string[]) => Promise<void>
  /** Counts the hops of each family in the replayed quotes. */
  readonly hops: ReadonlyMap<string, number>
  readonly count: () => number
  readonly stop: () => Promise<void>
}

type Body = {
  readonly graph: readonly { readonly poolType: string }[]
  readonly meta: { readonly snapshotId: string }
}

/** Starts the other API. It asks the node for the names of tokens, and for nothing else. */
export async function startReplays(options: {
  readonly rpcUrl: string
  readonly record: ChainRecord
  readonly maxStateAgeMs: number
  /** The text of the market with this id, as the first API saves it. */
  readonly save: (snapshotId: string) => Promise<string>
}): Promise<Replays> {
  const { rpcUrl, record: chain, maxStateAgeMs, save } = options
  const { id: chainId, usdTokens, wrapped } = chain
  const graph = buildGraph({ ...frozenSnapshot, chainId })
  const api = await startTestApi({
    graph,
    rpcUrl,
    config: {
      ...{ chain, chainId, usdTokens, wrappedNative: wrapped.address },
      ...{ maxStateAgeMs, intermediates: 'all' },
      // The shipped list has the tokens of the shipped chain alone.
      ...(chainId !== hyperEvm.id && { tokenList: new Map() }),
    },
  })
  const ask = createAsk(api.url, api.key, chainId)
  const hops = new Map<string, number>()
  let count = 0
  const check: Replays['check'] = async (params, quoted, faults) => {
    const { graph, meta } = quoted.body as Body
    const crossed = graph.map(({ poolType }) => poolType)
    if (!isFullRun && crossed.every((family) => hops.has(family))) return
    const saved = buildGraph(parseSnapshot(await save(meta.snapshotId)))
    api.setState({ graph: saved, receivedAtMs: RECEIVED_AT_MS })
    const fault = differenceOf(stateText(quoted), stateText(await ask(paths.quote, params)))
    if (fault !== undefined) faults.push(`replayed otherwise: ${fault}`)
    for (const family of crossed) hops.set(family, (hops.get(family) ?? 0) + 1)
    count++
  }
  return { check, hops, count: () => count, stop: api.stop }
}

/** Fields of `meta` that say when an answer was made, and not what the market and the request are. */
const OF_THE_MOMENT = [
  // This is how long this solver took.
  'solveMs',
  // This is how long ago the state arrived here.
  'stateAgeMs',
  // This is how far the route moved in the states before, which a snapshot does not have.
  'suggestedSlippage',
  'suggestedSlippageBps',
]

/**
 * The text of an answer without its parts that no replay can have: {@link OF_THE_MOMENT}, and the warnings
 * that no order book answered and that pools come and go, since neither prices of a book nor
 * earlier states are in a snapshot. All the rest is compared as it was sent, so an answer that is not the
 * text of its own JSON is a fault.
 */
function stateText({ text }: Answered): string {
  const answer = JSON.parse(text)
  if (JSON.stringify(answer) !== text) throw new Error(`not plain JSON: ${text.slice(0, 120)}`)
  for (const field of OF_THE_MOMENT) delete answer.meta?.[field]
  const { warnings } = answer.meta ?? {}
  if (warnings) {
    answer.meta.warnings = warnings.filter(
      ({ code }: { code: string }) => !['PRICES_NOT_COMPARED', 'POOLS_UNSTEADY'].includes(code),
    )
  }
  return JSON.stringify(answer)
}

/** The first difference of two texts; undefined if there is none. */
function differenceOf(first: string, second: string): string | undefined {
  if (first === second) return undefined
  let at = 0
  while (first[at] === second[at]) at++
  const near = (text: string) => text.slice(Math.max(0, at - 60), at + 60)
  return `${near(second)}, quoted as ${near(first)}`
}
