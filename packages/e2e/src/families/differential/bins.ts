import type { Venue } from '@braid-swap/chain'
import {
  type Address,
  applySwap,
  type Bin,
  type Direction,
  getAmountOut,
  type LiquidityBookPool,
  toCurve,
} from '@braid-swap/core'
import { type Call, mintCalls, type Random } from '@braid-swap/devnet'
import { encodeFunctionData, erc20Abi } from 'viem'
import { isFullRun } from '../../draws.js'
import {
  type BinsSpec,
  binsAbi,
  binsCall,
  changeCall,
  createBinsDoubles,
  deployBinsDoubles,
  depositCalls,
  setFeeCall,
} from '../doubles/bins.js'
import { anyAmount } from './amounts.js'
import { type BareChain, pairsOf, readPools } from './bareChain.js'
import { anyBits, anyInteger } from './integers.js'
import { type SimulatedCall, simulate } from './simulate.js'
import { compare, count, type Swap, type Tally } from './tally.js'

/** Our doubles of Liquidity Book pairs, and their states as loaded. */
export type BinsMarket = BareChain & {
  readonly venue: Venue
  readonly pools: readonly LiquidityBookPool[]
}

const MIDDLE_ID = 1 << 23
const PAIRS_PER_TOKENS = isFullRun ? 4 : 2
const BIN_STEPS = [1, 5, 10, 20, 25, 50, 100, 200] as const
/** 10 % of 10¹⁸. */
const MAX_FEE = 10n ** 17n

/** Pairs for every two tokens, of any bin step, price, fee, and number and size of bins. */
export async function createBinsMarket(bare: BareChain): Promise<BinsMarket> {
  const { chain, random } = bare
  const specs = pairsOf(bare.tokens).flatMap(([a, b]) =>
    Array.from({ length: PAIRS_PER_TOKENS }, (): BinsSpec => {
      const binStep = random.pick(BIN_STEPS)
      const log2Price = anyInteger(random, -40, 40)
      const exponent = Math.round((log2Price * Math.LN2) / Math.log1p(binStep / 10_000))
      const activeId = MIDDLE_ID + exponent
      const tokens = random.next() < 0.5 ? ([a, b] as const) : ([b, a] as const)
      return {
        tokens,
        binStep,
        activeId,
        bins: anyBins(random, activeId),
        staticFee: anyFee(random, binStep),
      }
    }),
  )
  const venue = await deployBinsDoubles(chain)
  await createBinsDoubles(chain, venue, specs)
  const pools = (await readPools(chain, venue)) as readonly LiquidityBookPool[]
  return { ...bare, venue, pools }
}

/** Neighbouring and scattered bins on both sides; the active one may have both tokens. */
function anyBins(random: Random, activeId: number): readonly Bin[] {
  const offsets = new Set<number>([anyInteger(random, -3, 3)])
  const width = anyInteger(random, 1, 12)
  for (let offset = -width; offset <= width; offset++) if (random.next() < 0.8) offsets.add(offset)
  for (let k = 0; k < 3; k++) offsets.add(anyInteger(random, -2_000, 2_000))
  return [...offsets].map((offset) => {
    const [x, y] = [anyBits(random, 1, 90), anyBits(random, 1, 90)]
    return { id: activeId + offset, reserves: [offset < 0 ? 0n : x, offset > 0 ? 0n : y] as const }
  })
}

function anyFee(random: Random, binStep: number): LiquidityBookPool['staticFee'] {
  const step = BigInt(binStep)
  const mostBase = MAX_FEE / 2n / (step * 10n ** 10n)
  const most = anyBits(random, 0, 19)
  const mostControl = ((MAX_FEE / 2n) * 100n) / ((most * step) ** 2n + 1n)
  const [base, control] = [anyBits(random, 0, 15), anyBits(random, 0, 24)]
  const filterPeriod = anyInteger(random, 1, 60)
  return {
    baseFactor: base < mostBase ? base : mostBase,
    filterPeriod: BigInt(filterPeriod),
    decayPeriod: BigInt(anyInteger(random, filterPeriod, 600)),
    reductionFactor: BigInt(anyInteger(random, 0, 10_000)),
    variableFeeControl: control < mostControl ? control : mostControl,
    protocolShare: BigInt(anyInteger(random, 0, 2_500)),
    maxVolatilityAccumulator: most,
  }
}

/**
 * Swaps three times in a row in one pair, some seconds after its last swap. Core must compute each
 * output to the wei, refuse what the pair refuses, and end with the bins and the fee's memory that
 * the pair reports.
 */
