/** Texts by name. */
export type Store = {
  readonly read: (name: string) => string | null
  /** False if there is no room. */
  readonly write: (name: string, value: string) => boolean
  readonly forget: (name: string) => unknown
  readonly names: () => readonly string[]
}

/**
 * Keeps texts in the browser. A frame of another site may have no storage: the page then works, and
 * forgets at the next visit.
 */
function createStore(open: () => Storage): Store {
  const attempt = <T>(use: (storage: Storage) => T): T | null => {
    try {
      return use(open())
    } catch {
      return null
    }
  }
  return {
    read: (name) => attempt((storage) => storage.getItem(name)),
    write: (name, value) => attempt((storage) => storage.setItem(name, value)) !== null,
    forget: (name) => attempt((storage) => storage.removeItem(name)),
    names: () => attempt((storage) => Object.keys(storage)) ?? [],
  }
}

/** Kept until the visitor deletes it. */
export const kept = createStore(() => localStorage)

/** Kept until the tab is closed. */
export const keptInTab = createStore(() => sessionStorage)
