/**
 * The services that a board compares with Braid. Each is one function: it asks for an order as the service
 * publishes its interface, and returns the amount that the service promises and the call that should
 * pay it. What a service answers is checked field by field and used for a simulation only.
 */
import type { Address, Hex } from '@braid-swap/core'
import { formatAmount } from '@braid-swap/draw'
import { z } from 'zod'
import { plainText } from '../terminal.js'

/** A sale of exactly `amount` wei of one ERC-20 token for another. */
export type Asked = {
  readonly src: Address
  readonly dst: Address
  readonly amount: bigint
  readonly srcDecimals: number
  /** Sends the transaction and gets the output. */
  readonly from: Address
  readonly slippageBps: number
}

/** A promise in wei, the call that should keep it, and who takes the tokens. */
export type Offer = {
  readonly quoted: bigint
  readonly call: { readonly to: Address; readonly data: Hex }
  readonly spender: Address
}

/** Why a service made no offer: no answer at all, a refusal, or an answer of another form. */
export type NoOffer = 'unreachable' | 'refused' | 'unreadable'

/** A service that made no offer. */
export class NoOfferError extends Error {
  readonly why: NoOffer

  constructor(why: NoOffer, message: string) {
    super(plainLine(message))
    this.why = why
  }
}

/** Sends a request to the service; the result is the JSON of its answer, also of a refusal. */
export type Ask = (
  path: string,
  request: {
    readonly query?: Readonly<Record<string, string>>
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  },
) => Promise<{ readonly isOk: boolean; readonly json: unknown }>

/** A service as it is published. */
export type Service = {
  readonly url: string
  /** The environment variable with its key, if it wants one. */
  readonly keyVariable?: 'BRAID_KEY_0X' | 'BRAID_KEY_1INCH'
  readonly offer: (asked: Asked, ask: Ask, key: string) => Promise<Offer>
}

const CHAIN = '999'
const BPS_PER_PERCENT = 100
const KYBER_NAME = 'braid-board'

const wei = z.string().regex(/^\d+$/).transform(BigInt)
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as Address)
const hex = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .transform((text) => text as Hex)
/** Native tokens beside the amount would not be part of the price. */
const noValue = z.union([z.literal(0), z.string().regex(/^(0x)?0*$/)]).optional()
const transaction = z.object({ to: address, data: hex, value: noValue })

const percentOf = ({ slippageBps }: Asked) => `${slippageBps / BPS_PER_PERCENT}`

/** LiquidSwap `GET /v2/route`; amounts of the request are whole tokens, of the answer wei. */
const liquidSwap: Service = {
  url: 'https://api.liqd.ag',
  offer: async (asked, ask) => {
    const { src, dst, amount, srcDecimals } = asked
    const answer = await ask('/v2/route', {
      query: {
        ...{ tokenIn: src, tokenOut: dst, amountIn: formatAmount(amount, srcDecimals) },
        ...{ chainId: CHAIN, multiHop: 'true', slippage: percentOf(asked) },
      },
    })
    const form = z.object({
      execution: z.object({
        ...{ to: address, calldata: hex, value: noValue },
        details: z.object({ amountOut: wei }),
      }),
    })
    const { execution } = read(form, answer)
    const { to, calldata: data, details } = execution
    return { quoted: details.amountOut, call: { to, data }, spender: to }
  },
}

/** 0x Swap API v2 with AllowanceHolder, `GET /swap/allowance-holder/quote`. */
const zeroEx: Service = {
  url: 'https://api.0x.org',
  keyVariable: 'BRAID_KEY_0X',
  offer: async ({ src, dst, amount, from, slippageBps }, ask, key) => {
    const answer = await ask('/swap/allowance-holder/quote', {
      query: {
        ...{ chainId: CHAIN, sellToken: src, buyToken: dst, sellAmount: `${amount}` },
        ...{ taker: from, slippageBps: `${slippageBps}` },
      },
      headers: { '0x-api-key': key, '0x-version': 'v2' },
    })
    const { liquidityAvailable } = read(z.object({ liquidityAvailable: z.boolean() }), answer)
    if (!liquidityAvailable) throw new NoOfferError('refused', 'no liquidity available')
    const form = z.object({ buyAmount: wei, allowanceTarget: address, transaction })
    const { buyAmount, allowanceTarget: spender, transaction: call } = read(form, answer)
    return { quoted: buyAmount, call, spender }
  },
}

