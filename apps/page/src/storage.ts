/**
 * Keeps texts in the browser. A frame of another site may have no storage: the page then works, and
 * forgets at the next visit.
 */
function createStore(open: () => Storage) {
  const attempt = <T>(use: (storage: Storage) => T): T | null => {
    try {
      return use(open())
    } catch {
      return null
    }
  }
  return {
    read: (name: string) => attempt((storage) => storage.getItem(name)),
    write: (name: string, value: string) => attempt((storage) => storage.setItem(name, value)),
    forget: (name: string) => attempt((storage) => storage.removeItem(name)),
  }
}

/** Kept until the visitor deletes it. */
export const kept = createStore(() => localStorage)

/** Kept until the tab is closed. */
export const keptInTab = createStore(() => sessionStorage)
