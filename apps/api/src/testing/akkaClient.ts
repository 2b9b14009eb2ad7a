/**
 * AKKA Finance's public client of this interface, rebuilt from its description: an MCP server whose
 * nine tools each ask at most one endpoint and read some fields of the answer. Every shape here is
 * strict and has what the tool reads, so that a field that changes its name or type is a failure.
 */
import { formatUnits } from 'viem'
import { z } from 'zod'

/** Address of the API, and the key for the `apikey` header. */
export type AkkaServer = { readonly url: string; readonly key: string }

/** An error as the client shows it: the status, and the `message` of the body. */
export class AkkaRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const address = z.string().regex(/^0x[a-fA-F0-9]{40}$/)
const wei = z.string().regex(/^[0-9]+$/)
const hex = z.string().regex(/^0x([a-f0-9]{2})+$/)
const tokenTexts = z.strictObject({
  ...{ address, symbol: z.string(), name: z.string(), decimals: z.int() },
  logoUri: z.string().nullable(),
})
const refusal = z.looseObject({
  ...{ statusCode: z.int(), message: z.string().min(1), error: z.string().min(1) },
  ...{ timestamp: z.iso.datetime(), path: z.string().startsWith('/') },
})
const listed = z.strictObject({
  ...{ symbol: z.string(), name: z.string(), decimals: z.int(), address, verified: z.boolean() },
  logoUri: z.string().nullable(),
  buyPriceUsd: z.number().nullish(),
  sellPriceUsd: z.number().nullish(),
})
const quoted = z.strictObject({
  dstAmount: wei,
  srcToken: tokenTexts.optional(),
  dstToken: tokenTexts.optional(),
  gas: wei.optional(),
})
const answers = {
  quote: quoted,
  swap: quoted.extend({
    tx: z.strictObject({
      ...{ from: address, to: address, data: hex, value: wei, gasPrice: wei, gas: wei },
    }),
    encodedTx: hex,
  }),
  comparison: z.strictObject({
    akkaQuote: wei,
    // Not the client's: the name that stands beside its own.
    serviceQuote: wei,
    decimalsOut: z.int(),
    pools: z.array(
      z.strictObject({
        ...{ poolAddress: address, poolType: z.string(), amountOut: wei, decimalsOut: z.int() },
      }),
    ),
  }),
  spender: z.strictObject({ address }),
  approval: z.strictObject({ data: hex, gasPrice: wei, to: address, value: z.literal('0') }),
  allowance: z.strictObject({ allowance: wei }),
  tokens: z.strictObject({ tokens: z.record(address, listed) }),
  token: listed,
  health: z.strictObject({ healthy: z.boolean() }),
}

const chainId = z.int().positive()
const pair = { chainId, src: z.string(), dst: z.string(), amount: z.string() }
const flags = {
  includeTokensInfo: z.boolean().default(true),
  includeGas: z.boolean().default(true),
}
/** Each tool takes these arguments and fills in the defaults before it asks. */
const inputs = {
  quote: z.strictObject({ ...pair, ...flags }),
  swap: z.strictObject({
    ...{ ...pair, ...flags, from: z.string(), slippage: z.number().min(0).max(50).default(1) },
  }),
  comparison: z.strictObject(pair),
  spender: z.strictObject({ chainId }),
  approval: z.strictObject({ chainId, tokenAddress: z.string(), amount: z.string().optional() }),
  allowance: z.strictObject({ chainId, tokenAddress: z.string(), walletAddress: z.string() }),
  tokens: z.strictObject({
    chainId,
    page: z.int().min(0).default(0),
    limit: z.int().min(1).max(1_000).default(50),
    verified: z.boolean().optional(),
  }),
  token: z.strictObject({ chainId, address: z.string() }),
}

type Input<K extends keyof typeof inputs> = z.input<(typeof inputs)[K]>
type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** The chains in the client's own list. */
const CHAINS = [
  { chainId: 999, nativeSymbol: 'HYPE' },
  { chainId: 1, nativeSymbol: 'ETH' },
  { chainId: 8453, nativeSymbol: 'ETH' },
  { chainId: 42161, nativeSymbol: 'ETH' },
  { chainId: 56, nativeSymbol: 'BNB' },
] as const

