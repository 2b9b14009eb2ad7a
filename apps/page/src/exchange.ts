/** A request and what came back, as they went over the wire; the key is not in it. */
export type Exchange = {
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly text: string
}

/** A `fetch` that remembers the last whole answer of each path, to be shown. */
export function createRecorder(onAnswer: (path: string, exchange: Exchange) => void): typeof fetch {
  return async (input, init) => {
    const url = `${input}`
    const startMs = performance.now()
    const response = await fetch(input, init)
    const ms = Math.round(performance.now() - startMs)
    // Nothing new came with these.
    if (response.status !== 304 && response.status !== 429) {
      const text = await response.clone().text()
      onAnswer(new URL(url).pathname, { url, status: response.status, ms, text })
    }
    return response
  }
}

/** The request as a line for a shell. */
export function curlOf(url: string, apiKey: string): string {
  return `curl -H 'apikey: ${apiKey}' '${url}'`
}
