// The program of `askPools.ts` on a scripted node: a test says what each swap comes to.
import { poolAskerAbi, poolAskerBytecode } from '@braid-swap/contracts'
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { decodeDeployData } from 'viem'
import type { Asked } from './scriptedNode.js'

/** A swap as the program gets it. */
export type ScriptedAsk = ReturnType<typeof asksOf>[number]

/** What a swap comes to; undefined: nothing is known. */
export type ToldSwap = { readonly callback?: Hex; readonly amountOut: bigint } | undefined

/** The program that a request runs, if it runs one. */
export function programIn({ method, params }: Asked): Hex | undefined {
  const { data = '0x' } = Object(params[0]) as { readonly data?: Hex }
  return method === 'eth_call' && data.startsWith(poolAskerBytecode) ? data : undefined
}

function asksOf(program: Hex) {
  const { args } = decodeDeployData({
    ...{ abi: poolAskerAbi, bytecode: poolAskerBytecode, data: program },
  })
  const lower = (address: Address) => address.toLowerCase() as Address
  return args![0].map((ask) => ({
    ...ask,
    ...{ pool: lower(ask.pool), lender: lower(ask.lender), token: lower(ask.token) },
  }))
}

/** The answer of the program: the block, and three words for each swap. */
export function answerProgram(
  { number, parentHash }: { readonly number: number; readonly parentHash: Hex },
  program: Hex,
  tell: (ask: ScriptedAsk) => ToldSwap,
): Hex {
  const told = asksOf(program).map(tell)
  const words = told.flatMap((one) => [
    ...[one ? 1n : 0n, BigInt(one?.callback ?? '0x0') << 224n, one?.amountOut ?? 0n],
  ])
  const head = [BigInt(number), BigInt(parentHash), BigInt(1_000_000 + number)]
  const all = [...head, 128n, BigInt(told.length), ...words]
  return `0x${all.map((word) => toHex(word, 32).slice(2)).join('')}`
}
