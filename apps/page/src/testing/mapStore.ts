import type { Store } from '../storage.js'

/** A store in memory; `room` is the number of texts that it takes. */
export function mapStore(room = Number.POSITIVE_INFINITY): Store {
  const texts = new Map<string, string>()
  return {
    read: (name) => texts.get(name) ?? null,
    write: (name, value) => {
      if (!texts.has(name) && texts.size >= room) return false
      texts.set(name, value)
      return true
    },
    forget: (name) => texts.delete(name),
    names: () => [...texts.keys()],
  }
}