/** 1inch Swap API v6, `GET /swap/v6.1/{chain}/swap`. */
const oneInch: Service = {
  url: 'https://api.1inch.dev',
  keyVariable: 'BRAID_KEY_1INCH',
  offer: async (asked, ask, key) => {
    const { src, dst, amount, from } = asked
    const answer = await ask(`/swap/v6.1/${CHAIN}/swap`, {
      query: {
        ...{ src, dst, amount: `${amount}`, from, origin: from },
        ...{ slippage: percentOf(asked), disableEstimate: 'true' },
      },
      headers: { authorization: `Bearer ${key}` },
    })
    const { dstAmount, tx } = read(z.object({ dstAmount: wei, tx: transaction }), answer)
    return { quoted: dstAmount, call: tx, spender: tx.to }
  },
}

/** KyberSwap Aggregator API v1: a route, and the calldata for it from a second request. */
const kyber: Service = {
  url: 'https://aggregator-api.kyberswap.com',
  offer: async ({ src, dst, amount, from, slippageBps }, ask) => {
    const headers = { 'x-client-id': KYBER_NAME }
    const found = await ask('/hyperevm/api/v1/routes', {
      query: { tokenIn: src, tokenOut: dst, amountIn: `${amount}`, gasInclude: 'false' },
      headers,
    })
    const route = z.object({ data: z.object({ routeSummary: z.record(z.string(), z.unknown()) }) })
    const { routeSummary } = read(route, found).data
    const built = await ask('/hyperevm/api/v1/route/build', {
      headers,
      body: {
        ...{ routeSummary, sender: from, recipient: from, source: KYBER_NAME },
        ...{ slippageTolerance: slippageBps, enableGasEstimation: false },
      },
    })
    const form = z.object({
      data: z.object({
        ...{ amountOut: wei, data: hex, routerAddress: address, transactionValue: noValue },
      }),
    })
    const { amountOut, data, routerAddress: to } = read(form, built).data
    return { quoted: amountOut, call: { to, data }, spender: to }
  },
}

/** The services by the name that the command line uses. */
export const services: ReadonlyMap<string, Service> = new Map([
  ['liquidswap', liquidSwap],
  ['0x', zeroEx],
  ['1inch', oneInch],
  ['kyber', kyber],
])

/** The fields of an answer; a refusal is quoted. */
function read<T>(form: z.ZodType<T>, { isOk, json }: Awaited<ReturnType<Ask>>): T {
  const fields = form.safeParse(json)
  if (isOk && fields.success) return fields.data
  const said = saidIn(json)
  if (said !== undefined) throw new NoOfferError('refused', said)
  if (!isOk) throw new NoOfferError('refused', 'an error without a message')
  const [issue] = fields.error?.issues ?? []
  throw new NoOfferError('unreadable', `${issue?.path.join('.')}: ${issue?.message}`)
}

/** The message of a refusal, under one of the names that these services use. */
function saidIn(json: unknown): string | undefined {
  const names = z.object({
    ...{ message: z.string().optional(), reason: z.string().optional() },
    ...{ description: z.string().optional(), error: z.string().optional() },
    ...{ success: z.boolean().optional(), code: z.union([z.number(), z.string()]).optional() },
  })
  const { data } = names.safeParse(json)
  const said = data?.description ?? data?.message ?? data?.reason ?? data?.error
  // Kyber has a message in every answer; its code is 0 if all is well.
  return data?.code === 0 ? undefined : said
}

const MAX_LINE = 160

/** One short line. */
function plainLine(text: string): string {
  const plain = plainText(text)
  return plain.length > MAX_LINE ? `${plain.slice(0, MAX_LINE)}…` : plain
}

/** Asks over HTTP. Throws NoOfferError if no JSON comes back in time. */
export function askOver(url: string, timeoutMs: number): Ask {
  return async (path, { query = {}, headers = {}, body }) => {
    const full = `${url.replace(/\/$/, '')}${path}?${new URLSearchParams(query)}`
    try {
      const response = await fetch(full, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // A key is for this address alone.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await response.text()
      const json = jsonOf(text)
      if (json === undefined) {
        const why = response.status >= 500 ? 'unreachable' : 'refused'
        throw new NoOfferError(why, `HTTP ${response.status} without JSON`)
      }
      return { isOk: response.ok, json }
    } catch (error) {
      if (error instanceof NoOfferError) throw error
      throw new NoOfferError('unreachable', reasonOf(error))
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Node puts the reason of a failed request, such as ECONNREFUSED, into the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & {
    readonly cause?: Error & { readonly code?: string }
  }
  return cause?.code ?? cause?.message ?? message
}
