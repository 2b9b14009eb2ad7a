/**
 * What the page keeps in the browser. A frame of another site may have no storage, and then forgets
 * at the next visit, but works.
 */
function over(open: () => Storage) {
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
export const kept = over(() => localStorage)

/** Kept until the tab is closed. */
export const keptInTab = over(() => sessionStorage)
