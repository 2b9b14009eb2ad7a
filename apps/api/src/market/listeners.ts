/** Who wants to know of new states of a market. */
export type Listeners = {
  /** Adds a listener; the returned function removes it. */
  readonly add: (listener: () => void) => () => void
  readonly notify: () => void
}

/** An empty list of listeners, which are called in the order in which they were added. */
export function createListeners(): Listeners {
  const all = new Set<() => void>()
  return {
    add: (listener) => {
      all.add(listener)
      return () => void all.delete(listener)
    },
    notify: () => {
      for (const listener of all) listener()
    },
  }
}
