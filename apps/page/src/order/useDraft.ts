import { useEffect, useState } from 'preact/hooks'
import type { Setting } from '../pageConfig.js'
import { type Draft, draftHash, readDraft } from './order.js'

/** The draft, kept in the page's address so that the visitor can share it. */
export function useDraft(setting: Setting): readonly [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => readDraft(location.hash, setting))
  useEffect(() => {
    const read = () => setDraft(readDraft(location.hash, setting))
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [setting])
  const change = (next: Draft) => {
    history.replaceState(null, '', `${location.search}${draftHash(next)}`)
    setDraft(next)
  }
  return [draft, change]
}
