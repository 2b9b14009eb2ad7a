/** An HTTP request and its response, without the key. */
export type RecordedRequest = {
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly text: string
}

/** A `fetch` that reports each full response to `onAnswer`, so that the page can show it. */
export function createRecorder(
  onAnswer: (path: string, recorded: RecordedRequest) => void,
): typeof fetch {
  return async (input, init) => {
    const url = `${input}`
    const startMs = performance.now()
    const response = await fetch(input, init)
    const ms = Math.round(performance.now() - startMs)
    // These responses contain no new answer.
    if (response.status !== 304 && response.status !== 429) {
      const text = await response.clone().text()
      onAnswer(new URL(url).pathname, { url, status: response.status, ms, text })
    }
    return response
  }
}

/** The request as a curl command. */
export function curlOf(url: string, apiKey: string): string {
  return apiKey === '' ? `curl '${url}'` : `curl -H 'apikey: ${apiKey}' '${url}'`
}
