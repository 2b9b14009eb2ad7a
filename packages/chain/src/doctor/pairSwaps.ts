// Asks a Uniswap V2 pair for its outputs. A pair has no quote function and wants its input before it pays,
// so another pool lends the input: in the lender's callback it is paid to the pair, and the pair is asked
// for core's output and for one wei more.

import {
  type Address,
  type Direction,
  getAmountOut,
  type Hex,
  type UniswapV2Pool,
} from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import { callData } from '../reads/abiWords.js'
import type { Client } from '../transport/client.js'
import { amountsFor } from './amounts.js'
import { type Ask, askPools, SCRIPT_BYTES, scriptOf, type Told } from './askPools.js'
import { readBalances } from './balances.js'
import { DIRECTIONS, type ProbedSwap, type ProbeOptions } from './probedSwap.js'
import { rangedSwap } from './rangedSwaps.js'

const SWAP = toFunctionSelector('function swap(uint256,uint256,address,bytes)')
const TRANSFER = toFunctionSelector('function transfer(address,uint256)')
/** The offset of the last argument, after four words. */
const BYTES_AT = 128n
/** Receives what a pair pays. */
const NOBODY = 0xb4a1d01n
/** Pools that may lend a token, of which the richest is taken. */
const CANDIDATES = 20
const SCRIPT_RESULT_BYTES = 96

/** The method of probing a pair, in words, for the vector file. */
export const PAIR_CALL =
  'the output that swap(amount0Out, amount1Out, to, "") pays, and refuses to raise by one wei, after another pool lent the input'

type Lender = ProbeOptions['lenders'][number]

/**
 * The pair's outputs, around its reserves, up to what the richest lender has of the token. None in a direction
 * in which no pool can lend.
 */
export async function probePair(
  client: Client,
  pair: UniswapV2Pool,
  { block, lenders }: ProbeOptions,
): Promise<readonly ProbedSwap[]> {
  const all = await Promise.all(
    DIRECTIONS.map(async (direction) => {
      const token = pair.tokens[direction.in as 0 | 1]
      const able = lenders.filter((one) => canLend(one, token) && one.id !== pair.id)
      const some = able.slice(0, CANDIDATES)
      const balances = await readBalances(
        client,
        block,
        some.map(({ id }) => ({ token, holder: id })),
      )
      const most = balances.reduce((a, b) => (a > b ? a : b), 0n)
      const lender = some[balances.indexOf(most)]
      if (!lender) return []
      const reserve = pair.reserves[direction.in as 0 | 1]
      const amounts = amountsFor(reserve).filter((amountIn) => amountIn < most)
      return askPair(client, { pair, direction, block, lender, amounts })
    }),
  )
  return all.flat()
}

const LENDING: ReadonlySet<string> = new Set([
  ...['uniswapV2', 'uniswapV3', 'algebraIntegral', 'algebraV1'],
])

/** True for a pool that lends a token in its callback. */
export const canLend = ({ family, tokens }: Lender, token: Address): boolean =>
  LENDING.has(family) && tokens.includes(token)

type Asked = {
  readonly pair: UniswapV2Pool
  readonly direction: Direction
  readonly block: ProbeOptions['block']
  readonly lender: Lender
  readonly amounts: readonly bigint[]
}

async function askPair(
  client: Client,
  { pair, direction, block, lender, amounts }: Asked,
): Promise<readonly ProbedSwap[]> {
  const outputs = amounts.map((amountIn) => getAmountOut(pair, direction, amountIn))
  const told = await askPools(client, block, {
    asks: amounts.map((amountIn, i) =>
      pairAsk(lender, { pair, direction, amountIn, amountOut: outputs[i]! }),
    ),
    isExpected: (one, i) => paysExactly(one, outputs[i]!),
  })
  return amounts.flatMap((amountIn, i) => {
    const one = told[i]
    if (!one || !wasLent(one)) return []
    const swap = { direction, amountIn, seen: one.seen }
    return [paysExactly(one, outputs[i]!) ? { ...swap, amountOut: outputs[i]! } : swap]
  })
}

/** The call by which a lender pays a pair an input, and the pair is asked for an output and for one wei more. */
export function pairAsk(lender: Lender, swap: PairSwap): Ask {
  const { pair, direction, amountIn } = swap
  const token = pair.tokens[direction.in]!
  return lendingCall(lender, { token, amount: amountIn, script: paidSwaps(swap) })
}

/** False if the lender did not lend, or its payment failed: that says nothing of the pair. */
export function wasLent({ size, words }: Told): boolean {
  return size === SCRIPT_RESULT_BYTES && words[0] === 1n
}

/** Paid, no wei more, and the output, if there is one: a pair refuses to pay nothing. */
export function paysExactly({ size, words }: Told, amountOut: bigint): boolean {
  const [isPaid, more, exact] = words
  const isExact = amountOut === 0n || exact === 1n
  return size === SCRIPT_RESULT_BYTES && isPaid === 1n && more === 0n && isExact
}

type PairSwap = Pick<Asked, 'pair' | 'direction'> & {
  readonly amountIn: bigint
  readonly amountOut: bigint
}

function paidSwaps({ pair, direction, amountIn, amountOut }: PairSwap): Hex {
  const swapFor = (out: bigint) =>
    callData(SWAP, ...sides(direction.out, out), NOBODY, BYTES_AT, 0n)
  return scriptOf(
    { token: pair.tokens[direction.in as 0 | 1], pair: pair.id },
    {
      pay: callData(TRANSFER, BigInt(pair.id), amountIn),
      first: swapFor(amountOut + 1n),
      second: swapFor(amountOut),
    },
  )
}

/** A call of the lender for an amount of a token, with a script for its callback. */
function lendingCall(
  { id, family, tokens }: Lender,
  {
    token,
    amount,
    script,
  }: { readonly token: Address; readonly amount: bigint; readonly script: Hex },
): Ask {
  const at = tokens.indexOf(token)
  if (family !== 'uniswapV2')
    return rangedSwap(id, { zeroForOne: at === 1, amount: -amount }, script)
  const head = callData(SWAP, ...sides(at, amount), 0n, BYTES_AT, SCRIPT_BYTES)
  return { to: id, data: `${head}${script.slice(2)}`, receiver: 2 }
}

const sides = (index: number, amount: bigint): readonly [bigint, bigint] =>
  index === 0 ? [amount, 0n] : [0n, amount]
