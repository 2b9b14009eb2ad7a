/** Binary max-heap in typed arrays, for the price tree: it allocates nothing per entry. */

/** A binary heap of entries by key: the greatest key first, then the lower entry. */
export type MaxHeap = { size: number; readonly keys: Float64Array; readonly entries: Float64Array }

/** An empty heap with room for `room` entries. */
export function makeHeap(room: number): MaxHeap {
  return { size: 0, keys: new Float64Array(room), entries: new Float64Array(room) }
}

/** Adds an entry, which is an integer, under a key. */
export function pushHeap(heap: MaxHeap, key: number, entry: number): void {
  const { keys, entries } = heap
  let i = heap.size++
  for (; i > 0; ) {
    const up = (i - 1) >> 1
    if (!isBefore(key, entry, keys[up]!, entries[up]!)) break
    keys[i] = keys[up]!
    entries[i] = entries[up]!
    i = up
  }
  keys[i] = key
  entries[i] = entry
}

/** Removes the first entry and leaves its key and number at index `heap.size`. False if empty. */
export function popHeap(heap: MaxHeap): boolean {
  if (heap.size === 0) return false
  const { keys, entries } = heap
  const size = --heap.size
  const key = keys[size]!
  const entry = entries[size]!
  keys[size] = keys[0]!
  entries[size] = entries[0]!
  let i = 0
  for (let child = 1; child < size; child = 2 * i + 1) {
    const other = child + 1
    if (other < size && isBefore(keys[other]!, entries[other]!, keys[child]!, entries[child]!))
      child++
    if (!isBefore(keys[child]!, entries[child]!, key, entry)) break
    keys[i] = keys[child]!
    entries[i] = entries[child]!
    i = child
  }
  if (size > 0) {
    keys[i] = key
    entries[i] = entry
  }
  return true
}

function isBefore(key: number, entry: number, otherKey: number, otherEntry: number): boolean {
  return key > otherKey || (key === otherKey && entry < otherEntry)
}
