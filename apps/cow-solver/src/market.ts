/**
 * The market of a Braid API, read as a snapshot: one request per block at most, and none older than the
 * limit is ever solved with.
 */
import { buildGraph, type Graph, parseSnapshot } from '@braid-swap/core'

/** The API that snapshots come from. */
export type MarketOptions = {
  /** Base URL of the API. */
  readonly url: string
  readonly apiKey: string
  readonly maxStateAgeMs: number
}

/** HyperEVM has a block a second. */
const KEEP_MS = 1_000

/** Gives the newest market of the API. Rejects if the API has none that is fresh enough. */
export function openMarket({ url, apiKey, maxStateAgeMs }: MarketOptions): () => Promise<Graph> {
  const asked = `${url.replace(/\/+$/, '')}/swap/v1/999/snapshot?maxStateAgeMs=${maxStateAgeMs}`
  let held: { readonly graph: Promise<Graph>; readonly atMs: number } | undefined
  const read = async () => {
    const response = await fetch(asked, { headers: { apikey: apiKey } })
    const text = await response.text()
    if (!response.ok) throw new Error(`the API answered ${response.status} to a snapshot`)
    return buildGraph(parseSnapshot(text))
  }
  return () => {
    const nowMs = performance.now()
    if (held && nowMs - held.atMs < KEEP_MS) return held.graph
    const graph = read()
    held = { graph, atMs: nowMs }
    graph.catch(() => {
      held = undefined
    })
    return graph
  }
}
