/** The answer to a swap, for HTTP and for clients of other services: an exact quote, and the transaction that performs it. */
import { BaseError, type Hex, type Payment, type RouterCall, swapCallOf } from '@braid-swap/core'
import { type TxFees, withGasMargin, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { getAddress } from 'viem'
import type { Asker } from '../admission/asker.js'
import type { FreshState } from '../answers/freshState.js'
import { metaOf } from '../answers/meta.js'
import { readTokenInfos } from '../answers/tokenMetadata.js'
import { requireTradable } from '../answers/tradable.js'
import type { ApiError } from '../errors.js'
import type { Need } from '../need.js'
import { CALLS_OF_SWAP } from '../node/clients.js'
import { constraintWarnings } from '../quoting/constraints.js'
import { type FeeOption, PPM_PER_BPS } from '../quoting/fee.js'
import { feesOfTx } from '../quoting/gasPrice.js'
import { steadinessWarnings } from '../quoting/steadiness.js'
import {
  approvalWarnings,
  gasWarnings,
  slippageWarnings,
  unitWarnings,
} from '../quoting/warnings.js'
import { showCalls } from '../wallets/calls.js'
import { walletMeta } from '../wallets/wallet.js'
import type { SwapBody, Warning } from '../wire/responses.js'
import { executorOf } from './executor.js'
import type { SwapParams } from './findSale.js'
import { isWouldRevert, poolsBetween, tokensBetween, withFault } from './lesson.js'
import { receiverWarnings } from './receiver.js'
import { nodeWarnings, runOnNode } from './seenOnNode.js'
import { simulationMeta } from './simulation.js'
import { findSteadySale } from './steadySale.js'
import { callOf, paymentOf } from './swapCall.js'
import { encodeTx, showTx, type Tx } from './swapTx.js'

/** What a swap is answered with, and what its caller knows of it. */
export type SwapNeed = Need & {
  readonly asker: Asker
  readonly fee: FeeOption
  readonly warnings?: readonly Warning[]
}

/**
 * The swap at a state, with the fields that the parameters ask for, and what it was made from. Throws what makes
 * the request wrong, the market unable to fill it, the wallet unable to pay it, or the transaction revert.
 */
export async function answerSwap(params: SwapParams, state: FreshState, need: SwapNeed) {
  const { src, dst } = params
  const { snapshot } = state.graph
  if (params.simulate) {
    await need.asker.charge('simulations', 1)
    await need.asker.charge('calls', CALLS_OF_SWAP)
  }
  const payment = paymentOf(snapshot, { tokenIn: src }, params)
  const asked = tellId(params, state, need)
  await requireTradable({ src, dst }, state, need)
  const passing = await findPassing(params, state, { payment, asked }, need)
  const { found, sent, fees, seen, wallet, approvals, unread, call, quoteId } = passing
  const { order, answer, srcAmount, solveMs, slippage } = found
  need.sampler.offer(state, { order, answer })
  const gas = seen.gas !== undefined && seen.gas > answer.gas ? seen.gas : answer.gas
  const gasLimit = params.gasLimit ?? withGasMargin(gas)
  const tx = { ...sent, gas: gasLimit }
  const { gasLimit: blockGasLimit } = snapshot.block
  const warnings = [
    ...(need.warnings ?? []),
    ...constraintWarnings(snapshot, params),
    ...receiverWarnings(params, snapshot, need),
    ...unitWarnings(params, snapshot.block),
    ...slippageWarnings(slippage, params.dstAmountExact !== undefined),
    ...approvalWarnings(approvals),
    ...(unread ? [unread] : []),
    ...gasWarnings({
      ...{ gas, gasLimit, blockGasLimit, usingBigBlocks: wallet?.usingBigBlocks },
      blocks: need.config.chain.blocks,
    }),
    ...nodeWarnings(seen, answer.amountOut),
    ...steadinessWarnings(found.unsteady, true),
  ]
  const body: SwapBody = {
    dstAmount: `${answer.amountOut}`,
    ...(srcAmount && { srcAmount: `${srcAmount}`, maxSrcAmount: `${order.amountIn}` }),
    ...(params.slippage === 'auto' && { slippageBps: slippage / PPM_PER_BPS }),
    tx: showTx(tx),
    encodedTx: encodeTx(tx),
    ...(params.includeCalls && { calls: showCalls([...approvals, sent]) }),
    ...(params.includeTokensInfo && (await readTokenInfos(need, { src, dst }))),
    ...(params.includeGas && { gas: `${gas}` }),
    ...(params.includeMeta && {
      meta: {
        ...(await metaOf(need, state, { quoteId, answer, order, params, solveMs, warnings })),
        ...swapMetaOf(call, { tx, fees }, slippage),
        simulated: seen.gas !== undefined,
        ...(seen.simulation && { simulation: simulationMeta(seen.simulation) }),
        ...(wallet && { wallet: walletMeta(wallet) }),
      },
    }),
  }
  return { body, order, answer, solveMs, call, seen, data: sent.data }
}

/** The id of the answer to these parameters at a state, which is told to the log at once. */
function tellId(params: SwapParams, { graph }: FreshState, need: SwapNeed): string {
  const quoteId = need.quoteIdAt(graph.snapshot, { endpoint: 'swap', params })
  need.asker.tell({ quoteId })
  return quoteId
}

/** Routes that a request tries, each without the pools at which the ones before it fail. */
const MOST_ROUTES = 3

type Sold = Awaited<ReturnType<typeof findSteadySale>>
type Passing = Awaited<ReturnType<typeof tryOnNode>> & {
  readonly quoteId: string
  readonly found: Sold
}

/** What a swap may pay less than quoted before it is asked whether the market moved, in parts per million. */
const SHORT_PPM = 500
const shortOf = (amountOut: bigint) => amountOut - (amountOut * BigInt(SHORT_PPM)) / 1_000_000n

/** What came of a route: a swap, and if that is no good, why, and the pools that the next route does without. */
type Attempt = {
  readonly passing?: Passing | undefined
  readonly refusal?: ApiError | undefined
  readonly pools?: readonly Hex[]
  /** What it pays at the block of its quote, if that is less than quoted; in wei. */
  readonly paid?: bigint | undefined
}

/**
 * A sale and its transaction, which passes on the node if it was asked. Where a route would revert, what is to
 * blame is judged and the order is solved again without it; if nothing is, without the tokens between its ends. A swap
 * that needs more gas than a block has, or pays less than quoted in the block of its quote, is replaced in the same way,
 * and kept if no other route is better. Throws SWAP_WOULD_REVERT or SIMULATION_REVERTED if what is left fails too.
 */
async function findPassing(
  params: SwapParams,
  state: FreshState,
  { payment, asked }: { readonly payment: Payment | undefined; readonly asked: string },
  need: SwapNeed,
): Promise<Passing> {
  let last: Attempt = {}
  // This order alone does without them, whatever becomes of them for others.
  const without = new Set(params.excludePools)
  for (let routes = 1; ; routes++) {
    const own = without.size > 0 ? { ...params, excludePools: new Set(without) } : params
    let quoteId = routes === 1 ? asked : tellId(own, state, need)
    const found = await findSteadySale(own, state, need).catch((error) => {
      // If an order has no other route, what is known of its first one says more than NO_ROUTE.
      if (routes === 1 || !(error instanceof BaseError)) throw error
    })
    if (!found) return lastResort(last, need)
    if (found.unsteady.size > 0) {
      const excludePools = new Set([...without, ...found.unsteady])
      quoteId = tellId({ ...params, excludePools }, state, need)
    }
    const isFirst = routes === 1
    const next = await attempt(params, state, { found, payment, quoteId, isFirst }, need)
    const { pools = [] } = next
    if (next.passing && !next.pools) {
      const { amountOut } = next.passing.found.answer
      return last.paid !== undefined && last.paid >= amountOut
        ? lastResort(last, need)
        : next.passing
    }
    last = last.passing ? { ...last, refusal: next.refusal } : next
    if (routes === MOST_ROUTES || pools.length === 0) return lastResort(last, need)
    for (const id of pools) without.add(id)
  }
}

function lastResort({ passing, refusal }: Attempt, need: SwapNeed): Passing {
  if (!passing) throw refusal
  need.asker.tell({ quoteId: passing.quoteId })
  return passing
}

async function attempt(
  params: SwapParams,
  state: FreshState,
  of: Pick<Passing, 'found' | 'quoteId'> & { payment: Payment | undefined; isFirst: boolean },
  need: SwapNeed,
): Promise<Attempt> {
  const { found, quoteId, isFirst } = of
  const { graph } = state
  const { order, answer } = found
  const swap = { order, route: answer.route }
  const { wrappedNative } = need.config
  const between = () => poolsBetween(swap, { graph, wrappedNative, all: !isFirst })
  try {
    const passing = { quoteId, found, ...(await tryOnNode(params, state, of, need)) }
    const { gasLimit } = graph.snapshot.block
    const { gas = 0n, paid = answer.amountOut } = passing.seen
    const isBeyond = gas > gasLimit && answer.gas <= gasLimit
    const isShort = paid < shortOf(answer.amountOut)
    return {
      passing,
      ...((isBeyond || isShort) && { pools: between() }),
      ...(isShort && { paid }),
    }
  } catch (error) {
    if (!isWouldRevert(error)) throw error
    const fault = await need.learnFrom(swap, need.asker.id)
    return {
      refusal: withFault(error, fault),
      pools: fault?.pools.map(({ id }) => id) ?? between(),
    }
  }
}

/** The transaction of a sale, and what the node says of it. Throws SWAP_WOULD_REVERT, SIMULATION_REVERTED. */
async function tryOnNode(
  params: SwapParams,
  state: FreshState,
  sale: { found: Sold; payment: Payment | undefined },
  need: SwapNeed,
) {
  const { payment } = sale
  const { router, wrappedNative } = need.config
  const { order, answer, slippage } = sale.found
  const fees = feesOfTx(state, params)
  const ownGas = withGasMargin(answer.gas)
  const gasCost = (params.gasLimit ?? ownGas) * fees.gasPrice
  const paid = { order, payment, gasCost }
  const { wallet, approvals, unread } = await need.wallets.payer(params, paid, need.asker)
  const executor = executorOf(need, answer.route)
  const wishes = { ...params, slippage, payment, executor }
  const call = callOf(state.graph.snapshot, order, answer, wishes)
  const sent = {
    ...{ from: params.from ?? ZERO_ADDRESS, gasPrice: fees.gasPrice },
    ...swapCallOf(router, call),
  }
  const [{ amountOut }, { minAmountOut }] = [answer, call]
  const isFunded = wallet !== undefined && approvals.length === 0 && !params.skipChecks
  const run = { tx: { ...sent, gas: ownGas }, order, amountOut, minAmountOut, payment, isFunded }
  const isPassing = tokensBetween({ order, route: answer.route }, wrappedNative).length > 0
  const isStricter = params.dstAmountExact === undefined && slippage > SHORT_PPM
  // Code between the ends may keep a part of what an estimate lets pass; the order may have another route.
  const strict =
    isPassing && isStricter
      ? callOf(state.graph.snapshot, order, answer, { ...wishes, slippage: SHORT_PPM })
      : undefined
  const seen = await runOnNode(need, {
    ...{ run, mustSimulate: params.simulate ?? false },
    block: state.graph.snapshot.block.number,
    strict: strict && { data: swapCallOf(router, strict).data, least: strict.minAmountOut },
  })
  return { call, sent, fees, wallet, approvals, unread, seen }
}

/** The promises of the calldata, for display in a wallet, and what it may pay for gas. */
function swapMetaOf(
  call: RouterCall,
  { tx, fees }: { readonly tx: Tx; readonly fees: TxFees },
  slippagePpm: number,
) {
  const minDstAmount = `${call.minAmountOut}`
  return {
    minDstAmount,
    slippagePpm,
    slippageBps: slippagePpm / PPM_PER_BPS,
    deadline: Number(call.deadline),
    fees: {
      maxFeePerGas: `${fees.maxFeePerGas}`,
      maxPriorityFeePerGas: `${fees.maxPriorityFeePerGas}`,
    },
    intent: {
      ...{ router: getAddress(tx.to), executor: getAddress(call.executor) },
      payer: getAddress(tx.from),
      receiver: getAddress(call.receiver === ZERO_ADDRESS ? tx.from : call.receiver),
      minDstAmount,
    },
  }
}
