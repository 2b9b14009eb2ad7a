/**
 * Limits the growth of the heap between two full collections. Such a collection takes about
 * 20 ms of the thread that answers, so they should be few. V8 by itself lets a heap that fills slowly
 * grow by some tens of percent, and then collects every few seconds under load.
 */
import { setFlagsFromString } from 'node:v8'

/** Growth since the last full collection at which the next one comes, in percent of what it left. */
const GROWTH_PERCENT = 200

/**
 * Makes full collections of this process rarer, at the cost of memory: up to three times what is in
 * use, within the limit of the process. For a process that only serves; a program that embeds the API
 * decides for itself.
 */
export function tuneHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}
