// The HTTP layer of the client: sends requests, retries as the API allows, validates answers.

import type * as z from 'zod/mini'
import { BadAnswerError, RefusedError, UnreachableError } from './errors.js'
import { refusal } from './refusal.js'
import type { Served } from './responses.js'

/** Settings of all requests; see {@link createBraid}. */
export type HttpSettings = {
  readonly url: string
  readonly apiKey: string
  readonly timeoutMs: number
  readonly retries: number
  readonly maxWaitMs: number
  readonly fetch: typeof fetch
}

/** Options of one call. */
export type CallOptions = { readonly signal?: AbortSignal }

/** A path and its query; with an `etag` the answer may be 304. */
type GetRequest = {
  readonly path: string
  readonly query?: object
  readonly etag?: string | undefined
}
type Text = { readonly status: number; readonly text: string; readonly headers: Headers }

/**
 * GETs a path and parses the answer by its schema. Throws a RefusedError, API_UNREACHABLE or
 * BAD_ANSWER.
 */
export async function getJson<S extends z.ZodMiniType>(
  settings: HttpSettings,
  { schema, ...request }: GetRequest & { readonly schema: S },
  options: CallOptions = {},
): Promise<{ readonly body: z.output<S>; readonly served: Served }> {
  const { text, headers } = await getText(settings, request, options)
  return { body: readAnswer(request.path, schema, text), served: servedOf(headers) }
}

/** Parses the text of an answer by its schema. Throws BAD_ANSWER. */
export function readAnswer<S extends z.ZodMiniType>(path: string, schema: S, text: string) {
  const parsed = schema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const fault = parsed.error.issues[0]
  throw new BadAnswerError('the answer does not match the schema of this API', {
    ...{ path, at: fault?.path.join('.') ?? '', wanted: wantedOf(fault) },
  })
}

/** What a schema wants, in a word; texts for people would be a tenth of the client. */
function wantedOf(fault: z.core.$ZodIssue | undefined): string {
  const { expected, format, code } = { ...fault } as Readonly<Record<string, unknown>>
  return `${expected ?? format ?? code}`
}

/**
 * GETs a path as text; 304 is an answer. Retries only if the API marks the error as retryable and
 * says how long to wait.
 */
export async function getText(
  settings: HttpSettings,
  { path, query = {}, etag }: GetRequest,
  { signal }: CallOptions = {},
): Promise<Text> {
  const url = `${settings.url}${path}${searchOf(query)}`
  const headers = { apikey: settings.apiKey, ...(etag !== undefined && { 'if-none-match': etag }) }
  for (let retriesLeft = settings.retries; ; retriesLeft--) {
    const answer = await send(settings, url, headers, signal)
    if (answer.status === 304 || (answer.status >= 200 && answer.status < 300)) return answer
    const refused = refusalOf(settings, answer)
    const waitMs = refused.retryable ? refused.retryAfterMs : undefined
    if (waitMs === undefined || waitMs > settings.maxWaitMs || retriesLeft <= 0) throw refused
    await wait(waitMs, signal)
  }
}

/**
 * Opens a stream of events: the body of the response, whose time is not limited. Throws as
 * {@link getText} does, without a retry.
 */
export async function openStream(
  settings: HttpSettings,
  { path, query = {} }: GetRequest,
  { signal }: CallOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const url = `${settings.url}${path}${searchOf(query)}`
  const headers = { apikey: settings.apiKey }
  let response: Response
  try {
    response = await settings.fetch(url, { headers, redirect, ...(signal && { signal }) })
  } catch (cause) {
    signal?.throwIfAborted()
    throw new UnreachableError(`no answer from ${settings.url}`, { url: settings.url }, cause)
  }
  if (response.ok && response.body) return response.body
  const { status, headers: got } = response
  throw refusalOf(settings, { status, text: await textOf(response), headers: got })
}

/** A redirect is no answer: `fetch` would carry the key to wherever it leads. */
const redirect = 'manual'
/** The largest answer, many times the largest market's snapshot: an endless one must end. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024

/** The text of a response. Throws BAD_ANSWER if it is larger than any answer. */
async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [size, text] = [0, '']
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length
    if (size > MAX_ANSWER_BYTES) {
      await reader?.cancel()
      const wanted = `at most ${MAX_ANSWER_BYTES} bytes`
      throw new BadAnswerError('the answer is larger than any of this API', { wanted })
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

async function send(
  { fetch, timeoutMs, url: base }: HttpSettings,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Text> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      headers,
      redirect,
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    return { status: response.status, text: await textOf(response), headers: response.headers }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof BadAnswerError) throw cause
    throw new UnreachableError(`no answer from ${base}`, { url: base }, cause)
  }
}

/** The statuses by which a proxy says that what is behind it does not answer. */
const OF_PROXIES: ReadonlySet<number> = new Set([502, 503, 504])

/** The refusal of an answer. Throws API_UNREACHABLE if a proxy answered instead, and BAD_ANSWER for anything else. */
function refusalOf({ url }: HttpSettings, { status, text, headers }: Text): RefusedError {
  const parsed = refusal.safeParse(parseJson(text))
  if (!parsed.success && OF_PROXIES.has(status)) {
    const message = `a proxy before ${url} answered ${status}: the API behind it does not answer`
    throw new UnreachableError(message, { url, status })
  }
  if (!parsed.success) {
    const wanted = 'an error with code and message'
    throw new BadAnswerError(`${url} answered ${status}`, { status, wanted })
  }
  const seconds = headers.get('retry-after')
  const isNumber = seconds !== null && /^\d{1,6}$/.test(seconds)
  return new RefusedError(parsed.data, isNumber ? Number(seconds) * 1_000 : undefined)
}

/** Reads the headers that describe an answer. */
export function servedOf(headers: Headers): Served {
  const [requestId, quoteId, etag] = ['x-request-id', 'x-quote-id', 'etag'].map((name) =>
    headers.get(name),
  )
  const block = headers.get('x-block-number')
  return {
    ...(requestId && { requestId }),
    ...(block && /^\d+$/.test(block) && { blockNumber: BigInt(block) }),
    ...(quoteId && { quoteId }),
    ...(etag && { etag }),
  }
}

function searchOf(query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, `${value}`)
  }
  return search.size > 0 ? `?${search}` : ''
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
