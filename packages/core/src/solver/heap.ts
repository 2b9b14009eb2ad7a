/** An edge under a key. */
export type HeapEntry = { readonly key: number; readonly edge: number }

/** A binary heap in an array, the greatest key first, the lower edge among equals. */
export type MaxHeap = HeapEntry[]

/** Adds an entry. */
export function pushHeap(heap: MaxHeap, entry: HeapEntry): void {
  let i = heap.push(entry) - 1
  while (i > 0) {
    const up = (i - 1) >> 1
    if (!isBefore(heap[i]!, heap[up]!)) return
    swap(heap, i, up)
    i = up
  }
}

/** Takes the greatest entry off; `undefined` from an empty heap. */
export function popHeap(heap: MaxHeap): HeapEntry | undefined {
  const top = heap[0]
  const last = heap.pop()
  if (!top || !last || heap.length === 0) return top
  heap[0] = last
  for (let i = 0; ; ) {
    let best = i
    for (const child of [2 * i + 1, 2 * i + 2]) {
      if (child < heap.length && isBefore(heap[child]!, heap[best]!)) best = child
    }
    if (best === i) return top
    swap(heap, i, best)
    i = best
  }
}

function swap(heap: MaxHeap, i: number, j: number): void {
  const entry = heap[i]!
  heap[i] = heap[j]!
  heap[j] = entry
}

function isBefore(a: HeapEntry, b: HeapEntry): boolean {
  return a.key > b.key || (a.key === b.key && a.edge < b.edge)
}
