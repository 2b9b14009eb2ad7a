/**
 * Braid as a router connector of Hummingbot's gateway, written for hummingbot/gateway at commit d265022.
 * The file is copied there, so it imports only what the host has; the host's services are given to it.
 *
 * A firm quote is calldata for one wallet, which a bot sends later without looking at it. The calldata is
 * therefore decoded and held against the order before it is kept, and it is sent once, for that wallet alone.
 */
import { randomUUID } from 'node:crypto'
import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import {
  type Api,
  ask,
  boundsOf,
  CHAIN_ID,
  checkedCall,
  NATIVE,
  type Order,
  type Receipt,
  same,
  swappedIn,
  type Token,
  type Tx,
  toNumber,
  toWei,
} from './braid.js'
import {
  ExecuteQuoteRequest,
  ExecuteResponse,
  ExecuteSwapRequest,
  QuoteRequest,
  QuoteResponse,
} from './schemas.js'

type Wallet = { sendTransaction(tx: object): Promise<{ readonly hash: string }> }

/** The members of the host's `Ethereum` that are used. */
export type HostChain = {
  readonly chainId: number
  readonly nativeTokenSymbol: string
  getToken(symbolOrAddress: string): Promise<Token | undefined>
  getWallet(address: string): Promise<Wallet>
  prepareGasOptions(gasPriceGwei?: number, gasLimit?: number): Promise<object>
  /** `null` if the transaction is pending after the network's timeout. */
  handleTransactionExecution(sent: { readonly hash: string }): Promise<Receipt | null>
}

/** The host's `quoteCache`. */
export type HostQuotes = {
  get(quoteId: string): unknown
  set(quoteId: string, quote: unknown, request?: unknown): void
  delete(quoteId: string): void
}

export type Settings = Api & {
  /** In percent, if a request has none. */
  readonly slippagePct: number
  /** The host's name of chain 999. */
  readonly network: string
  readonly defaultWallet: string
  readonly chainOf: (network: string) => Promise<HostChain>
  readonly quotes: HostQuotes
}

/** What is kept of a quote until it is executed. */
type Firm = {
  readonly order: Order
  readonly wallet: string
  readonly tx: Tx
  readonly expiresMs: number
}

/** How long a quote can be executed: prices move with every block. */
const LIFE_MS = 30_000

/** The routes that the host registers under `/connectors/braid/router`. */
export function createRoutes(settings: Settings): FastifyPluginAsync {
  return async (fastify) => {
    const route = <B extends TSchema>(
      method: 'GET' | 'POST',
      url: string,
      [request, response]: readonly [B, TSchema],
      answer: (asked: Static<B>) => Promise<unknown>,
    ) => {
      const part = method === 'GET' ? 'querystring' : 'body'
      fastify.route({
        ...{ method, url },
        schema: { tags: ['/connector/braid'], [part]: request, response: { 200: response } },
        handler: ({ query, body }) => answer((method === 'GET' ? query : body) as Static<B>),
      })
    }
    route('GET', '/quote-swap', [QuoteRequest, QuoteResponse], (asked) =>
      quoteSwap(settings, asked),
    )
    route('POST', '/execute-quote', [ExecuteQuoteRequest, ExecuteResponse], (asked) =>
      executeQuote(settings, asked),
    )
    route('POST', '/execute-swap', [ExecuteSwapRequest, ExecuteResponse], async (asked) => {
      const firm = { ...asked, indicativePrice: false, takerAddress: asked.walletAddress }
      const { quoteId } = await quoteSwap(settings, firm as Static<typeof QuoteRequest>)
      return executeQuote(settings, { ...asked, quoteId })
    })
  }
}

/** A price, or with `indicativePrice: false` a quote that {@link executeQuote} takes for 30 seconds. */
async function quoteSwap(
  settings: Settings,
  asked: Static<typeof QuoteRequest>,
): Promise<Static<typeof QuoteResponse>> {
  const { defaultWallet, quotes, router } = settings
  const { indicativePrice = true, takerAddress = defaultWallet } = asked
  const order = await orderOf(settings, asked)
  const answer = await ask(settings, order, indicativePrice ? undefined : takerAddress)
  const { tx } = answer
  const call = tx && checkedCall(settings, order, takerAddress, answer, tx)
  const quoteId = tx ? randomUUID() : 'indicative-price'
  const expirationTime = Date.now() + LIFE_MS
  if (tx) {
    const firm: Firm = { order, wallet: takerAddress, tx, expiresMs: expirationTime }
    quotes.set(quoteId, firm, asked)
  }
  const { tokenIn, tokenOut, isSale } = order
  const srcAmount = isSale ? order.amount : BigInt(answer.srcAmount!)
  const dstAmount = isSale ? BigInt(answer.dstAmount) : order.amount
  const [amountIn, amountOut] = [toNumber(srcAmount, tokenIn), toNumber(dstAmount, tokenOut)]
  const [least, most] = call
    ? [call.minAmountOut, call.amountIn]
    : boundsOf(order, { srcAmount, dstAmount })
  return {
    ...{ quoteId, tokenIn: tokenIn.address, tokenOut: tokenOut.address, amountIn, amountOut },
    price: isSale ? amountOut / amountIn : amountIn / amountOut,
    priceImpactPct: (answer.meta.priceImpactBps ?? 0) / 100,
    ...{ minAmountOut: toNumber(least, tokenOut), maxAmountIn: toNumber(most, tokenIn) },
    ...{ gasEstimate: tx?.gas ?? answer.gas, allowanceTarget: router },
    ...(tx && { expirationTime, to: tx.to, data: tx.data, value: tx.value }),
  }
}

