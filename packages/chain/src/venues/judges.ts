// What judges each family and each variant of its venues: who answered what our integers are compared with.

import type { LoadedFamily, Venue } from '../pools/venue.js'

/**
 * `bytecode`: the published contract runs in every run of the tests, on random swaps. `rows`: numbers that deployed or
 * published code paid, run outside of this repository. `records`: answers of real pools. `double`: nothing but a
 * contract of our own, written from the same reading as our formulas, so that it cannot show an error in them.
 */
export type JudgeKind = 'bytecode' | 'rows' | 'records' | 'double'

const TRAITS = ['feeSource', 'variant', 'protocol'] as const
export type Traits = Pick<Venue, (typeof TRAITS)[number]>

/** A judge of a family, or of those of its venues that have all the traits of `of`. */
export type Judge = {
  readonly family: LoadedFamily
  readonly kind: JudgeKind
  /** Packages, or repositories with commits; why there is none, of a double. */
  readonly source: string
  readonly of?: Traits
}

const judge = (family: LoadedFamily, kind: JudgeKind, source: string, of?: Traits): Judge => ({
  ...{ family, kind, source },
  ...(of && { of }),
})

const RAMSES = 'code-423n4/2024-10-ramses-exchange@4a40eba'
const KITTENSWAP = 'Kittenswap/contracts@1a742ec'

/** Every judge, in the order of the table in `docs/venues.md`, which has how much each compared. */
export const judges: readonly Judge[] = [
  judge('algebraIntegral', 'rows', 'cryptoalgebra/plugins-monorepo@28ddf3d with core 1.2.5'),
  judge('algebraIntegral', 'bytecode', 'npm @cryptoalgebra/integral-core, integral-base-plugin'),
  judge('algebraV1', 'bytecode', 'npm @cryptoalgebra/v1-core'),
  judge('balancerBuffer', 'bytecode', 'npm @balancer-labs/v3-vault'),
  judge('balancerV2', 'bytecode', 'npm @balancer-labs/v2-deployments'),
  judge('balancerV3', 'bytecode', 'npm @balancer-labs/v3-vault, v3-pool-weighted, v3-pool-stable'),
  judge('balancerV3', 'records', 'answers of its mathematics; in a vault only a double of ours'),
  judge('camelot', 'rows', 'HyperSwapX/how-tos-v2@eef383e, CamelotLabs/core@0fa055d'),
  judge('curveCrypto', 'rows', 'curvefi/curve-core@b4c27f3, curvefi/twocrypto-ng@5cd61f1'),
  judge('curveStableSwap', 'rows', 'curvefi/stableswap-ng@2abe778'),
  judge('erc4626', 'bytecode', 'npm @uniswap/v4-core: OpenZeppelin and solmate'),
  judge(
    'instantUnstake',
    'double',
    'no source is public; the loader compares previews of each pool',
  ),
  judge('ladder', 'rows', 'morpho-org/metamorpho-v1.1@0b3d2f4, morpho-blue@3085651', {
    protocol: 'vault',
  }),
  judge('ladder', 'records', 'KyberNetwork/kyberswap-dex-lib@ae6a99a: a pool of LiquidCore'),
  judge('liquidityBook', 'rows', 'traderjoe-xyz/joe-v2@067c6cc'),
  judge('solidly', 'rows', RAMSES, { variant: 'ramses' }),
  judge('solidly', 'records', 'velodrome-finance/contracts@1ea5fee, executed', {
    variant: 'velodrome',
  }),
  judge('solidly', 'rows', KITTENSWAP),
  judge('stex', 'rows', 'ValantisLabs/valantis-stex@cb6eb4f, valantis-core@18ee8bb'),
  judge('uniswapV2', 'bytecode', 'npm @uniswap/v2-core'),
  judge('uniswapV3', 'rows', `${KITTENSWAP}, code-423n4/2025-10-hybra-finance@17d72f0`, {
    feeSource: 'swapFeeModule',
  }),
  judge('uniswapV3', 'rows', RAMSES, { feeSource: 'currentFee' }),
  judge('uniswapV3', 'bytecode', 'npm @uniswap/v3-core, @pancakeswap/v3-core'),
  judge('uniswapV4', 'bytecode', 'npm @uniswap/v4-core'),
]

/** What judges the pools of a venue: the judge of its variant, or those of its family. */
export function judgesOf(venue: Traits & Pick<Venue, 'family'>): readonly Judge[] {
  const ofFamily = judges.filter(({ family }) => family === venue.family)
  const ofVariant = ofFamily.filter(({ of }) => of && hasTraits(venue, of))
  return ofVariant.length > 0 ? ofVariant : ofFamily.filter(({ of }) => !of)
}

function hasTraits(venue: Traits, of: Traits): boolean {
  return TRAITS.every((name) => of[name] === undefined || of[name] === venue[name])
}
