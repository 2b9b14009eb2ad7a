import {
  BaseError,
  type Order,
  type Payment,
  type RouterCall,
  swapCallOf,
  withGasMargin,
  ZERO_ADDRESS,
} from '@braid-swap/core'
import { getAddress } from 'viem'
import type { ApiError } from '../errors.js'
import { approvalCalls, type Call, requireOwner, showCalls } from '../execution/calls.js'
import { executorOf } from '../execution/executor.js'
import { isWouldRevert, learnFrom, withFault } from '../execution/lesson.js'
import { receiverWarnings, requireReceiver } from '../execution/receiver.js'
import { simulationMeta } from '../execution/simulation.js'
import { callOf, paymentOf } from '../execution/swapCall.js'
import { encodeTx, showTx, type Tx } from '../execution/swapTx.js'
import { type Payer, requireWallet, walletMeta } from '../execution/wallet.js'
import type { MarketState } from '../market/liveMarket.js'
import { chargeNode, chargeSimulation } from '../middleware/limit.js'
import type { ApiContext } from '../middleware/state.js'
import { constraintWarnings } from '../quoting/constraints.js'
import { type FeeOption, feeOption, PPM_PER_BPS } from '../quoting/fee.js'
import { suspendedPools } from '../quoting/suspensions.js'
import { recordQuote } from '../records/quoteRecord.js'
import type { Services } from '../services/services.js'
import type { SwapBody } from '../wire/responses.js'
import { findSale, type SwapParams } from './findSale.js'
import { gasPriceOfTx } from './gasPrice.js'
import { metaOf, setQuoteId } from './meta.js'
import { freshState, readQuery, requireChain, requireRouter, requireTradable } from './request.js'
import { nodeWarnings, runOnNode, setNodeHeaders } from './seenOnNode.js'
import { readTokenInfos } from './tokenMetadata.js'
import {
  approvalWarnings,
  checksumWarnings,
  gasWarnings,
  slippageWarnings,
  unitWarnings,
} from './warnings.js'

/** `GET /swap/v1/{chainId}/swap`: an exact quote and the transaction that executes it. */
export function swapRoute(services: Services) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, services)
    ctx.set('cache-control', 'no-store')
    const { maxStateAgeMs, block, ...params } = readQuery(ctx, services.schemas.swap)
    const { src, dst } = params
    const ends = { tokenIn: src, tokenOut: dst }
    requireReceiver(services, ends, params)
    requireOwner(params)
    const fee = feeOption(services, ends, params)
    requireRouter(services)
    if (params.simulate) {
      await chargeSimulation(ctx, services)
      await chargeNode(ctx, services, CALLS_OF_SWAP)
    }
    const state = freshState(ctx, services, { maxStateAgeMs, block })
    const { snapshot } = state.graph
    const payment = paymentOf(snapshot, ends, params)
    const asked = { state, params, fee, payment }
    swapId(ctx, services, asked)
    await requireTradable(services, state, { src, dst }, ctx)

    const passing = await findPassing(ctx, services, asked)
    const { quoteId, found, call, sent, wallet, approvals, seen } = passing
    const { order, answer, srcAmount, solveMs, slippage } = found
    const { amountOut } = answer
    const { minAmountOut } = call
    setNodeHeaders(ctx, seen)
    const gas = seen.gas !== undefined && seen.gas > answer.gas ? seen.gas : answer.gas
    const gasLimit = params.gasLimit ?? withGasMargin(gas)
    const tx = { ...sent, gas: gasLimit }
    const { gasLimit: blockGasLimit } = snapshot.block
    const warnings = [
      ...checksumWarnings(ctx, ['src', 'dst', 'from', 'receiver']),
      ...constraintWarnings(snapshot, params),
      ...receiverWarnings(params, snapshot, services),
      ...unitWarnings(params, snapshot.block),
      ...slippageWarnings(slippage),
      ...approvalWarnings(approvals),
      ...gasWarnings({ gas, gasLimit, blockGasLimit, usingBigBlocks: wallet?.usingBigBlocks }),
      ...nodeWarnings(seen, amountOut),
    ]
    const body: SwapBody = {
      dstAmount: `${amountOut}`,
      ...(srcAmount && { srcAmount: `${srcAmount}`, maxSrcAmount: `${order.amountIn}` }),
      ...(params.slippage === 'auto' && { slippageBps: slippage / PPM_PER_BPS }),
      tx: showTx(tx),
      encodedTx: encodeTx(tx),
      ...(params.includeCalls && { calls: showCalls([...approvals, sent]) }),
      ...(params.includeTokensInfo && (await readTokenInfos(services, { src, dst }))),
      ...(params.includeGas && { gas: `${gas}` }),
      ...(params.includeMeta && {
        meta: {
          ...metaOf(services, state, { quoteId, answer, order, solveMs, warnings }),
          ...swapMetaOf(call, tx, slippage),
          simulated: seen.gas !== undefined,
          ...(seen.simulation && { simulation: simulationMeta(seen.simulation) }),
          ...(wallet && { wallet: walletMeta(wallet) }),
        },
      }),
    }
    const { receiver } = params
    recordQuote(services, ctx, {
      ...{ endpoint: 'swap', market: state, order, answer, solveMs, minAmountOut, receiver },
      data: sent.data,
    })
    ctx.body = body
  }
}

