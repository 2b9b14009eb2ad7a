import { useEffect, useState } from 'preact/hooks'

/**
 * What `read` gives for a key, read again every `everyMs` while the page is visible. Undefined until it is
 * known, without a key, and for another key than it was read for; an error changes nothing.
 */
export function useRead<T>(
  key: string | undefined,
  read: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
): T | undefined {
  const [known, setKnown] = useState<{ readonly of: string; readonly value: T }>()
  // The key stands for what `read` reads, because effects compare objects by identity.
  useEffect(() => {
    if (key === undefined) return
    const stop = new AbortController()
    const ask = () => {
      if (document.hidden && everyMs !== undefined) return
      read(stop.signal).then(
        (value) => !stop.signal.aborted && setKnown({ of: key, value }),
        () => {},
      )
    }
    ask()
    const timer = everyMs === undefined ? undefined : setInterval(ask, everyMs)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [key])
  return known?.of === key ? known?.value : undefined
}
