/**
 * Graphs and answers as messages to another thread. A graph goes as what differs from the graph that was sent before;
 * the pools of an answer go as ids, because both sides have them and a pool may have thousands of ticks.
 */
import { buildGraph, type Graph, type Pool, type Snapshot } from '@braid-swap/core'
import { poolById } from '@braid-swap/core/advanced'

/** A graph as the difference from the last one sent. */
export type GraphMessage = Omit<Snapshot, 'pools' | 'tokens'> & {
  /** Absent if they are those of the graph before. */
  readonly tokens?: Snapshot['tokens']
  /** Pools, or the places that unchanged ones have in the snapshot before. */
  readonly pools: readonly (Pool | number)[]
}

/** States that a thread keeps: most requests ask for the newest, and some for one that was quoted from. */
const KEPT = 4

/** Writes graphs for one thread, and remembers which of them it has. */
export function createGraphWriter() {
  const known = new Map<Graph, number>()
  let last: Graph | undefined
  let count = 0
  return (graph: Graph): { readonly number: number; readonly message?: GraphMessage } => {
    const number = known.get(graph)
    if (number !== undefined) return { number }
    const { pools, tokens, ...head } = graph.snapshot
    const places = new Map(last?.snapshot.pools.map((pool, place) => [pool, place]))
    const message = {
      ...head,
      ...(tokens !== last?.snapshot.tokens && { tokens }),
      pools: pools.map((pool) => places.get(pool) ?? pool),
    }
    last = graph
    count += 1
    keep(known, graph, count)
    return { number: count, message }
  }
}

/** Reads what {@link createGraphWriter} wrote, in its order. */
export function createGraphReader() {
  const known = new Map<number, Graph>()
  let last: Graph | undefined
  return (number: number, message: GraphMessage | undefined): Graph => {
    if (message) {
      const { pools, tokens = last!.snapshot.tokens, ...head } = message
      const before = last?.snapshot.pools
      const snapshot: Snapshot = {
        ...{ ...head, tokens },
        pools: pools.map((pool) => (typeof pool === 'number' ? before![pool]! : pool)),
      }
      last = buildGraph(snapshot, last)
      keep(known, number, last)
    }
    return known.get(number)!
  }
}

/** Adds to a map, which forgets its oldest entry above {@link KEPT}: both sides forget the same. */
function keep<K, V>(known: Map<K, V>, key: K, value: V): void {
  known.set(key, value)
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) return
    known.delete(oldest)
  }
}

type PoolId = { readonly poolId: Pool['id'] }

/** A copy of an answer with the pools of a graph as their ids. */
export function packPools(answer: unknown, graph: Graph): unknown {
  return mapObjects(answer, (value) => {
    // A pool is known by being the graph's own object; what only has the id of one is not.
    const { id } = value as Partial<Pool>
    return id !== undefined && poolById(graph, id) === value ? { poolId: id } : undefined
  })
}

/** The answer with the pools of this side's graph. */
export function unpackPools(packed: unknown, graph: Graph): unknown {
  return mapObjects(packed, (value) =>
    'poolId' in value ? poolById(graph, (value as PoolId).poolId) : undefined,
  )
}

/** A copy of plain objects and arrays, in which some objects are replaced. */
function mapObjects(value: unknown, replace: (value: object) => object | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => mapObjects(one, replace))
  const replaced = replace(value)
  if (replaced) return replaced
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value).map(([name, one]) => [name, mapObjects(one, replace)])
  return Object.fromEntries(entries)
}
