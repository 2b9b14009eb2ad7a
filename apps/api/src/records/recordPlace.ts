/**
 * The places that take records of quotes: a file or a URL. A place takes a text of whole lines
 * completely or not at all.
 */
import { open } from 'node:fs/promises'

/** Writes whole lines. Throws if the place did not take them; they must then be written again. */
export type RecordPlace = (text: string) => Promise<void>

const POST_TIMEOUT_MS = 10_000

/** A file, which is appended to, or an http(s) URL, which gets the lines by POST. */
export function openPlace(target: string): RecordPlace {
  return /^https?:/.test(target) ? post(target) : append(target)
}

/**
 * Each text opens the file, so that it can be rotated by renaming it. Only one process may write to a
 * file, because a failed write is taken back.
 */
function append(file: string): RecordPlace {
  return async (text) => {
    const handle = await open(file, 'a', 0o600)
    try {
      const { size } = await handle.stat()
      await handle.appendFile(text).catch(async (error: unknown) => {
        // A full disk may have taken the first lines, which are written again.
        await handle.truncate(size).catch(() => {})
        throw error
      })
    } finally {
      await handle.close()
    }
  }
}

function post(url: string): RecordPlace {
  return async (body) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const signal = AbortSignal.timeout(POST_TIMEOUT_MS)
    const response = await fetch(url, { method: 'POST', body, headers, signal })
    // Nothing in the answer is of interest, and one that never ends would fill the memory.
    await response.body?.cancel()
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
  }
}
