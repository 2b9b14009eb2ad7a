/** Pools of the families that the devnet does not have, and their random moves in one form. */
import type { Venue } from '@braid-swap/chain'
import type {
  AlgebraIntegralPool,
  BalancerBufferPool,
  BalancerV2Pool,
  BalancerV3Pool,
  CurveCryptoPool,
  CurveStableSwapPool,
  Erc4626Pool,
  FamilyName,
  LadderPool,
  LiquidityBookPool,
  Pool,
  SolidlyPool,
  StexPool,
  UniswapV4Pool,
} from '@braid-swap/core'
import type { Call } from '@braid-swap/devnet'
import { anyAlgebraMove } from './differential/algebraIntegralMoves.js'
import { createAlgebraPools } from './differential/algebraIntegralPools.js'
import { createBufferMarket } from './differential/balancerBuffers.js'
import { createBalancerMarket } from './differential/balancers.js'
import { createBalancerV2Market } from './differential/balancersV2.js'
import { type BareChain, pairsOf } from './differential/bareChain.js'
import { anyBinsMove, createBinsMarket } from './differential/bins.js'
import { anyCryptoSwapMove, createCryptoSwapMarket } from './differential/cryptoSwaps.js'
import { anyBits } from './differential/integers.js'
import { createQuotingPairs } from './differential/quotingPairs.js'
import { anyStableSwapMove, createStableSwapMarket } from './differential/stableSwaps.js'
import { anyStexMove, createStexes } from './differential/stexes.js'
import { anyUniswapV4Move, createUniswapV4Market } from './differential/uniswapV4Pools.js'
import { anyVaultMove, createVaults } from './differential/vaults.js'
import { createLadderDoubles, deployLadderDoubles, setDepthsCall } from './doubles/ladders.js'
import { anyPairMove } from './doubles/pairMoves.js'

/** Pools of a family, and one random move of a pool in the state given. */
export type MovedFamily = {
  readonly family: FamilyName
  readonly venues: readonly Venue[]
  readonly isOwn: (pool: Pool) => boolean
  readonly move: (pool: Pool, timestamp: bigint) => readonly Call[] | Promise<readonly Call[]>
}

const [BALANCERS, BUFFERS, UNISWAP_V4_POOLS] = [6, 3, 4]

/** Creates pools of each family on a chain whose tokens have 18 decimals. */
export async function createMovedFamilies(bare: BareChain): Promise<readonly MovedFamily[]> {
  const algebra = await createAlgebraPools(bare, 'sliding')
  const balancers = await createBalancerMarket(bare, BALANCERS)
  const buffers = await createBufferMarket(bare, balancers.balancer, BUFFERS)
  const balancersV2 = await createBalancerV2Market(bare, BALANCERS)
  const bins = await createBinsMarket(bare)
  const curve = await createStableSwapMarket(bare)
  const crypto = await createCryptoSwapMarket(bare)
  const stexes = await createStexes(bare)
  const vaults = await createVaults(bare)
  const uniswapV4 = await createUniswapV4Market(bare, UNISWAP_V4_POOLS)
  const of = (family: FamilyName, venues: readonly Venue[], move: MovedFamily['move']) => {
    const ids = new Set(venues.map(({ id }) => id))
    const isOwn = (pool: Pool) => pool.family === family && ids.has(pool.venue)
    return { family, venues, move, isOwn }
  }
  const doubleOf = new Map(stexes.doubles.map((double) => [double.pool as string, double]))
  return [
    of('algebraIntegral', [algebra.venue], (pool) =>
      anyAlgebraMove({ bare, algebra }, pool as AlgebraIntegralPool),
    ),
    // Balancer's vault keeps its buffers too.
    of('balancerBuffer', [buffers.venue], (pool) => buffers.move(pool as BalancerBufferPool)),
    of('balancerV2', [balancersV2.venue], (pool) => balancersV2.move(pool as BalancerV2Pool)),
    of('balancerV3', [balancers.venue], (pool) => balancers.move(pool as BalancerV3Pool)),
    of('liquidityBook', [bins.venue], (pool) => anyBinsMove(bins, pool as LiquidityBookPool)),
    of('curveStableSwap', [curve.venue], (pool, timestamp) =>
      anyStableSwapMove(curve, pool as CurveStableSwapPool, timestamp),
    ),
    of('curveCrypto', [crypto.venue], (pool, timestamp) =>
      anyCryptoSwapMove(crypto, pool as CurveCryptoPool, timestamp),
    ),
    of(
      'stex',
      stexes.doubles.map(({ venue }) => venue),
      (pool) => anyStexMove(stexes, { double: doubleOf.get(pool.id)!, pool: pool as StexPool }),
    ),
    of('erc4626', vaults.venues, (pool) => anyVaultMove(vaults, pool as Erc4626Pool)),
    of('uniswapV4', [uniswapV4.v4.venue], (pool) =>
      anyUniswapV4Move(uniswapV4, pool as UniswapV4Pool),
    ),
    await createMovedLadders(bare),
    ...(await createMovedPairs(bare)),
  ]
}

async function createMovedPairs(bare: BareChain): Promise<readonly MovedFamily[]> {
  const kinds = await createQuotingPairs(bare)
  return (['solidly', 'camelot'] as const).map((family) => {
    const own = kinds.filter(({ venue }) => venue.family === family)
    const kindOf = ({ venue }: Pool) => own.find((kind) => kind.venue.id === venue)
    return {
      family,
      venues: own.map(({ venue }) => venue),
      isOwn: (pool: Pool) => kindOf(pool) !== undefined,
      move: (pool: Pool) => anyPairMove(kindOf(pool)!, pool as SolidlyPool),
    }
  })
}

/** Sampled pools, whose prices move without a log. */
async function createMovedLadders({ chain, random, tokens }: BareChain): Promise<MovedFamily> {
  const venue = await deployLadderDoubles(chain)
  const anyTwo = () => [anyBits(random, 70, 90), anyBits(random, 70, 90)] as const
  const specs = pairsOf(tokens).map((pair) => ({
    ...{ tokens: pair, depths: anyTwo(), reserves: anyTwo() },
  }))
  await createLadderDoubles(chain, venue, specs)
  return {
    ...{ family: 'ladder', venues: [venue], isOwn: ({ venue: id }) => id === venue.id },
    move: ({ id }: Pick<LadderPool, 'id'>) => [setDepthsCall(chain.deployer, id, anyTwo())],
  }
}
