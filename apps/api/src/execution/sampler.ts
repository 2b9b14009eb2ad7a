// A sample of the API's own answers, simulated on the next blocks as if somebody had sent each of them.

import { mayOverride } from '@braid-swap/chain'
import { type Snapshot, swapCallOf } from '@braid-swap/core'
import { txFeesOf, withGasMargin, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { ApiError } from '../errors.js'
import type { Need } from '../need.js'
import { accuracyOf, type Sale, type Sampler } from '../quoting/accuracy.js'
import { executorOf } from './executor.js'
import { type Run, simulateSeen } from './simulation.js'
import { callOf } from './swapCall.js'

/** Blocks after the quote on which a sample is simulated. */
const AGES = 3
/** The floor of a sample below its quote, in parts per million: what moves further does revert. */
const SLIPPAGE = 5_000
/** What a swap that reverts counts as in the histogram: all of it is lost. */
const ALL_BPS = 10_000
/** The newest samples whose figures are told. */
const KEPT = 500

type Parts = Omit<Need, 'sampler' | 'learnFrom' | 'wallets'>

/** Samples nothing where the node's requests are limited, which are for callers, or gives nobody the amount to sell. */
export function createSampler(need: Parts): Sampler {
  const { market, metrics, config } = need
  let open: { readonly block: bigint; readonly run: Run; readonly venues: Set<string> } | undefined
  const gaps: (number | undefined)[] = []
  const isOff = config.rpcRequestsPerMinute !== undefined
  const observe = (age: number, venues: Iterable<string>, gapBps: number | undefined) => {
    for (const venue of ['all', ...venues]) {
      metrics.sampleBps.observe({ age: `${age}`, venue }, Math.max(0, gapBps ?? ALL_BPS))
    }
    if (age !== 1) return
    gaps.push(gapBps)
    if (gaps.length > KEPT) gaps.shift()
  }
  market.onState?.(async () => {
    const block = market.current()?.graph.snapshot.block.number
    if (!open || block === undefined || block <= open.block) return
    const { run, venues, block: quoted } = open
    const age = Number(block - quoted)
    if (age >= AGES) open = undefined
    if (age > AGES) return
    try {
      observe(age, venues, await gapOf(need, run))
    } catch (error) {
      // Nobody waits for it, and the next one may be simulated.
      need.log.debug({ err: error }, 'a sample was not simulated')
    }
  })
  return {
    offer: ({ graph: { snapshot } }, sale) => {
      const isIdle = !isOff && !open && mayOverride(need.client)
      const run = isIdle ? runOf(need, snapshot, sale) : undefined
      if (!run) return
      const venues = new Set(sale.answer.route!.map(({ pool }) => pool.venue))
      open = { block: snapshot.block.number, run, venues }
    },
    accuracy: () => (gaps.length > 0 ? accuracyOf(gaps) : null),
  }
}

/** The swap of an answer; undefined if it has none. */
function runOf(need: Parts, snapshot: Snapshot, { order, answer }: Sale): Run | undefined {
  const { route } = answer
  if (!route || need.config.router === ZERO_ADDRESS) return undefined
  try {
    const wishes = { slippage: SLIPPAGE, payment: undefined, executor: executorOf(need, route) }
    const call = callOf(snapshot, order, { ...answer, route }, wishes)
    // It is simulated on later blocks, whose base fee may have risen.
    const { maxFeePerGas: gasPrice } = txFeesOf(snapshot.block.gasPrice, 0n)
    const gas = withGasMargin(answer.gas)
    const tx = { from: ZERO_ADDRESS, gasPrice, gas, ...swapCallOf(need.config.router, call) }
    const { minAmountOut } = call
    return {
      tx,
      order,
      amountOut: answer.amountOut,
      minAmountOut,
      payment: undefined,
      isFunded: false,
    }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** What is paid less than quoted, in basis points; undefined if the swap reverts. Throws as the node does. */
async function gapOf(need: Parts, run: Run): Promise<number | undefined> {
  try {
    const seen = await simulateSeen(need, run)
    if (!seen.ran) throw new ApiError('UPSTREAM_RPC', seen.why.message)
    return Number(((run.amountOut - seen.dstAmount) * 1_000_000n) / run.amountOut) / 100
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SIMULATION_REVERTED') return undefined
    throw error
  }
}
