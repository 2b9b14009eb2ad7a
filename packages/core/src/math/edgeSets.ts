/**
 * Sets of edges of a directed graph, by number. Input: where each edge begins and ends, and some edges. Output: the
 * edges without dead ends, cycles and long paths, and an order of the tokens. What a route may look like is said here.
 */

/** The tokens that each edge begins and ends at, and as many `tokens` as there are. */
type Ends = {
  readonly from: Int32Array
  readonly to: Int32Array
  readonly tokens: ArrayLike<number>
}

/** Those of some edges that begin or end at token k: `ends` is `from` or `to`. */
export function edgesAt(ends: Int32Array, edges: ArrayLike<number>, k: number): number[] {
  const some: number[] = []
  for (let s = 0; s < edges.length; s++) if (ends[edges[s]!] === k) some.push(edges[s]!)
  return some
}

/** By token, those of some edges that begin or end at it: `ends` is `from` or `to`. */
export function edgesByToken(ends: Int32Array, edges: ArrayLike<number>, tokens: number) {
  const lists = Array.from({ length: tokens }, (): number[] => [])
  for (let s = 0; s < edges.length; s++) lists[ends[edges[s]!]!]!.push(edges[s]!)
  return lists
}

/** Edges and those of others that are not among them. */
export function union(edges: Int32Array, others: ArrayLike<number>): Int32Array {
  const further = Array.from(others).filter((i) => !edges.includes(i))
  return Int32Array.from([...edges, ...further])
}

/** Drops dead ends, repeatedly: edges at a token with no edge in or no edge out. */
export function removeDeadEnds(
  { tokens, from, to, source, sink }: Ends & { readonly source: number; readonly sink: number },
  edges: Int32Array,
): Int32Array {
  // Plain arrays: for short lives they cost the collector less.
  const out: number[] = new Array(tokens.length).fill(0)
  const into = out.slice()
  for (let s = 0; s < edges.length; s++) {
    out[from[edges[s]!]!]!++
    into[to[edges[s]!]!]!++
  }
  out[sink] = into[source] = Number.POSITIVE_INFINITY
  const left = edges.slice()
  for (let size = left.length; ; ) {
    let kept = 0
    for (let s = 0; s < size; s++) {
      const [a, k] = [from[left[s]!]!, to[left[s]!]!]
      if (into[a]! > 0 && out[k]! > 0 && k !== source && a !== sink) left[kept++] = left[s]!
      else {
        out[a]!--
        into[k]!--
      }
    }
    if (kept === size) return left.slice(0, size)
    size = kept
  }
}

/** A path of more than `maxHops` edges, or a walk around a cycle, which is as long as one likes; `undefined` if none. */
export function findLongWalk(
  ends: Ends,
  edges: Int32Array,
  maxHops: number,
): readonly number[] | undefined {
  if (edges.length <= maxHops && topologicalOrder(ends, edges)) return undefined
  const { from, to } = ends
  const most = Math.min(maxHops, edges.length)
  // By token, a walk of as many edges that ends there.
  let walks = new Map<number, readonly number[]>(Array.from(edges, (i) => [from[i]!, []]))
  for (let hops = 0; hops <= most && walks.size > 0; hops++) {
    const longer: typeof walks = new Map()
    for (const i of edges) {
      const walk = walks.get(from[i]!)
      if (walk) longer.set(to[i]!, [...walk, i])
    }
    walks = longer
  }
  return walks.values().next().value
}

/** The tokens that the edges pass, from sources to sinks (Kahn); `undefined` if the edges form a cycle. */
export function topologicalOrder(
  { from, to, tokens }: Ends,
  edges: Int32Array,
): readonly number[] | undefined {
  const inDegree: number[] = new Array(tokens.length).fill(-1)
  const passed: number[] = []
  for (const i of edges) {
    for (const k of [to[i]!, from[i]!]) {
      if (inDegree[k] !== -1) continue
      inDegree[k] = 0
      passed.push(k)
    }
    inDegree[to[i]!]!++
  }
  // The token found last comes first, so that paths stay together.
  const ready = passed.filter((k) => inDegree[k] === 0)
  const order: number[] = []
  for (let k = ready.pop(); k !== undefined; k = ready.pop()) {
    order.push(k)
    for (const i of edges) if (from[i] === k && --inDegree[to[i]!]! === 0) ready.push(to[i]!)
  }
  return order.length === passed.length ? order : undefined
}
