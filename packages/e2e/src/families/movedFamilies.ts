/** Pools of the families that the devnet does not have, and their random moves in one form. */
import { anyAlgebraMove } from './differential/algebraIntegralMoves.js'
import { createAlgebraPools } from './differential/algebraIntegralPools.js'
import { createBufferMarket } from './differential/balancerBuffers.js'
import { createBalancerMarket } from './differential/balancers.js'
import { createBalancerV2Market } from './differential/balancersV2.js'
import { type BareChain, pairsOf } from './differential/bareChain.js'
import { anyBinsMove, createBinsMarket } from './differential/bins.js'
import { anyCryptoSwapMove, createCryptoSwapMarket } from './differential/cryptoSwaps.js'
import { type MovedFamily, movedFamily } from './differential/following.js'
import { anyBits } from './differential/integers.js'
import { createQuotingPairs } from './differential/quotingPairs.js'
import { anyStableSwapMove, createStableSwapMarket } from './differential/stableSwaps.js'
import { createStexes, movedStexes } from './differential/stexes.js'
import { anyUniswapV4Move, createUniswapV4Market } from './differential/uniswapV4Pools.js'
import { anyVaultMove, createVaults } from './differential/vaults.js'
import { createLadderDoubles, deployLadderDoubles, setDepthsCall } from './doubles/ladders.js'
import { deployMovingFees, movedFees } from './doubles/movingFees.js'
import { movedPairs } from './doubles/pairMoves.js'
import { createUnstakings, movedUnstakings } from './doubles/unstaking.js'

const BALANCERS = 6
const BUFFERS = 3
const UNISWAP_V4_POOLS = 4

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
  const unstakings = await createUnstakings(bare)
  const vaults = await createVaults(bare)
  const uniswapV4 = await createUniswapV4Market(bare, UNISWAP_V4_POOLS)
  return [
    movedFamily('algebraIntegral', [algebra.venue], (pool) =>
      anyAlgebraMove({ bare, algebra }, pool),
    ),
    // Balancer's vault keeps its buffers too.
    movedFamily('balancerBuffer', [buffers.venue], buffers.move),
    movedFamily('balancerV2', [balancersV2.venue], balancersV2.move),
    movedFamily('balancerV3', [balancers.venue], balancers.move),
    movedFamily('liquidityBook', [bins.venue], (pool) => anyBinsMove(bins, pool)),
    movedFamily('curveStableSwap', [curve.venue], (pool, timestamp) =>
      anyStableSwapMove(curve, pool, timestamp),
    ),
    movedFamily('curveCrypto', [crypto.venue], (pool, timestamp) =>
      anyCryptoSwapMove(crypto, pool, timestamp),
    ),
    movedStexes(stexes),
    movedUnstakings(bare, unstakings),
    movedFamily('erc4626', vaults.venues, (pool) => anyVaultMove(vaults, pool)),
    movedFamily('uniswapV4', [uniswapV4.v4.venue], (pool) => anyUniswapV4Move(uniswapV4, pool)),
    await createMovedLadders(bare),
    movedFees(await deployMovingFees(bare)),
    ...movedPairs(await createQuotingPairs(bare)),
  ]
}

/** Sampled pools, whose prices move without a log. */
async function createMovedLadders({ chain, random, tokens }: BareChain): Promise<MovedFamily> {
  const venue = await deployLadderDoubles(chain)
  const anyTwo = () => [anyBits(random, 70, 90), anyBits(random, 70, 90)] as const
  const specs = pairsOf(tokens).map((pair) => ({
    ...{ tokens: pair, depths: anyTwo(), reserves: anyTwo() },
  }))
  await createLadderDoubles(chain, venue, specs)
  return movedFamily('ladder', [venue], ({ id }) => [setDepthsCall(chain.deployer, id, anyTwo())])
}
