// A devnet whose blocks are mined all the time, a server that builds honest swaps, and a wallet over it. Tests
// let the wallet, its node and the server answer otherwise.
import { type Address, NATIVE, routerCallOf, swapCallOf } from '@braid-swap/core'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'
import { erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { SwapMemory } from '../send/memory.js'
import type { SendTerms, SwapOrder } from '../send/order.js'
import type { PayBy } from '../send/payment.js'
import type { SwapBuilder, SwapProgress } from '../send/prepare.js'
import { sendSwap } from '../send/sendSwap.js'
import { layeredWallet, type Rules } from './layeredWallet.js'
import { mineAlways } from './mineAlways.js'

export const AMOUNT = 10n ** 18n
/** The caller's `maxNetworkFee`, in wei. */
export const FEE = 10n ** 16n
/** An answer that was lost on its way. */
export const LOST = () => new TypeError('fetch failed')
/** Both kinds of a wallet: a key of ours, and a provider that signs. */
export const kinds = ['key', 'provider'] as const
export const soon = { pollMs: 20, unknownMs: 1_500, waitMs: 8_000 }

/** The devnet of a file of tests; `mining` is put back to on after each test. */
export const chain = { mining: true } as { devnet: Devnet; mining: boolean }

/** Borrows the devnet for a file of tests. */
export function borrowForFile(): void {
  let stop: () => Promise<void>
  beforeAll(async () => {
    chain.devnet = await borrowDevnet()
    stop = mineAlways(chain.devnet, () => chain.mining)
  })
  afterEach(() => {
    chain.mining = true
  })
  afterAll(async () => {
    await stop?.()
    await chain.devnet?.stop()
  })
}

type Meta = Awaited<ReturnType<SwapBuilder['swap']>>['meta']
/** What a server answers to a swap. */
export type Built = Awaited<ReturnType<typeof honest>>
/** What an honest server answers to a wrap, which is a swap without a pool and pays what it costs. */
export async function honest({ src, dst, ...asked }: SwapOrder) {
  const amount = asked.amount ?? asked.dstAmountExact ?? 0n
  const { timestamp } = await chain.devnet.client.getBlock()
  const call = routerCallOf(
    { order: { tokenIn: src, tokenOut: dst, amountIn: amount }, route: [], amountOut: amount },
    {
      ...{ wrappedNative: chain.devnet.wrappedNative, executor: chain.devnet.executor },
      ...{ slippagePpm: 0n, deadline: timestamp + 1_000n },
    },
  )
  const from = chain.devnet.wallet.address.toLowerCase() as Address
  return {
    dstAmount: amount,
    tx: { from, ...swapCallOf(chain.devnet.router, call), gas: 200_000n, gasPrice: 10n ** 9n },
    meta: {
      warnings: [],
      fees: { maxFeePerGas: 2n * 10n ** 9n, maxPriorityFeePerGas: 0n },
    } as Meta,
  }
}

/** An order that is filled without a pool. */
export const wrap = () =>
  ({ src: NATIVE, dst: chain.devnet.wrappedNative, amount: AMOUNT, slippage: 0 }) as const
/** The order back. */
export const unwrap = () =>
  ({ src: chain.devnet.wrappedNative, dst: NATIVE, amount: AMOUNT, slippage: 0 }) as const

type Run = {
  readonly kind?: (typeof kinds)[number]
  readonly rules?: Rules
  readonly order?: SwapOrder
  readonly lie?: (built: Built, asked: SwapOrder) => Built
  readonly payBy?: PayBy
  readonly memory?: SwapMemory
  readonly minAmountOut?: bigint | undefined
  readonly maxAmountIn?: bigint
  readonly maxNetworkFee?: bigint
  readonly waitMs?: number
  readonly unknownMs?: number
  readonly onStep?: (progress: SwapProgress) => void
}
/** Sends a swap by a wallet whose node and server answer as told. */
async function run({
  kind = 'key',
  rules,
  order = wrap(),
  lie = (it) => it,
  ...options
}: Run = {}) {
  const wallet = layeredWallet(chain.devnet, kind, rules)
  const { timestamp } = await chain.devnet.client.getBlock()
  const limits = { minAmountOut: AMOUNT, maxAmountIn: AMOUNT, maxNetworkFee: FEE, ...options }
  const terms = { ...limits, latestDeadline: timestamp + 1_200n } as SendTerms
  const braid = { swap: async (asked: SwapOrder) => lie(await honest(asked), asked) }
  const where = { ...terms, router: chain.devnet.router, wrappedNative: chain.devnet.wrappedNative }
  const sent = sendSwap(wallet, order, where, { ...soon, braid, ...options })
  const outcome = await sent.then(
    (done) => ({ done, error: undefined, code: undefined }),
    (error: unknown) => ({ done: undefined, error, code: codeOf(error) }),
  )
  return { ...outcome, asked: wallet.asked }
}

/** The code of an error, or of what viem wrapped. */
function codeOf(error: unknown): unknown {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  return code ?? (cause ? codeOf(cause) : undefined)
}

/** Asks the wrapped native token. */
export const read = (functionName: 'balanceOf' | 'allowance', ...args: readonly Address[]) =>
  chain.devnet.client.readContract({
    ...{ address: chain.devnet.wrappedNative, abi: erc20Abi, functionName, args: args as never },
  }) as Promise<bigint>

/** What the wallet holds, in wei of the native token, wrapped or not, and its next nonce. */
export async function held() {
  const { address } = chain.devnet.wallet
  const [native, wrapped, nonce] = await Promise.all([
    chain.devnet.client.getBalance({ address }),
    read('balanceOf', address),
    chain.devnet.client.getTransactionCount({ address }),
  ])
  return { native, wrapped, worth: native + wrapped, nonce }
}

/** Runs and reports what it cost: wrapped tokens, everything together, transactions. */
export async function cost(asked: Run) {
  const before = await held()
  const outcome = await run(asked)
  const after = await held()
  return {
    ...outcome,
    wrapped: after.wrapped - before.wrapped,
    lost: before.worth - after.worth,
    transactions: after.nonce - before.nonce,
  }
}

/** What one swap costs, and what no transaction at all does. */
export const ONE_SWAP = { wrapped: AMOUNT, transactions: 1 }
export const NOTHING = { wrapped: 0n, lost: 0n, transactions: 0 }