/** Calls of the node for a swap with `from`: the wallet, and the estimate of its gas. */
const CALLS_OF_SWAP = 2

/** Routes for whose faults a request searches, each without the pools at which the ones before it fail. */
const MOST_ROUTES = 3

type Asked = {
  readonly state: MarketState
  readonly params: SwapParams
  readonly fee: FeeOption
  readonly payment: Payment | undefined
}

/**
 * A sale and its transaction, which passes on the node if it was asked. Where a route would revert, what is to
 * blame is suspended and the order is solved again without it. Throws SWAP_WOULD_REVERT or
 * SIMULATION_REVERTED if nothing is to blame, or what is left fails too.
 */
async function findPassing(ctx: ApiContext, services: Services, asked: Asked) {
  let refusal: ApiError | undefined
  for (let routes = 1; ; ) {
    const quoteId = swapId(ctx, services, asked)
    const found = await findSaleOr(refusal, () => findSale(ctx, services, asked))
    ctx.state.found = found
    try {
      return { quoteId, found, ...(await tryOnNode(ctx, services, { ...asked, found })) }
    } catch (error) {
      if (!isWouldRevert(error)) throw error
      const swap = { order: found.order, route: found.answer.route }
      const fault = await learnFrom(services, swap, ctx.state.key!.bucket)
      refusal = withFault(error, fault)
      if (!fault || routes === MOST_ROUTES) throw refusal
      if (fault !== 'known') routes += 1
    }
  }
}

/** The sale. If an order has no other route, that its first one would revert says more than NO_ROUTE. */
async function findSaleOr<T>(refusal: ApiError | undefined, find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    throw refusal && error instanceof BaseError ? refusal : error
  }
}

function swapId(ctx: ApiContext, { suspensions }: Services, { state, params }: Asked): string {
  const suspended = suspendedPools(state.graph.snapshot, suspensions)
  return setQuoteId(ctx, state, { endpoint: 'swap', params, suspended })
}

/** The transaction of a sale, and what the node says of it. Throws SWAP_WOULD_REVERT, SIMULATION_REVERTED. */
async function tryOnNode(
  ctx: ApiContext,
  services: Services,
  {
    state,
    params,
    payment,
    found,
  }: Omit<Asked, 'fee'> & { readonly found: Awaited<ReturnType<typeof findSale>> },
) {
  const { order, answer, slippage } = found
  const { wallet, approvals } = await readPayer(ctx, services, params, { order, payment })
  const executor = executorOf(services, answer.route)
  const wishes = { ...params, slippage, payment, executor }
  const call = callOf(state.graph.snapshot, order, answer, wishes)
  const sent = {
    ...{ from: params.from ?? ZERO_ADDRESS, gasPrice: gasPriceOfTx(state, params.gasPrice) },
    ...swapCallOf(services.config.router, call),
  }
  const [{ amountOut }, { minAmountOut }] = [answer, call]
  const isFunded = wallet !== undefined && approvals.length === 0 && !params.skipChecks
  const run = { tx: sent, order, amountOut, minAmountOut, payment, isFunded }
  const seen = await runOnNode(services, { run, mustSimulate: params.simulate ?? false })
  return { call, sent, wallet, approvals, seen }
}

/** The wallet that pays, if it is read, and the calls that give it the allowance it lacks. */
async function readPayer(
  ctx: ApiContext,
  services: Services,
  { from: owner, skipChecks, includeCalls, includeMeta }: SwapParams,
  { order, payment }: { readonly order: Order; readonly payment: Payment | undefined },
): Promise<{ readonly wallet: Payer | undefined; readonly approvals: readonly Call[] }> {
  if (!owner || (skipChecks && !includeCalls)) return { wallet: undefined, approvals: [] }
  await chargeNode(ctx, services, CALLS_OF_SWAP)
  const asked = { owner, order, payment, isAsked: includeMeta ?? false }
  const [mayApprove, isUnchecked] = [includeCalls ?? false, skipChecks ?? false]
  const wallet = await requireWallet(services, { ...asked, mayApprove, isUnchecked })
  const approvals = includeCalls ? await approvalCalls(services, { ...asked, wallet }) : []
  return { wallet, approvals }
}

/** The promises of the calldata, for display in a wallet. */
function swapMetaOf(call: RouterCall, tx: Tx, slippagePpm: number) {
  const minDstAmount = `${call.minAmountOut}`
  return {
    minDstAmount,
    slippagePpm,
    slippageBps: slippagePpm / PPM_PER_BPS,
    deadline: Number(call.deadline),
    intent: {
      ...{ router: getAddress(tx.to), executor: getAddress(call.executor) },
      payer: getAddress(tx.from),
      receiver: getAddress(call.receiver === ZERO_ADDRESS ? tx.from : call.receiver),
      minDstAmount,
    },
  }
}
