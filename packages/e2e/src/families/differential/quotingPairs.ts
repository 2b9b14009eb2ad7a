import {
  type Address,
  applySwap,
  type CamelotPool,
  type Direction,
  getAmountOut,
  type Hex,
  type SolidlyPool,
} from '@braid-swap/core'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import {
  createPairDoubles,
  deployPairDoubles,
  type PairDoubles,
  type PairSpec,
  quotingPairAbi,
} from '../doubles/pairs.js'
import { erc20Abi, pairAbi } from './abis.js'
import { anyAmount } from './amounts.js'
import { type BareChain, pairsOf, readPools } from './bareChain.js'
import { anyBits } from './integers.js'
import { simulate } from './simulate.js'
import { compare, count, type Swap, type Tally } from './tally.js'

/** Pairs of one kind of double, as loaded. */
export type QuotingPairs = BareChain & { readonly pools: readonly (SolidlyPool | CamelotPool)[] }

/** A volatile and a stable pair of each kind for every pair of tokens, of every size and ratio. */
export async function createQuotingPairs(
  bare: BareChain,
): Promise<readonly (QuotingPairs & PairDoubles)[]> {
  const { chain, random } = bare
  const kinds = await deployPairDoubles(chain)
  return Promise.all(
    kinds.map(async (doubles) => {
      const specs = pairsOf(bare.tokens).flatMap((tokens, i): readonly PairSpec[] => {
        const side = () => anyBits(random, 10, 100)
        // With a few wei on one side and a deep other side, inputs come near the end of a uint256.
        const few = anyBits(random, 1, 5)
        const deep = side()
        const amounts = i % 8 === 3 ? ([few, deep] as const) : i % 8 === 5 && ([deep, few] as const)
        const volatile: PairSpec = { tokens, stable: false, amounts: amounts || [side(), side()] }
        // Depths from a few wei to the overflow of the pair's own products.
        const [x, shift] = [anyBits(random, 8, 96), BigInt(Math.floor(random.next() * 8))]
        const stable: PairSpec = { tokens, stable: true, amounts: [x, (x >> shift) + 1n] }
        if (doubles.kind === 'camelot') return [i % 2 === 0 ? volatile : stable]
        return [volatile, stable]
      })
      await createPairDoubles(chain, doubles, specs)
      const pools = (await readPools(chain, doubles.venue)) as QuotingPairs['pools']
      return { ...bare, ...doubles, pools }
    }),
  )
}

// More than any pair takes, and little enough to be minted once more.
const MOST = 1n << 254n

/**
 * Reads a pair's quote, sends the input, and requests the quote and then one wei less, as the executor
 * does. Core must compute the amount paid, and the reserves after it.
 */
export async function checkQuotingSwap(market: QuotingPairs, tally: Tally): Promise<void> {
  const { chain, trader, random } = market
  const pool = random.pick(market.pools)
  const direction: Direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
  const drawn = anyAmount(random, pool, direction)
  const amountIn = drawn < MOST ? drawn : MOST
  const token = pool.tokens[direction.in as 0 | 1]
  const quoted = await quoteOf(market, { pair: pool.id, token, amountIn })
  const ask = (amount: bigint) => ({
    from: trader,
    to: pool.id,
    data: encodeFunctionData({
      abi: quotingPairAbi,
      functionName: 'swap',
      args: [direction.out === 0 ? amount : 0n, direction.out === 1 ? amount : 0n, trader, '0x'],
    }),
  })
  const give = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'mint',
    args: [pool.id, amountIn],
  })
  const [given, first, second, read] = await simulate(chain.client, [
    { from: trader, to: token, data: give },
    ask(quoted),
    ask(quoted > 0n ? quoted - 1n : 0n),
    {
      from: trader,
      to: pool.id,
      data: encodeFunctionData({ abi: pairAbi, functionName: 'getReserves' }),
    },
  ])
  if (!given!.succeeded) throw new Error(`the token did not mint ${amountIn}`)
  const paid = first!.succeeded ? quoted : second!.succeeded ? quoted - 1n : 0n
  const core = getAmountOut(pool, direction, amountIn)
  const swap = { pool, direction, amountIn }
  const isEqual = compare(tally, swap, { what: 'amount out', core, chain: paid })
  if (core === 0n) return count(tally, isEqual ? 'refused by both' : 'refused by core')
  const [reserve0, reserve1] = decodeFunctionResult({
    ...{ abi: pairAbi, functionName: 'getReserves', data: read!.data },
  })
  const after = applySwap(pool, direction, amountIn).reserves
  compare(tally, swap, { what: 'reserves', core: after, chain: [reserve0, reserve1] })
  if (!first!.succeeded) count(tally, 'of them a wei below the quote')
  count(tally, 'paid to the wei')
}

/**
 * Two swaps through one pair, the second in core's state after the first. Both outputs and the final
 * reserves must equal core's.
 */
export async function checkTwoSwaps(market: QuotingPairs, tally: Tally): Promise<void> {
  const { chain, trader, random } = market
  const calls: { from: Address; to: Address; data: Hex }[] = []
  const pool = random.pick(market.pools)
  let state = pool
  let swap: Swap | undefined
  for (let turn = 0; turn < 2; turn++) {
    const direction: Direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
    const most = state.reserves[direction.in as 0 | 1]
    const drawn = anyAmount(random, state, direction)
    const amountIn = drawn < most ? drawn : most
    const amountOut = getAmountOut(state, direction, amountIn)
    if (amountOut === 0n) return
    swap = { pool: state, direction, amountIn }
    state = applySwap(state, direction, amountIn)
    const outs = direction.out === 0 ? ([amountOut, 0n] as const) : ([0n, amountOut] as const)
    calls.push(
      {
        ...{ from: trader, to: pool.tokens[direction.in as 0 | 1] },
        data: encodeFunctionData({
          ...{ abi: erc20Abi, functionName: 'mint', args: [pool.id, amountIn] },
        }),
      },
      {
        ...{ from: trader, to: pool.id },
        data: encodeFunctionData({
          ...{ abi: quotingPairAbi, functionName: 'swap', args: [...outs, trader, '0x'] },
        }),
      },
    )
  }
  const read = encodeFunctionData({ abi: pairAbi, functionName: 'getReserves' })
  const results = await simulate(chain.client, [
    ...calls,
    { from: trader, to: pool.id, data: read },
  ])
  const succeeded = results.map((result) => result.succeeded)
  compare(tally, swap!, {
    what: 'both are paid',
    core: succeeded.map(() => true),
    chain: succeeded,
  })
  const [reserve0, reserve1] = decodeFunctionResult({
    ...{ abi: pairAbi, functionName: 'getReserves', data: results.at(-1)!.data },
  })
  compare(tally, swap!, { what: 'reserves', core: state.reserves, chain: [reserve0, reserve1] })
  count(tally, 'paid twice')
}

/** The pair's own quote; 0 if it reverts. */
async function quoteOf(
  { chain }: QuotingPairs,
  ask: { readonly pair: Address; readonly token: Address; readonly amountIn: bigint },
): Promise<bigint> {
  const data = encodeFunctionData({
    abi: quotingPairAbi,
    functionName: 'getAmountOut',
    args: [ask.amountIn, ask.token],
  })
  const [quote] = await simulate(chain.client, [{ from: chain.deployer, to: ask.pair, data }])
  return quote!.succeeded ? BigInt(quote!.data) : 0n
}
