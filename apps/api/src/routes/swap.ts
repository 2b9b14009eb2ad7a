import {
  type Address,
  divUp,
  encodeProgram,
  encodeRouterCall,
  type Hex,
  NATIVE,
  type Order,
  type RouterCall,
  type Snapshot,
} from '@braid-swap/core'
import { encodeAbiParameters, getAddress } from 'viem'
import type { ApiContext } from '../middleware/state.js'
import type { RouteParts } from '../parts.js'
import { minAmountOut, quoteExact } from '../quoting.js'
import type { SwapBody, Warning } from '../wire/responses.js'
import { checksumWarnings, identify, metaOf, timed } from './meta.js'
import { freshState, readQuery, requireChain, requireTokens } from './request.js'
import { readTokenInfos } from './tokenTexts.js'
import { estimateOnNode, requireWallet } from './wallet.js'

/** How long after the snapshot's block the router still accepts the swap. */
const DEADLINE_SECONDS = 1_200n
const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`

/** `GET /swap/v1/{chainId}/swap`: an exact quote and the transaction that performs it. */
export function swapRoute(parts: RouteParts) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, parts)
    ctx.set('cache-control', 'no-store')
    const { maxStateAgeMs, ...params } = readQuery(ctx, parts.schemas.swap)
    const state = freshState(ctx, parts, maxStateAgeMs)
    const quoteId = identify(ctx, state, { endpoint: 'swap', params })
    const { snapshot } = state.graph
    const { src, dst, from } = params
    await requireTokens(parts, snapshot, { src, dst })

    const order: Order = { tokenIn: src, tokenOut: dst, amountIn: params.amount }
    const gasPrice = params.gasPrice ?? snapshot.block.gasPrice
    const { value: answer, solveMs } = timed(ctx, parts.config, (shouldStop) => {
      const objective = params.objective ?? 'net'
      return quoteExact(state.graph, order, { objective, gasPrice, shouldStop })
    })
    ctx.set('x-quote-mode', answer.mode)
    const wallet =
      from && !params.skipChecks ? await requireWallet(parts, { owner: from, order }) : undefined

    const call = {
      ...{ tokenIn: src, amountIn: params.amount, tokenOut: dst },
      minAmountOut: minAmountOut(answer.amountOut, params.slippage, answer.route),
      receiver: params.receiver ?? ZERO_ADDRESS,
      deadline: snapshot.block.timestamp + DEADLINE_SECONDS,
      program: encodeProgram(answer.route, wrappedEnds(order, snapshot)),
    }
    const data = encodeRouterCall(call)
    const sent = { to: parts.config.router, data, value: src === NATIVE ? params.amount : 0n }
    const onNode = wallet && from ? await estimateOnNode(parts, { ...sent, from }) : undefined
    const isEstimated = onNode !== undefined && 'gas' in onNode
    ctx.set('x-gas-estimate', isEstimated ? 'node' : 'model')
    const gas = isEstimated && onNode.gas > answer.gas ? onNode.gas : answer.gas
    const gasLimit = params.gasLimit ?? divUp(gas * 12n, 10n)
    const tx = { from: from ?? ZERO_ADDRESS, ...sent, gasPrice, gas: gasLimit }
    const body: SwapBody = {
      dstAmount: `${answer.amountOut}`,
      tx: showTx(tx),
      encodedTx: encodeTx(tx),
      ...(params.includeTokensInfo && (await readTokenInfos(parts, { src, dst }))),
      ...(params.includeGas && { gas: `${gas}` }),
      ...(params.includeMeta && {
        meta: {
          ...metaOf(state, { quoteId, answer, order, solveMs }),
          ...swapMetaOf(call, tx, params.slippage),
          simulated: isEstimated,
          ...(wallet && {
            wallet: { balance: `${wallet.balance}`, allowance: `${wallet.allowance}` },
          }),
          warnings: [
            ...checksumWarnings(ctx, ['src', 'dst', 'from', 'receiver']),
            ...slippageWarnings(params.slippage),
            ...gasWarnings({ gas, gasLimit, blockGasLimit: snapshot.block.gasLimit }),
            ...(onNode !== undefined && 'failure' in onNode ? [onNode.failure] : []),
          ],
        },
      }),
    }
    ctx.body = body
  }
}

/** What the calldata promises, in words that a wallet can show. */
function swapMetaOf(call: RouterCall, tx: Tx, slippagePpm: number) {
  const minDstAmount = `${call.minAmountOut}`
  return {
    minDstAmount,
    slippagePpm,
    slippageBps: slippagePpm / 100,
    deadline: Number(call.deadline),
    intent: {
      router: getAddress(tx.to),
      payer: getAddress(tx.from),
      receiver: getAddress(call.receiver === ZERO_ADDRESS ? tx.from : call.receiver),
      minDstAmount,
    },
  }
}

type Tx = {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gasPrice: bigint
  readonly gas: bigint
}

/** One tuple of (from, to, data, value, gasPrice, gas), ABI-encoded: the first word is 0x20. */
function encodeTx(tx: Tx): Hex {
  return encodeAbiParameters([TX_TUPLE], [tx])
}

const TX_TUPLE = {
  type: 'tuple',
  components: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'data', type: 'bytes' },
    { name: 'value', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gas', type: 'uint256' },
  ],
} as const

function showTx({ from, to, data, value, gasPrice, gas }: Tx): SwapBody['tx'] {
  return {
    from: getAddress(from),
    to: getAddress(to),
    data,
    value: `${value}`,
    gasPrice: `${gasPrice}`,
    gas: `${gas}`,
  }
}

function wrappedEnds(order: Order, { wrappedNative }: Snapshot) {
  const wrapped = (token: Address) => (token === NATIVE ? wrappedNative : token)
  return { tokenIn: wrapped(order.tokenIn), tokenOut: wrapped(order.tokenOut) }
}

const FRACTION_BELOW_PPM = 100
const HIGH_ABOVE_PPM = 50_000

function slippageWarnings(ppm: number): readonly Warning[] {
  if (ppm > 0 && ppm < FRACTION_BELOW_PPM) {
    const message = 'slippage is in percent: 0.5 means half a percent'
    return [{ code: 'SLIPPAGE_LOOKS_LIKE_FRACTION', message }]
  }
  return ppm > HIGH_ABOVE_PPM
    ? [{ code: 'SLIPPAGE_HIGH', message: 'more than 5 % may be lost to slippage' }]
    : []
}

function gasWarnings(of: {
  gas: bigint
  gasLimit: bigint
  blockGasLimit: bigint
}): readonly Warning[] {
  const warnings: Warning[] = []
  if (of.gasLimit > of.blockGasLimit) {
    const message = `the gas limit is above an ordinary block's ${of.blockGasLimit}: only a wallet that uses big blocks can land it`
    warnings.push({ code: 'BIG_BLOCK_REQUIRED', message })
  }
  if (of.gasLimit < of.gas) {
    const message = `the gas limit is below the estimate of ${of.gas}`
    warnings.push({ code: 'GAS_LIMIT_BELOW_ESTIMATE', message })
  }
  return warnings
}
