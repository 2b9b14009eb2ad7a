/**
 * What the connector asks the API, and what it holds an answer against. The calldata of a swap is decoded:
 * nothing in it may depart from the order.
 */

/** A token of the host's list. */
export type Token = { readonly address: string; readonly symbol: string; readonly decimals: number }

export type Receipt = {
  readonly status?: number | undefined
  readonly gasUsed: { toString(): string }
  readonly effectiveGasPrice: { toString(): string }
  readonly logs: readonly {
    readonly address: string
    readonly topics: readonly string[]
    readonly data: string
  }[]
}

/** Where the API is. */
export type Api = {
  /** Base address, without a slash at its end. */
  readonly api: string
  /** Sent in the `apikey` header. Not needed by an API without keys. */
  readonly apikey?: string | undefined
  /** The router that wallets approve, as deployed. Never taken from a response. */
  readonly router: string
  /** `httpErrors.badRequest` of the host: an error with `statusCode` 400. */
  readonly badRequest: (message: string) => Error
}

/** A transaction of the API. */
export type Tx = { from: string; to: string; data: string; value: string; gas: string }

/** The fields of `/quote` and `/swap` that are used. Amounts are in the smallest unit. */
export type Answer = {
  dstAmount: string
  /** With `dstAmountExact`: the least input, and in a swap the most that it sells. */
  srcAmount?: string
  maxSrcAmount?: string
  gas: string
  meta: { priceImpactBps: number | null }
  tx?: Tx
}

/** An order with its tokens; the amount is of the base token, in its smallest unit. */
export type Order = {
  readonly isSale: boolean
  readonly tokenIn: Token
  readonly tokenOut: Token
  readonly amount: bigint
  readonly slippagePct: number
}

export const CHAIN_ID = 999
export const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const ZERO = '0x0000000000000000000000000000000000000000'
const TIMEOUT_MS = 10_000
const PPM = 1_000_000n
const PPM_PER_PERCENT = 10_000
/** Selector of `swap` of the router, and topic of its event `Swap`. */
const [SWAP, SWAPPED] = [
  '0xd475bd3b',
  '0x20efd6d5195b7b50273f01cd79a27989255356f9f13293edc53ee142accfdb75',
]

export const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Asks for a quote, or for a swap that the API has checked and simulated for a wallet. */
export async function ask(
  { api, apikey, badRequest }: Api,
  { isSale, tokenIn, tokenOut, amount, slippagePct }: Order,
  wallet?: string,
): Promise<Answer> {
  const query = new URLSearchParams({
    ...{ src: tokenIn.address, dst: tokenOut.address, includeGas: 'true', includeMeta: 'true' },
    [isSale ? 'amount' : 'dstAmountExact']: `${amount}`,
    ...(wallet !== undefined && { from: wallet, slippage: `${slippagePct}` }),
  })
  const path = `/swap/v1/${CHAIN_ID}/${wallet === undefined ? 'quote' : 'swap'}`
  const response = await fetch(`${api}${path}?${query}`, {
    headers: apikey === undefined ? {} : { apikey },
    // Another server would get the key.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const body: unknown = await response.json()
  if (response.ok) return body as Answer
  const { code, message } = body as { code: string; message: string }
  const text = `Braid: ${code}: ${message}`
  throw response.status < 500 ? badRequest(text) : new Error(text)
}

/** The least output and the most input that a slippage allows: it lowers a sale's output, and raises a purchase's input. */
export function boundsOf(
  { isSale, slippagePct }: Order,
  { srcAmount, dstAmount }: { readonly srcAmount: bigint; readonly dstAmount: bigint },
): readonly [least: bigint, most: bigint] {
  const ppm = BigInt(Math.round(slippagePct * PPM_PER_PERCENT))
  return isSale
    ? [(dstAmount * (PPM - ppm)) / PPM, srcAmount]
    : [dstAmount, (srcAmount * (PPM + ppm) + PPM - 1n) / PPM]
}

/** The router's call in a transaction. Throws unless it is the order, for the wallet, within the slippage. */
export function checkedCall(
  { router }: Api,
  order: Order,
  wallet: string,
  answer: Answer,
  tx: Tx,
): { readonly amountIn: bigint; readonly minAmountOut: bigint } {
  const wordAt = (n: number) => tx.data.slice(10 + 64 * n, 10 + 64 * (n + 1))
  const addressAt = (n: number) => `0x${wordAt(n).slice(24)}`
  const [amountIn, minAmountOut] = [BigInt(`0x${wordAt(1)}`), BigInt(`0x${wordAt(3)}`)]
  const { isSale, tokenIn, tokenOut, amount } = order
  const srcAmount = isSale ? amount : BigInt(answer.srcAmount!)
  const dstAmount = isSale ? BigInt(answer.dstAmount) : amount
  const [least, most] = boundsOf(order, { srcAmount, dstAmount })
  const isRight = {
    router: same(tx.to, router) && tx.data.startsWith(SWAP),
    from: same(tx.from, wallet),
    value: BigInt(tx.value) === (tokenIn.address === NATIVE ? amountIn : 0n),
    tokenIn: same(addressAt(0), tokenIn.address),
    amountIn: isSale ? amountIn === amount : amountIn <= most,
    tokenOut: same(addressAt(2), tokenOut.address),
    minAmountOut: minAmountOut > 0n && minAmountOut >= least,
    // The router replaces the zero address by its caller.
    receiver: same(addressAt(4), ZERO) || same(addressAt(4), wallet),
  }
  const wrong = Object.entries(isRight).flatMap(([name, right]) => (right ? [] : [name]))
  if (wrong.length > 0) throw new Error(`Braid: the swap is not the order: ${wrong.join(', ')}`)
  return { amountIn, minAmountOut }
}

/** The amounts of the router's event. */
export function swappedIn({ logs }: Receipt, router: string) {
  const log = logs.find(({ address, topics }) => same(address, router) && topics[0] === SWAPPED)
  if (!log) throw new Error('Braid: the receipt has no swap')
  const wordAt = (n: number) => BigInt(`0x${log.data.slice(2 + 64 * n, 2 + 64 * (n + 1))}`)
  return { amountIn: wordAt(2), amountOut: wordAt(3) }
}

/** A number as the smallest unit, from its shortest decimals; `undefined` if it has more than the token. */
export function toWei(amount: number, decimals: number): bigint | undefined {
  const [, whole, part = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(`${amount}`) ?? []
  if (whole === undefined) return undefined
  const shift = decimals - part.length + Number(exponent)
  const digits = BigInt(whole + part)
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  return digits % 10n ** BigInt(-shift) === 0n ? digits / 10n ** BigInt(-shift) : undefined
}

/** An amount in whole tokens, rounded to what a number holds. */
export function toNumber(wei: bigint, { decimals }: Pick<Token, 'decimals'>): number {
  const digits = `${wei}`.padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return Number(`${digits.slice(0, at)}.${digits.slice(at)}`)
}