export async function checkBinsSwaps(market: BinsMarket, tally: Tally): Promise<void> {
  const { chain, trader, random } = market
  const loaded = random.pick(market.pools)
  const { timestamp } = await chain.client.getBlock()
  const wait = BigInt(anyInteger(random, 1, 900))
  let state: LiquidityBookPool = { ...loaded, quotedAt: timestamp + wait }
  const swaps: (Swap & { readonly pool: LiquidityBookPool })[] = []
  for (let turn = 0; turn < 3; turn++) {
    const direction: Direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
    const drawn = anyAmount(random, state, direction)
    const amountIn = drawn < MOST ? drawn : MOST
    swaps.push({ pool: state, direction, amountIn })
    state = applySwap(state, direction, amountIn)
    // A refused swap leaves its payment in the pair, and the next one takes it.
    if (getAmountOut(swaps.at(-1)!.pool, direction, amountIn) === 0n) break
  }
  const reads = readCalls(trader, state)
  const calls = [...swaps.flatMap((swap) => swapCalls(trader, swap)), ...reads]
  const results = await simulate(chain.client, calls, state.quotedAt)
  for (const [i, swap] of swaps.entries()) {
    const { succeeded, data } = results[2 * i + 1]!
    const paid = succeeded ? BigInt.asUintN(128, BigInt(data)) + (BigInt(data) >> 128n) : 0n
    const core = getAmountOut(swap.pool, swap.direction, swap.amountIn)
    compare(tally, swap, { what: 'amount out', core, chain: paid })
    count(tally, paid > 0n ? 'paid to the wei' : 'refused by both')
  }
  const left = results.slice(2 * swaps.length).map(({ data }) => data)
  compare(tally, swaps.at(-1)!, { what: 'state', core: wordsOf(state), chain: left })
}

// The trader has 2²⁵³ wei, which no balance of a pair can take.
const MOST = 1n << 251n

function swapCalls(
  from: Address,
  { pool, direction, amountIn }: Swap & { readonly pool: LiquidityBookPool },
): readonly SimulatedCall[] {
  const args = [pool.id, amountIn] as const
  const pay = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return [
    { from, to: pool.tokens[direction.in as 0 | 1], data: pay },
    { from, to: pool.id, data: swapData(direction, from) },
  ]
}

function swapData(direction: Direction, to: Address) {
  const args = [direction.in === 0, to] as const
  return encodeFunctionData({ abi: binsAbi, functionName: 'swap', args })
}

/** Reads the active bin, the fee's memory and every bin. */
function readCalls(from: Address, { id: to, bins }: LiquidityBookPool): readonly SimulatedCall[] {
  const getters = (['getActiveId', 'getVariableFeeParameters'] as const).map((functionName) =>
    encodeFunctionData({ abi: binsAbi, functionName }),
  )
  const ofBins = bins.map(({ id }) =>
    encodeFunctionData({ abi: binsAbi, functionName: 'getBin', args: [id] }),
  )
  return [...getters, ...ofBins].map((data) => ({ from, to, data }))
}

/** Returns what those reads return for a state. */
function wordsOf({ activeId, variableFee, bins }: LiquidityBookPool): readonly string[] {
  const { volatilityAccumulator, volatilityReference, idReference } = variableFee
  const memory = [volatilityAccumulator, volatilityReference, BigInt(idReference)]
  const rows = [
    [BigInt(activeId)],
    [...memory, variableFee.timeOfLastUpdate],
    ...bins.map(({ reserves }) => reserves),
  ]
  return rows.map((row) => `0x${row.map((n) => n.toString(16).padStart(64, '0')).join('')}`)
}

/** One random move of a pair: a swap, liquidity, new settings of its fee, or a forced decay. */
export function anyBinsMove(
  { random, trader, chain }: BinsMarket,
  pool: LiquidityBookPool,
): readonly Call[] {
  const from = chain.deployer
  const kind = random.next()
  if (kind < 0.1) return depositCalls(from, pool, anyBins(random, pool.activeId))
  if (kind < 0.2) {
    const bins = pool.bins.filter(() => random.next() < 0.3)
    return [changeCall(from, pool.id, { functionName: 'withdraw', bins })]
  }
  if (kind < 0.25) return [setFeeCall(from, pool.id, anyFee(random, pool.binStep))]
  if (kind < 0.3) return [binsCall(from, pool.id, { functionName: 'forceDecay' })]
  const direction: Direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
  const { limit } = toCurve(pool, direction)
  if (limit < 16) return []
  // Twice at most half of what the bins take: the fee may be another in the block to come.
  const most = BigInt(Math.floor(limit / 4))
  return Array.from({ length: anyInteger(random, 1, 2) }).flatMap(() => {
    const amount = anyBits(random, 1, most.toString(2).length - 1)
    if (getAmountOut(pool, direction, amount) < 2n) return []
    const data = swapData(direction, trader)
    return [
      ...mintCalls(from, { token: pool.tokens[direction.in as 0 | 1], to: pool.id, amount }),
      { label: `swap in ${pool.id}`, from: trader, to: pool.id, data, gas: 10_000_000n },
    ]
  })
}
