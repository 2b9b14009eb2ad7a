/**
 * Braid as a liquidity venue of Morpho's liquidation bot, written for
 * morpho-org/morpho-blue-liquidation-bot at commit 2b00762. The file is copied there, so it imports
 * only packages that the host has.
 *
 * The host lets a venue append calls that its executor contract makes between the seizure of the
 * collateral and the repayment of the loan. Of a response only the calldata is passed on, and only after
 * it was decoded and every term was compared with the order. Who is approved, for how much, and which
 * contract is called without the native token, are the settings and the order of the host.
 */
import type { ExecutorEncoder } from 'executooor-viem'
import { type Address, decodeFunctionData, type Hex, isAddressEqual, parseAbi } from 'viem'

/** What the host has still to convert: `srcAmount` in wei of `src`. Nothing is left if both are the same. */
type ToConvert = { src: Address; dst: Address; srcAmount: bigint }

type Settings = {
  /** Base address of a Braid API, without a slash at its end. */
  api: string
  /** The router that the executor approves, as deployed. Never taken from a response. */
  router: Address
  /** Basis points below the quoted output at which the swap reverts. */
  slippageBps: number
  /** Sent in the `apikey` header. Not needed by an API without keys. */
  apikey?: string
  /** Milliseconds after which the API counts as out of service. */
  timeoutMs?: number
  /** Gets the reason for which a conversion was left to other venues. */
  report?: (reason: string) => void
}

/** The fields of `/swap` that are read. `dstAmount` is in wei of the token bought. */
type Swap = { dstAmount: string; tx: { to: Address; data: Hex; value: string } }

const CHAIN_ID = 999
const BPS = 10_000n
const TIMEOUT_MS = 5_000

const abi = parseAbi([
  'function swap(address tokenIn, uint256 amountIn, address tokenOut, uint256 minAmountOut, address receiver, uint256 deadline, bytes program) payable returns (uint256 amountOut)',
])

/** The venue for the host's factory. It converts the whole amount, or changes nothing and says why. */
export function createVenue(settings: Settings) {
  const { api, router, slippageBps, apikey, timeoutMs = TIMEOUT_MS } = settings
  const { report = console.error } = settings
  if (!Number.isInteger(slippageBps) || slippageBps < 0 || slippageBps > 5_000) {
    throw new RangeError(`slippageBps must be an integer from 0 to 5000, not ${slippageBps}`)
  }

  /** Asks for the swap of the executor. Throws if the API does not answer with one in time. */
  async function ask(from: Address, { src, dst, srcAmount }: ToConvert): Promise<Swap> {
    const query = new URLSearchParams({
      ...{ src, dst, amount: `${srcAmount}`, from, receiver: from },
      slippage: `${slippageBps / 100}`,
      // The executor gets the collateral, and approves it, in the transaction of the swap itself.
      skipChecks: 'true',
    })
    const response = await fetch(`${api}/swap/v1/${CHAIN_ID}/swap?${query}`, {
      headers: apikey === undefined ? {} : { apikey },
      // Another server would get the key, and another path is not this API.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text) as Swap
    throw new Error(`the API answers ${response.status}: ${text.slice(0, 200)}`)
  }

  /** Throws unless the transaction is the order, for the executor, with the floor of the settings. */
  function check({ dstAmount, tx }: Swap, executor: Address, { src, dst, srcAmount }: ToConvert) {
    const { args } = decodeFunctionData({ abi, data: tx.data })
    const [tokenIn, amountIn, tokenOut, minAmountOut, receiver] = args
    const wrong = [
      isAddressEqual(tx.to, router) || `the contract called is ${tx.to}, not the router ${router}`,
      BigInt(tx.value) === 0n || `the swap pays ${tx.value} wei of the native token`,
      isAddressEqual(tokenIn, src) || `the token sold is ${tokenIn}, not ${src}`,
      amountIn === srcAmount || `the amount sold is ${amountIn}, not ${srcAmount}`,
      isAddressEqual(tokenOut, dst) || `the token bought is ${tokenOut}, not ${dst}`,
      isAddressEqual(receiver, executor) || `the receiver is ${receiver}, not ${executor}`,
      minAmountOut * BPS >= BigInt(dstAmount) * (BPS - BigInt(slippageBps)) ||
        `the floor is ${minAmountOut}, too far below the ${dstAmount} quoted`,
      minAmountOut > 0n || 'the floor is 0',
    ].filter((each) => each !== true)
    if (wrong.length > 0) throw new Error(`the API answers another swap: ${wrong.join('; ')}`)
  }

  return {
    /** Any two tokens of HyperEVM; whether there is a route is known only when it is asked. */
    supportsRoute(encoder: ExecutorEncoder, src: Address, dst: Address): boolean {
      return encoder.client.chain.id === CHAIN_ID && !isAddressEqual(src, dst)
    },

    /**
     * Appends the approval and the swap of exactly `srcAmount` and leaves nothing to convert. If the
     * API cannot serve, or answers another swap, nothing is appended and the order comes back
     * unchanged: the host then tries its next venue.
     */
    async convert(encoder: ExecutorEncoder, order: ToConvert): Promise<ToConvert> {
      const { src, dst, srcAmount } = order
      try {
        const swap = await ask(encoder.address, order)
        check(swap, encoder.address, order)
        encoder.erc20Approve(src, router, srcAmount).pushCall(router, 0n, swap.tx.data)
        return { src: dst, dst, srcAmount: 0n }
      } catch (error) {
        const reason = error instanceof Error ? error.message : `${error}`
        report(`Braid: ${src} to ${dst} left to other venues: ${reason}`)
        return order
      }
    },
  }
}
