// Asks pools what they would pay, by a program that runs on the node in one `eth_call`
// (`PoolAsker.sol`). It needs no state override, no balance and no deployment, so a node that drops
// overrides answers as any other.

import { poolAskerAbi, poolAskerBytecode } from '@braid-swap/contracts'
import type { Address, Direction, Hex, Pool } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { encodeDeployData, zeroAddress } from 'viem'
import { wordAt } from '../reads/abiWords.js'
import type { BlockSeen, Call, CallResult } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import { createReader } from '../reads/multicall.js'
import { payingTerms } from '../reads/payingCalls.js'
import { type Client, callGasOf } from '../transport/client.js'

/** A swap of a pool with V3's `swap`, or of a pair whose input a lender has. */
export type Ask = {
  readonly pool: Pool
  readonly direction: Direction
  /** In wei. */
  readonly amountIn: bigint
  /** What core says, in wei: what a pair is asked for. */
  readonly quoted: bigint
  readonly lender?: Lender
}

/** What a pool lends from. */
export type Lender = Pick<Pool, 'id' | 'family' | 'tokens'>

/** What a swap came to. */
export type Told = {
  /** The selector of the callback of a pool with V3's `swap`. */
  readonly callback: Hex
  /** In wei; 0 if it is refused, and of a pair if it pays less than the quote. */
  readonly amountOut: bigint
  readonly seen: BlockSeen
}

const RANGED: ReadonlySet<string> = new Set(['uniswapV3', 'algebraIntegral', 'algebraV1'])

/** Returns true for a pool of a family with V3's `swap` and callback. */
export const isRanged = ({ family }: Pick<Pool, 'family'>): boolean => RANGED.has(family)

/** Returns true for a pool that lends a token in its callback. */
export const canLend = (pool: Lender, token: Address): boolean =>
  (isRanged(pool) || pool.family === 'uniswapV2') && pool.tokens.includes(token)

/** A swap over a few ticks fits; one that needs more is asked again alone. */
const GAS_PER_ASK = 1_000_000n
/** The program and its arguments may be 49,152 bytes (EIP-3860), with 256 for one swap. */
const MOST_TOGETHER = 30

/**
 * Asks for each swap apart from the others' effects, in few requests. One that does not pay the quote is asked for
 * again with all the gas of a request, because a lack of gas looks like a refusal. `undefined`: there is no
 * result even so, or the node refuses to run the call. Throws as the node does.
 */
export async function askPools(
  client: Client,
  at: Pick<Header, 'number' | 'hash' | 'baseFee'>,
  asks: readonly Ask[],
): Promise<readonly (Told | undefined)[]> {
  const read = createReader(client, at, payingTerms(client, at))
  const together = Math.min(Number(callGasOf(client) / GAS_PER_ASK) || 1, MOST_TOGETHER)
  const chunks = Array.from({ length: Math.ceil(asks.length / together) }, (_, i) =>
    asks.slice(i * together, (i + 1) * together),
  )
  const first = await Promise.all(chunks.map((chunk) => askTogether(read, chunk)))
  return Promise.all(
    first.flat().map(async (told, i) => {
      if (together === 1 || told?.amountOut === asks[i]!.quoted) return told
      const [alone] = await askTogether(read, [asks[i]!])
      return alone
    }),
  )
}

/** Words before the first outcome, and words of one. */
const [HEAD, WORDS] = [5, 3]

async function askTogether(
  read: (calls: readonly Call[]) => Promise<readonly CallResult[]>,
  asks: readonly Ask[],
): Promise<readonly (Told | undefined)[]> {
  const args = [asks.map(argumentsOf)] as const
  const data = encodeDeployData({ abi: poolAskerAbi, bytecode: poolAskerBytecode, args })
  const [answer] = await read([{ to: zeroAddress, data, isProgram: true, mayFail: true }])
  const { success, data: words, seen } = answer!
  return asks.map((_, i) => {
    if (!success || !seen) return undefined
    const [isHeard, callback, amountOut] = [0, 1, 2].map((n) => wordAt(words, HEAD + i * WORDS + n))
    if (isHeard === 0n) return undefined
    return { callback: toHex(callback! >> 224n, 4), amountOut: amountOut!, seen }
  })
}

function argumentsOf({ pool, direction, amountIn, quoted, lender }: Ask) {
  const token = pool.tokens[direction.in]!
  return {
    ...{ pool: pool.id, token, amountIn, amountOut: quoted },
    lender: lender?.id ?? zeroAddress,
    isPair: lender?.family === 'uniswapV2',
    lendsFirst: lender?.tokens[0] === token,
    zeroForOne: direction.in === 0,
  }
}
