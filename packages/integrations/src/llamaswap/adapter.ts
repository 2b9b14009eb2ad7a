/**
 * Braid as a source of quotes in LlamaSwap's interface, written for LlamaSwap/interface at commit
 * 227cba9. The file is copied there, so it imports nothing: the host's two functions are given to it.
 *
 * The interface polls quotes and later sends the transaction of the chosen one. Nothing in a response
 * may therefore decide who is approved or how much of the native token leaves the wallet: both are
 * compared with what the host asked, and a response that departs from it is no quote.
 */

type Hex = `0x${string}`

/** A call as the host sends it. `value` is in wei. */
export type HostCall = { from: Hex; to: Hex; data: Hex; value?: bigint; gas?: bigint }

/** What the host knows of a wallet that can send several calls as one (EIP-5792). */
type BatchState = { isTokenApproved?: boolean; shouldRemoveApproval?: boolean }

/** The host's `utils/getTxs`: the swap, with the approvals that it needs before it. */
type GetTxs = (order: {
  fromAddress: Hex
  routerAddress: Hex
  data: Hex
  value?: bigint
  fromTokenAddress?: Hex
  fromAmount?: bigint
  eip5792?: BatchState
  tokenApprovalAddress?: Hex
}) => HostCall[]

/** The host's `utils/sendTx`: gives calls to the wallet. */
type SendTx = (calls: HostCall[]) => Promise<unknown>

type Settings = {
  /** Base address of a Braid API, without a slash at its end. */
  api: string
  /** The router that users approve, as deployed. Never taken from a response. */
  router: Hex
  /** Sent in the `apikey` header. Not needed by an API without keys. Visible to every visitor. */
  apikey?: string
  getTxs: GetTxs
  sendTx: SendTx
}

/** What the host passes beside an order. The zero address is no wallet; slippage is in percent. */
type ExtraData = { userAddress: string; slippage: string; amountOut?: string }

/** The answer of `/swap`; it stays JSON, because the host may carry it through its own server. */
type RawQuote = {
  dstAmount: string
  gas: string
  tx: { from: Hex; to: Hex; data: Hex; value: string }
}

/** `amountReturned` is in the smallest unit of the bought token. `rawQuote` is null without a wallet. */
type Price = {
  amountReturned: string
  estimatedGas: string
  tokenApprovalAddress: Hex
  rawQuote: RawQuote | null
  logo: string
}

type SwapOrder = {
  chain: string
  from: string
  fromAddress: Hex
  fromAmount: bigint | string
  rawQuote: RawQuote | null
  tokens: { fromToken: { address: Hex } }
  eip5792?: BatchState
}

const ZERO = '0x0000000000000000000000000000000000000000'
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const CHAIN = 'hyperliquid'
const CHAIN_ID = 999

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
const addressed = (token: string): string => (same(token, ZERO) ? NATIVE : token)

/**
 * The members that the host expects of an adapter module. `getQuote` and `swap` throw an `Error` whose
 * message is for people; the host shows no quote then.
 */
export function createAdapter({ api, router, apikey, getTxs, sendTx }: Settings) {
  async function ask<T>(path: string, params: Record<string, string>): Promise<T> {
    const url = `${api}${path}?${new URLSearchParams({ ...params, includeGas: 'true' })}`
    const response = await fetch(url, { headers: apikey === undefined ? {} : { apikey } })
    const body: unknown = await response.json()
    if (response.ok) return body as T
    const { code, message } = body as { code: string; message: string }
    throw new Error(`Braid: ${code}: ${message}`)
  }

  /** Throws unless the transaction is the wallet's, calls the router, and pays exactly `value` wei. */
  function check({ tx }: RawQuote, wallet: string, value: bigint): void {
    if (!same(tx.to, router)) throw new Error(`Braid: the router is ${router}, not ${tx.to}`)
    if (!same(tx.from, wallet)) throw new Error(`Braid: the swap is for ${tx.from}, not ${wallet}`)
    if (BigInt(tx.value) !== value) throw new Error(`Braid: the swap pays ${tx.value} wei`)
  }

  /** Sells `amount`, in the smallest unit. With a wallet, the price has the transaction to sign. */
  async function getQuote(
    chain: string,
    from: string,
    to: string,
    amount: string,
    extra: ExtraData,
  ): Promise<Price> {
    if (chain !== CHAIN) throw new Error(`Braid: chain ${chain} is not served`)
    if (extra.amountOut && extra.amountOut !== '0') {
      throw new Error('Braid: this adapter sells exact amounts; it cannot buy one')
    }
    const order = { src: addressed(from), dst: addressed(to), amount }
    const price = (dstAmount: string, gas: string, rawQuote: RawQuote | null): Price => ({
      ...{ amountReturned: dstAmount, estimatedGas: gas, rawQuote, logo: '' },
      tokenApprovalAddress: router,
    })
    const path = `/swap/v1/${CHAIN_ID}`
    if (same(extra.userAddress, ZERO)) {
      const { dstAmount, gas } = await ask<{ dstAmount: string; gas: string }>(
        `${path}/quote`,
        order,
      )
      return price(dstAmount, gas, null)
    }
    // The host asks before there is an approval, and checks the balance itself.
    const wallet = { from: extra.userAddress, slippage: extra.slippage, skipChecks: 'true' }
    const raw = await ask<RawQuote>(`${path}/swap`, { ...order, ...wallet })
    check(raw, extra.userAddress, same(order.src, NATIVE) ? BigInt(amount) : 0n)
    return price(raw.dstAmount, raw.gas, raw)
  }

  /** Sends the swap of a quote, in one batch with its approval where the wallet can. */
  async function swap(order: SwapOrder): Promise<unknown> {
    const { rawQuote, fromAddress, from, tokens, eip5792 } = order
    if (rawQuote === null) throw new Error('Braid: the quote was asked without a wallet')
    const fromAmount = BigInt(order.fromAmount)
    check(rawQuote, fromAddress, same(addressed(from), NATIVE) ? fromAmount : 0n)
    const { data, value } = rawQuote.tx
    const calls = getTxs({
      ...{ fromAddress, routerAddress: router, data, value: BigInt(value) },
      ...{ fromTokenAddress: tokens.fromToken.address, fromAmount, tokenApprovalAddress: router },
      ...(eip5792 && { eip5792 }),
    })
    return sendTx(calls)
  }

  return {
    chainToId: { [CHAIN]: CHAIN_ID },
    name: 'Braid',
    /** No token of its own. */
    token: null,
    isOutputAvailable: false,
    approvalAddress: (chain: string) => (chain === CHAIN ? router : undefined),
    getQuote,
    swap,
    getTxData: ({ rawQuote }: Pick<Price, 'rawQuote'>) => rawQuote?.tx.data,
    getTx: ({ rawQuote }: Pick<Price, 'rawQuote'>) => rawQuote?.tx ?? {},
  }
}
