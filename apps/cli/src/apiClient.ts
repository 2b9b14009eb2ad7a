import type { Address, ErrorDetails } from '@braid-swap/core'
import { z } from 'zod'
import { ApiRefusalError, ApiUnreachableError, UsageError } from './errors.js'
import type { SourceOptions } from './sources.js'
import type { Terminal } from './terminal.js'

/** An API and the key it is asked with. */
export type Api = { readonly url: string; readonly key: string }

const CHAIN_ID = 999
const TIMEOUT_MS = 15_000

/** The API the options name; the key from `--key` or BRAID_API_KEY. Throws USAGE. */
export function apiOf(options: SourceOptions, terminal: Terminal): Api {
  const url = options.api ?? ''
  const key = options.key ?? terminal.env['BRAID_API_KEY']
  if (!/^https?:\/\/./i.test(url)) {
    throw new UsageError('--api is no URL', { got: url, wanted: 'http(s)://…' })
  }
  if (!key) throw new UsageError('the API wants a key', { wanted: '--key KEY or BRAID_API_KEY' })
  return { url: url.replace(/\/+$/, ''), key }
}

const digits = z
  .string()
  .regex(/^[0-9]+$/)
  .transform(BigInt)
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as Address)
const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text) => text as `0x${string}`)

const tokenBody = z.object({
  address,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().min(0).max(255),
})
const tokensBody = z.object({ tokens: z.record(z.string(), tokenBody) })
const quoteBody = z.object({
  dstAmount: digits,
  gas: digits,
  graph: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      pool: z.string(),
      exchange: z.string(),
      poolType: z.string(),
      amountIn: z.string(),
      amountOut: z.string(),
      fee: z.number().nullish(),
      share: z.string().optional(),
    }),
  ),
  routes: z.array(
    z.object({
      path: z.array(z.object({ address, decimals: z.int(), symbol: z.string() })),
    }),
  ),
})
const swapBody = z.object({
  dstAmount: digits,
  tx: z.object({
    from: address,
    to: address,
    data: hex,
    value: digits,
    gasPrice: digits,
    gas: digits,
  }),
})
const compareBody = z.object({
  serviceQuote: digits,
  pools: z.array(z.object({ poolAddress: address, poolType: z.string(), amountOut: digits })),
})

type Asked = { readonly src: Address; readonly dst: Address; readonly amount: bigint }

/** `GET /swap/v1/999/quote` with route, graph and gas. */
export function getQuote(api: Api, asked: Asked) {
  const flags = { includeGas: 'true', includeGraph: 'true', includeRoutes: 'true' }
  return get(api, `/swap/v1/${CHAIN_ID}/quote`, { ...asked, ...flags }, quoteBody)
}

/** `GET /swap/v1/999/swap`. */
export function getSwap(
  api: Api,
  asked: Asked & {
    readonly slippage: string
    readonly from?: Address
    readonly receiver?: Address
  },
) {
  return get(api, `/swap/v1/${CHAIN_ID}/swap`, asked, swapBody)
}

/** `GET /swap/v1/999/dex-compare`. */
export function getComparison(api: Api, asked: Asked & { readonly limit: number }) {
  return get(api, `/swap/v1/${CHAIN_ID}/dex-compare`, asked, compareBody)
}

/** `GET /999/tokens/{address}`. */
export function getToken(api: Api, token: Address) {
  return get(api, `/${CHAIN_ID}/tokens/${token}`, {}, tokenBody)
}

/** All pages of `GET /999/tokens`, of the verified tokens only if told so. */
export async function getTokens(api: Api, only: { readonly verified?: true } = {}) {
  const found = new Map<Address, z.infer<typeof tokenBody>>()
  for (let page = 0, before = -1; found.size > before; page++) {
    before = found.size
    const { body } = await get(api, `/${CHAIN_ID}/tokens`, { ...only, page }, tokensBody)
    for (const token of Object.values(body.tokens)) found.set(token.address, token)
  }
  return [...found.values()]
}

/** The text of a snapshot the API serves its quotes from. */
export async function getSnapshotText(api: Api): Promise<string> {
  const { text } = await request(api, `/swap/v1/${CHAIN_ID}/snapshot`)
  return text
}

async function get<T>(
  api: Api,
  path: string,
  query: Readonly<Record<string, string | number | bigint | boolean>>,
  schema: z.ZodType<T>,
): Promise<{ readonly body: T; readonly block: bigint | undefined }> {
  const search = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, `${value}`])),
  )
  const { text, headers } = await request(api, `${path}${search.size > 0 ? `?${search}` : ''}`)
  const parsed = schema.safeParse(parseJson(text))
  if (!parsed.success) {
    const fault = parsed.error.issues[0]
    throw new ApiUnreachableError('the answer is not what this API answers', {
      path,
      at: fault?.path.join('.') ?? '',
      wanted: fault?.message ?? '',
    })
  }
  const block = headers.get('x-block-number')
  return { body: parsed.data, block: block && /^\d+$/.test(block) ? BigInt(block) : undefined }
}

async function request(api: Api, path: string) {
  let response: Response
  let text: string
  try {
    response = await fetch(`${api.url}${path}`, {
      headers: { apikey: api.key },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    text = await response.text()
  } catch (cause) {
    throw new ApiUnreachableError(`no answer from ${api.url}`, { url: api.url }, cause)
  }
  if (!response.ok) throw refusalOf(response.status, text, api)
  return { text, headers: response.headers }
}

const errorBody = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).catch({}),
})

function refusalOf(status: number, text: string, api: Api): Error {
  const parsed = errorBody.safeParse(parseJson(text))
  if (!parsed.success) {
    const details: ErrorDetails = { status, wanted: 'an error with code and message' }
    return new ApiUnreachableError(`${api.url} answered ${status}`, details)
  }
  const { code, message, details } = parsed.data
  return new ApiRefusalError(code, message, { status, ...details })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
