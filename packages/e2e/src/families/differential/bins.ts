import type { Venue } from '@braid-swap/chain'
import type { Address, Direction } from '@braid-swap/core'
import { type Bin, getAmountOut, type LiquidityBookPool, toCurve } from '@braid-swap/core/families'
import { type Call, mintCalls, type Random } from '@braid-swap/devnet'
import { encodeFunctionData } from 'viem'
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
import { type BareChain, pairsOf, readPools } from './bareChain.js'
import { anyBits, anyInteger } from './integers.js'

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

function swapData(direction: Direction, to: Address) {
  const args = [direction.in === 0, to] as const
  return encodeFunctionData({ abi: binsAbi, functionName: 'swap', args })
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
