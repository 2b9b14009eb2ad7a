import { useEffect, useState } from 'preact/hooks'
import type { PageConfig } from '../pageConfig.js'
import { type Draft, draftHash, readDraft } from './order.js'

/** The draft, kept in the page's address so that the visitor can share it. */
export function useDraft(config: PageConfig): readonly [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => readDraft(location.hash, config))
  useEffect(() => {
    const read = () => setDraft(readDraft(location.hash, config))
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [config])
  const change = (next: Draft) => {
    history.replaceState(null, '', `${location.search}${draftHash(next)}`)
    setDraft(next)
  }
  return [draft, change]
}