/** Sends the transaction of a firm quote, once. The amounts are those of the router's event. */
async function executeQuote(
  settings: Settings,
  asked: Static<typeof ExecuteQuoteRequest>,
): Promise<Static<typeof ExecuteResponse>> {
  const { badRequest, quotes, network, defaultWallet, router } = settings
  const { quoteId, walletAddress = defaultWallet, gasPrice, maxGas } = asked
  const firm = quotes.get(quoteId) as Firm | null | undefined
  if (!firm) throw badRequest('Quote not found or expired')
  // A quote that was sent once may be pending: it is never sent again.
  quotes.delete(quoteId)
  const { order, tx, wallet, expiresMs } = firm
  if (Date.now() > expiresMs) throw badRequest('Quote not found or expired')
  if (!same(wallet, walletAddress)) throw badRequest(`The quote is for ${wallet}`)
  const chain = await chainOf(settings, asked.network ?? network)
  const sender = await chain.getWallet(walletAddress)
  const gasPriceGwei = gasPrice === undefined ? undefined : Number(gasPrice) / 1e9
  const options = await chain.prepareGasOptions(gasPriceGwei, maxGas ?? Number(tx.gas))
  const { to, data, value } = tx
  const sent = await sender.sendTransaction({ to, data, value, ...options })
  const receipt = await chain.handleTransactionExecution(sent)
  if (!receipt) return { signature: sent.hash, status: 0 }
  if (receipt.status !== 1) throw new Error(`Transaction ${sent.hash} failed on-chain`)
  const { tokenIn, tokenOut, isSale } = order
  const swapped = swappedIn(receipt, router)
  const [amountIn, amountOut] = [
    toNumber(swapped.amountIn, tokenIn),
    toNumber(swapped.amountOut, tokenOut),
  ]
  const paid = BigInt(receipt.gasUsed.toString()) * BigInt(receipt.effectiveGasPrice.toString())
  return {
    ...{ signature: sent.hash, status: 1 },
    data: {
      ...{ tokenIn: tokenIn.address, tokenOut: tokenOut.address, amountIn, amountOut },
      fee: toNumber(paid, { decimals: 18 }),
      baseTokenBalanceChange: isSale ? -amountIn : amountOut,
      quoteTokenBalanceChange: isSale ? amountOut : -amountIn,
    },
  }
}

async function chainOf({ chainOf: open, badRequest, network }: Settings, name: string) {
  if (name !== network) throw badRequest(`Braid: network ${name} is not served`)
  const chain = await open(name)
  if (chain.chainId !== CHAIN_ID) throw badRequest(`Braid: ${name} is chain ${chain.chainId}`)
  return chain
}

async function orderOf(settings: Settings, asked: Static<typeof QuoteRequest>): Promise<Order> {
  const { badRequest, network } = settings
  const { side, amount, slippagePct = settings.slippagePct } = asked
  const chain = await chainOf(settings, asked.network ?? network)
  const tokenOf = async (name: string): Promise<Token> => {
    const symbol = chain.nativeTokenSymbol
    if (same(name, symbol) || same(name, NATIVE)) return { address: NATIVE, symbol, decimals: 18 }
    const token = await chain.getToken(name)
    if (!token) throw badRequest(`Token not found: ${name}`)
    return token
  }
  const [base, quote] = [await tokenOf(asked.baseToken), await tokenOf(asked.quoteToken)]
  const isSale = side === 'SELL'
  const wei = toWei(amount, base.decimals)
  if (wei === undefined || wei === 0n) {
    throw badRequest(
      `${amount} is no amount of ${base.symbol}, which has ${base.decimals} decimals`,
    )
  }
  const [tokenIn, tokenOut] = isSale ? [base, quote] : [quote, base]
  return { isSale, tokenIn, tokenOut, amount: wei, slippagePct }
}
