/**
 * Finds the hop at which a swap fails on the newest block: the router is asked, in one `eth_call`, for every
 * prefix of the route. The executor reverts with `Leftover` where a prefix has done all its hops, so each prefix
 * leaves no trace, and the first with another error names the hop.
 *
 * What a stranger sends cannot make a good pool the culprit. The payer is a contract of nobody, funded by a state
 * override; the failure must repeat in a second call; the market's own state of that very block must say that the
 * route passes; and a hop after a token that the operator does not trust is never blamed, because that token's
 * code has run before it and may have moved the pool.
 */
import { callGasOf, overrideHolding } from '@braid-swap/chain'
import {
  type Address,
  encodeProgram,
  encodeRouterCall,
  type Hex,
  type Hop,
  NATIVE,
  type PlannedHop,
  poolById,
  type Route,
  replay,
  wrappedOf,
} from '@braid-swap/core'
import { decodeFunctionResult, encodeFunctionData, multicall3Abi, type StateOverride } from 'viem'
import type { MarketState } from '../market/liveMarket.js'
import type { Need } from '../need.js'
import { revertText } from '../node/revert.js'
import type { Fault, Swap } from '../quoting/suspensions.js'
import { executorOf } from './executor.js'

/** What faults are looked for with. */
type Parts = Omit<Need, 'learnFrom' | 'wallets'>

/** Gets the output; not the payer, because a contract may refuse the native token. */
const NOBODY: Address = '0xb4a1db4a1db4a1db4a1db4a1db4a1db4a1db4a1d'
const FAR_DEADLINE = 2n ** 40n
/** How long the market may take to have the block that the node answered from. */
const STATE_WAIT_MS = 1_500

/**
 * The fault of a swap that reverted; `undefined` if no pool is to blame: it passes for another sender, the market
 * has moved, the node has no overrides or not this block. Throws as the node does.
 */
export async function findFault(need: Parts, swap: Swap): Promise<Fault | undefined> {
  const hops = swap.route.filter(({ pool }) => !pool.tokens.includes(NATIVE))
  const payer = need.client.chain.contracts?.multicall3?.address
  if (!payer || hops.length === 0) return undefined
  const ask = await prefixesOf(need, { ...swap, hops }, payer)
  if (!ask) return undefined
  const all = await ask(hops.map((_, i) => i).concat(hops.length))
  const first = all.failures.findIndex((failure) => failure !== undefined)
  // Without a hop the amount is only pulled from a payer that nobody knows.
  if (first < 1) return undefined
  const again = await ask([first - 1, first])
  const [before, reason] = again.failures
  if (before !== undefined || reason === undefined) return undefined
  const state = await stateAt(need, again.block)
  if (!state || !passesAt(state, swap)) return undefined
  return { hops: blamed(need, hops.slice(0, first)), reason, block: again.block }
}

/** The hops to blame, of those up to the one that failed. */
function blamed({ trusted }: Parts, upTo: readonly Hop[]): readonly Hop[] {
  const strange = upTo.filter(({ pool }) => pool.tokens.some((token) => !trusted.has(token)))
  return strange.length > 0 ? strange : upTo.slice(-1)
}

type Prefixes = { readonly failures: readonly (string | undefined)[]; readonly block: bigint }

