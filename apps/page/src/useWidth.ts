import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Observes the width of an element, in pixels; 0 before its first layout. */
export function useWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const seen = element.current
    if (!seen) return
    setWidth(seen.clientWidth)
    const observer = new ResizeObserver(() => setWidth(seen.clientWidth))
    observer.observe(seen)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
