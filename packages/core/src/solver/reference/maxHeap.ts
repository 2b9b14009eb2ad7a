/** Binary max-heap in typed arrays, for the price tree: it allocates nothing per entry. */

/** A binary heap of edges by key: the greatest key first, then the lower edge number. */
export type MaxHeap = { size: number; readonly keys: Float64Array; readonly edges: Int32Array }

/** An empty heap with room for `room` entries. */
export function makeHeap(room: number): MaxHeap {
  return { size: 0, keys: new Float64Array(room), edges: new Int32Array(room) }
}

/** Adds an edge under a key. */
export function pushHeap(heap: MaxHeap, key: number, edge: number): void {
  const { keys, edges } = heap
  let i = heap.size++
  for (; i > 0; ) {
    const up = (i - 1) >> 1
    if (!isBefore(key, edge, keys[up]!, edges[up]!)) break
    keys[i] = keys[up]!
    edges[i] = edges[up]!
    i = up
  }
  keys[i] = key
  edges[i] = edge
}

/** Removes the first entry and leaves its key and edge at index `heap.size`. False if empty. */
export function popHeap(heap: MaxHeap): boolean {
  if (heap.size === 0) return false
  const { keys, edges } = heap
  const size = --heap.size
  const key = keys[size]!
  const edge = edges[size]!
  keys[size] = keys[0]!
  edges[size] = edges[0]!
  let i = 0
  for (let child = 1; child < size; child = 2 * i + 1) {
    const other = child + 1
    if (other < size && isBefore(keys[other]!, edges[other]!, keys[child]!, edges[child]!)) child++
    if (!isBefore(keys[child]!, edges[child]!, key, edge)) break
    keys[i] = keys[child]!
    edges[i] = edges[child]!
    i = child
  }
  if (size > 0) {
    keys[i] = key
    edges[i] = edge
  }
  return true
}

function isBefore(key: number, edge: number, otherKey: number, otherEdge: number): boolean {
  return key > otherKey || (key === otherKey && edge < otherEdge)
}