/** Asks for the failures of prefixes, each a number of hops; `undefined` if the payer cannot be funded. */
async function prefixesOf(
  need: Parts,
  { order, hops }: Pick<Swap, 'order'> & { readonly hops: Route },
  payer: Address,
): Promise<((counts: readonly number[]) => Promise<Prefixes>) | undefined> {
  const { client, config } = need
  const { tokenIn, tokenOut, amountIn } = order
  const { wrappedNative, router } = config
  const executor = executorOf(need, hops)
  const ends = {
    tokenIn: wrappedOf(tokenIn, wrappedNative),
    tokenOut: wrappedOf(tokenOut, wrappedNative),
  }
  const isNative = tokenIn === NATIVE
  const held = isNative
    ? []
    : await overrideHolding(client, {
        ...{ token: tokenIn, owner: payer, amount: amountIn, spender: router },
      })
  if (!held) return undefined
  const value = isNative ? amountIn : 0n
  const callOf = (count: number) => ({
    ...{ target: router, allowFailure: true, value },
    callData: encodeRouterCall({
      ...{ tokenIn, amountIn, tokenOut, minAmountOut: 1n, receiver: NOBODY },
      ...{ deadline: FAR_DEADLINE, executor, program: encodeProgram(hops.slice(0, count), ends) },
    }),
  })
  const abi = multicall3Abi
  const blockNumber = encodeFunctionData({ abi: BLOCK_NUMBER, functionName: 'getBlockNumber' })
  const where = { target: payer, allowFailure: false, value: 0n, callData: blockNumber }
  return async (counts) => {
    const total = value * BigInt(counts.length)
    const stateOverride: StateOverride = [...held, { address: NOBODY, balance: total }]
    const { data = '0x' } = await client.call({
      // Set, because a node may default to the block's limit, and the prefixes of a long route take more.
      ...{ account: NOBODY, to: payer, value: total, stateOverride, gas: callGasOf(client) },
      data: encodeFunctionData({
        ...{ abi: AGGREGATE_VALUE, functionName: 'aggregate3Value' },
        args: [[where, ...counts.map(callOf)]],
      }),
    })
    const [block, ...results] = decodeFunctionResult({ abi, functionName: 'aggregate3', data })
    return {
      failures: results.map((result, i) => failureOf(result, counts[i]!)),
      block: BigInt(block!.returnData),
    }
  }
}

const BLOCK_NUMBER = [
  {
    ...{ type: 'function', name: 'getBlockNumber', stateMutability: 'view', inputs: [] },
    outputs: [{ type: 'uint256', name: 'blockNumber' }],
  },
] as const
const AGGREGATE_VALUE = [
  {
    ...{ type: 'function', name: 'aggregate3Value', stateMutability: 'payable', outputs: [] },
    inputs: [
      {
        ...{ type: 'tuple[]', name: 'calls' },
        components: [
          { type: 'address', name: 'target' },
          { type: 'bool', name: 'allowFailure' },
          { type: 'uint256', name: 'value' },
          { type: 'bytes', name: 'callData' },
        ],
      },
    ],
  },
] as const

/** How a prefix failed; `undefined` if all its hops were done. */
function failureOf(
  { success, returnData }: { readonly success: boolean; readonly returnData: Hex },
  count: number,
): string | undefined {
  if (success) return undefined
  const text = revertText(returnData)
  const name = text.split('(')[0]!
  const isDone = count === 0 ? name === 'NoHops' : DONE.has(name)
  return isDone ? undefined : text
}

/** The errors after the last hop: something is left, or nothing has become the token out yet. */
const DONE: ReadonlySet<string> = new Set(['Leftover', 'AmountOutTooLow'])

/** The market's state of a block; `undefined` if it does not arrive in time. */
async function stateAt(
  { recentStates, market }: Parts,
  block: bigint,
): Promise<MarketState | undefined> {
  const find = () => recentStates.find({ block })
  if (find() || !market.onState) return find()
  const { onState } = market
  await new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      end()
      resolve()
    }
    const timer = setTimeout(finish, STATE_WAIT_MS)
    const end = onState(() => {
      if (find()) finish()
    })
  })
  return find()
}

/** True if the route passes in our state of the block; otherwise its pools have moved, and none is at fault. */
function passesAt({ graph }: MarketState, { order, route }: Swap): boolean {
  const hops: PlannedHop[] = []
  for (const { pool, direction, share } of route) {
    const own = poolById(graph, pool.id)
    if (!own) return false
    hops.push({ pool: own, direction, share })
  }
  return replay(hops, order) !== undefined
}