/** The nine tools by their names, and the client's own question for health, which no tool asks. */
export function createAkkaClient(server: AkkaServer) {
  const ask = <S extends z.ZodType>(schema: S, path: string, query: Query = {}) =>
    askServer(server, { schema, path, query })
  const swapPath = (chain: number, name: string) => `/swap/v1/${chain}/${name}`
  return {
    akka_get_quote: async (input: Input<'quote'>) => {
      const { chainId: chain, ...query } = inputs.quote.parse(input)
      return shown(query.amount, await ask(answers.quote, swapPath(chain, 'quote'), query))
    },
    akka_get_swap: async (input: Input<'swap'>) => {
      const { chainId: chain, from, ...rest } = inputs.swap.parse(input)
      const query = { ...rest, from, origin: from }
      return shown(rest.amount, await ask(answers.swap, swapPath(chain, 'swap'), query))
    },
    akka_dex_compare: async (input: Input<'comparison'>) => {
      const { chainId: chain, ...query } = inputs.comparison.parse(input)
      return compared(await ask(answers.comparison, swapPath(chain, 'dex-compare'), query))
    },
    akka_get_spender: async (input: Input<'spender'>) =>
      ask(answers.spender, swapPath(inputs.spender.parse(input).chainId, 'approve/spender')),
    akka_get_approve_tx: async (input: Input<'approval'>) => {
      const { chainId: chain, ...query } = inputs.approval.parse(input)
      return ask(answers.approval, swapPath(chain, 'approve/transaction'), query)
    },
    akka_check_allowance: async (input: Input<'allowance'>) => {
      const { chainId: chain, ...query } = inputs.allowance.parse(input)
      const { allowance } = await ask(
        answers.allowance,
        swapPath(chain, 'approve/allowance'),
        query,
      )
      return { allowance, isApproved: allowance !== '0' }
    },
    akka_list_tokens: async (input: Input<'tokens'>) => {
      const { chainId: chain, ...query } = inputs.tokens.parse(input)
      return ask(answers.tokens, `/${chain}/tokens`, query)
    },
    akka_get_token: async (input: Input<'token'>) => {
      const { chainId: chain, address: token } = inputs.token.parse(input)
      return ask(answers.token, `/${chain}/tokens/${token}`)
    },
    akka_list_chains: () => CHAINS,
    health: () => ask(answers.health, '/health'),
  }
}

async function askServer<S extends z.ZodType>(
  { url, key }: AkkaServer,
  { schema, path, query }: { readonly schema: S; readonly path: string; readonly query: Query },
): Promise<z.output<S>> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, `${value}`])),
  )
  const response = await fetch(`${url}${path}${search.size > 0 ? `?${search}` : ''}`, {
    headers: { apikey: key },
  })
  const body: unknown = await response.json()
  if (response.ok) return schema.parse(body)
  const { statusCode, message } = refusal.parse(body)
  if (statusCode !== response.status) throw new Error(`${statusCode} in a ${response.status}`)
  throw new AkkaRefusal(statusCode, message)
}

/** Adds the amounts as the client shows them, in whole tokens. */
function shown<A extends z.output<typeof quoted>>(amount: string, answer: A) {
  const { srcToken, dstToken, dstAmount } = answer
  return {
    ...answer,
    ...(srcToken && { paid: formatUnits(BigInt(amount), srcToken.decimals) }),
    ...(dstToken && { received: formatUnits(BigInt(dstAmount), dstToken.decimals) }),
  }
}

/** Adds how far the aggregated quote is above the best single pool, in basis points. */
function compared(answer: z.output<typeof answers.comparison>) {
  const best = BigInt(answer.pools[0]?.amountOut ?? 0)
  const advantageBps =
    best > 0n ? Number(((BigInt(answer.akkaQuote) - best) * 10_000n) / best) : undefined
  return { ...answer, advantageBps }
}
