import type { Address, Direction } from '@braid-swap/core'
import { getAmountOut, type StexPool } from '@braid-swap/core/families'
import { approveCall, type Call, mintCalls, type Random } from '@braid-swap/devnet'
import {
  createStexDoubles,
  deployStexFactory,
  type StexDouble,
  type StexSpec,
  setFeeCall,
  setStateCall,
  stexCall,
  stexSwapData,
} from '../doubles/stexes.js'
import { anyAmount } from './amounts.js'
import { type BareChain, pairsOf, readPools } from './bareChain.js'
import { type MovedFamily, movedFamily } from './following.js'
import { anyBelow, anyBits, anyInteger } from './integers.js'
import type { Swap } from './tally.js'

/** Our doubles of Valantis' exchanges, and the states of their pools as loaded. */
export type Stexes = BareChain & {
  readonly doubles: readonly StexDouble[]
  readonly pools: readonly StexPool[]
}

const ONE = 10n ** 18n
const KINDS = ['ratio', 'steps'] as const
const POOLS_PER_PAIR = 3

/** Exchanges with both kinds of fee for every pair of tokens, of every size, rate and queue. */
export async function createStexes(bare: BareChain): Promise<Stexes> {
  const { chain, random, trader } = bare
  const specs = pairsOf(bare.tokens).flatMap((tokens) =>
    KINDS.flatMap((kind) =>
      Array.from({ length: POOLS_PER_PAIR }, (): StexSpec => {
        const reserves = [anyBits(random, 1, 100), anyBits(random, 8, 100)] as const
        return {
          ...{ tokens, reserves, fee: anyFee(random, kind, reserves[1]) },
          ...anyState(random),
          poolManagerFeeBips: anyInteger(random, 0, 5_000),
        }
      }),
    ),
  )
  const doubles = await createStexDoubles(chain, await deployStexFactory(chain), specs)
  await chain.execute(
    doubles.flatMap(({ pool }, i) =>
      specs[i]!.tokens.map((token) => approveCall(token, { owner: trader, spender: pool })),
    ),
  )
  return { ...bare, doubles, pools: await readStexes(bare, doubles) }
}

/** Loads their current states. */
async function readStexes(
  { chain }: Pick<BareChain, 'chain'>,
  doubles: readonly StexDouble[],
): Promise<readonly StexPool[]> {
  const read = await Promise.all(doubles.map(async ({ venue }) => readPools(chain, venue)))
  return read.map(([pool]) => pool as StexPool)
}

/** Any rate around 1, and queues that may be empty, long, or longer than what is staked. */
function anyState(random: Random) {
  const sometimes = (bits: number) => (random.next() < 0.4 ? 0n : anyBits(random, 1, bits))
  const rate = random.next() < 0.3 ? ONE : ONE / 2n + anyBelow(random, 2n * ONE)
  return {
    rate,
    amountToken0PendingUnstaking: sometimes(100),
    amountToken1PendingLPWithdrawal: random.next() < 0.7 ? 0n : anyBits(random, 1, 98),
    amountToken1LendingPool: sometimes(100),
  }
}

function anyFee(random: Random, kind: 'ratio' | 'steps', reserve: bigint): StexSpec['fee'] {
  const anyBips = () =>
    random.next() < 0.7 ? anyInteger(random, 1, 60) : anyInteger(random, 1, 4_999)
  const ascending = (count: number) => Array.from({ length: count }, anyBips).sort((a, b) => a - b)
  if (kind === 'ratio') {
    const min = anyInteger(random, 0, 20_000)
    const [feeMin, feeMax] = ascending(2)
    return {
      ...{ kind, minThresholdRatioBips: min },
      maxThresholdRatioBips: min + Number(anyBits(random, 1, 20)),
      ...{ feeMinBips: feeMin!, feeMaxBips: feeMax! },
    }
  }
  const min = 1n + anyBelow(random, reserve + 1n)
  return {
    ...{ kind, minThresholdToken1: min },
    maxThresholdToken1: min + 1n + anyBelow(random, reserve * 2n),
    stepsBips: ascending(anyInteger(random, 1, 8)),
  }
}

/** One random move of an exchange: a swap, or a change by its owner or by time; few emit logs. */
function anyStexMove(
  { random, trader, chain }: Stexes,
  { double, pool }: { readonly double: StexDouble; readonly pool: StexPool },
): readonly Call[] {
  const from = chain.deployer
  const kind = random.next()
  if (kind < 0.1) return [setStateCall(from, double, { ...pool, ...anyState(random) })]
  if (kind < 0.2) return [setFeeCall(from, double, anyFee(random, pool.fee.kind, pool.reserves[1]))]
  if (kind < 0.3) return [stexCall(from, double.venue.factory, 'setPaused', [random.next() < 0.5])]
  if (kind < 0.35) {
    return [
      stexCall(from, double.pool, 'setPoolManagerFeeBips', [BigInt(anyInteger(random, 0, 5_000))]),
    ]
  }
  if (kind < 0.5) {
    const token = random.pick(pool.tokens)
    return mintCalls(from, { token, to: pool.id, amount: anyBits(random, 1, 90) })
  }
  const direction: Direction = random.next() < 0.6 ? { in: 0, out: 1 } : { in: 1, out: 0 }
  const amountIn = anyAmount(random, pool, direction)
  if (getAmountOut(pool, direction, amountIn) === 0n) return []
  const { to, data } = swapCall(trader, { pool, direction, amountIn })
  return [{ label: `swap in ${to}`, from: trader, to, data, gas: 1_000_000n }]
}

function swapCall(
  trader: Address,
  { pool, direction, amountIn }: Swap & { readonly pool: StexPool },
) {
  const data = stexSwapData(trader, pool, { isZeroToOne: direction.in === 0, amountIn })
  return { from: trader, to: pool.id, data }
}

/** The moves of stex pools. */
export function movedStexes(stexes: Stexes): MovedFamily {
  const doubleOf = new Map(stexes.doubles.map((double) => [double.pool as string, double]))
  const venues = stexes.doubles.map(({ venue }) => venue)
  return movedFamily('stex', venues, (pool) =>
    anyStexMove(stexes, { double: doubleOf.get(pool.id)!, pool }),
  )
}
