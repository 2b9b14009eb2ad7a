// What judges each family and each variant of its venues: who answered what our integers are compared with.

import type { LoadedFamily, Venue } from '../pools/venue.js'

/**
 * `bytecode`: the published contract runs in every run of the tests, on random swaps. `rows`: numbers that deployed or
 * published code paid, run outside of this repository. `records`: answers of real pools. `double`: nothing but a
 * contract of our own, written from the same reading as our formulas, so that it cannot show an error in them.
 */
export type JudgeKind = 'bytecode' | 'rows' | 'records' | 'double'

const TRAITS = ['feeSource', 'variant', 'protocol'] as const
type Traits = Pick<Venue, (typeof TRAITS)[number]>

/** The judge of a family, or of those of its venues that have all the traits of `of`. */
export type Judge = {
  readonly family: LoadedFamily
  readonly of?: Traits
  /** The pools that it judges, if the family has several judges for pools of one venue. */
  readonly pools?: string
  readonly kind: JudgeKind
  /** Packages, or repositories with commits; why there is none, of a double. */
  readonly source: string
  /** Rows and mined swaps that are compared; absent where each run draws its own. */
  readonly rows?: number
  readonly swaps?: number
  /** Names of the files in `packages/vectors/deployed` with a selection of its rows. */
  readonly files?: readonly string[]
  /** The day on which its rows were last asked of core; absent where every run asks. */
  readonly asked?: string
}

const ASKED = '2026-11-29'

/** Specific ones come before those of the whole family. */
export const judges: readonly Judge[] = [
  {
    ...rows('algebraIntegral', 'cryptoalgebra/plugins-monorepo@28ddf3d with core 1.2.5', 681, 80),
    ...{ files: ['algebra-integral'], pools: 'default plugin' },
  },
  {
    ...bytecode('algebraIntegral', 'npm @cryptoalgebra/integral-core, integral-base-plugin'),
    pools: 'base plugin',
  },
  bytecode('algebraV1', 'npm @cryptoalgebra/v1-core'),
  bytecode('balancerBuffer', 'npm @balancer-labs/v3-vault'),
  bytecode('balancerV2', 'npm @balancer-labs/v2-deployments'),
  {
    ...bytecode('balancerV3', 'npm @balancer-labs/v3-vault, v3-pool-weighted, v3-pool-stable'),
    pools: 'weighted, stable',
  },
  {
    ...{ family: 'balancerV3', pools: 'Gyro E-CLP', kind: 'records' },
    ...{ rows: 1888, swaps: 0, asked: ASKED },
    source: 'answers of its mathematics; in a vault only a double of ours',
  },
  {
    ...rows('camelot', 'HyperSwapX/how-tos-v2@eef383e, CamelotLabs/core@0fa055d', 1166, 147),
    files: ['hyperswap-v2', 'camelot'],
  },
  {
    ...rows('curveCrypto', 'curvefi/curve-core@b4c27f3, curvefi/twocrypto-ng@5cd61f1', 3997, 275),
    files: ['twocrypto-hyperevm', 'tricrypto-hyperevm', 'twocrypto-2.0.0'],
  },
  {
    ...rows('curveStableSwap', 'curvefi/stableswap-ng@2abe778', 978, 114),
    files: ['stableswap-ng'],
  },
  bytecode('erc4626', 'npm @uniswap/v4-core: OpenZeppelin and solmate'),
  {
    ...{ family: 'instantUnstake', kind: 'double' },
    source: 'no source is public; the loader compares previews of each pool',
  },
  {
    ...rows('ladder', 'morpho-org/metamorpho-v1.1@0b3d2f4, morpho-blue@3085651', 1440, 0),
    ...{ of: { protocol: 'vault' }, files: ['metamorpho'] },
  },
  {
    ...{ family: 'ladder', kind: 'records', rows: 6, swaps: 0, asked: ASKED },
    source: 'KyberNetwork/kyberswap-dex-lib@ae6a99a: a pool of LiquidCore',
  },
  {
    ...rows('liquidityBook', 'traderjoe-xyz/joe-v2@067c6cc', 1049, 84),
    files: ['liquidity-book'],
  },
  {
    ...rows('solidly', 'code-423n4/2024-10-ramses-exchange@4a40eba', 789, 103),
    ...{ of: { variant: 'ramses' }, files: ['ramses-v2'] },
  },
  {
    ...{ family: 'solidly', of: { variant: 'velodrome' }, kind: 'records' },
    ...{ rows: 66, swaps: 0, asked: ASKED },
    source: 'velodrome-finance/contracts@1ea5fee, executed',
  },
  {
    ...rows('solidly', 'Kittenswap/contracts@1a742ec', 767, 102),
    files: ['kittenswap-v1'],
  },
  {
    ...rows('stex', 'ValantisLabs/valantis-stex@cb6eb4f, valantis-core@18ee8bb', 858, 108),
    files: ['stex'],
  },
  bytecode('uniswapV2', 'npm @uniswap/v2-core'),
  {
    ...rows(
      'uniswapV3',
      'Kittenswap/contracts@1a742ec, code-423n4/2025-10-hybra-finance@17d72f0',
      1458,
      190,
    ),
    ...{ of: { feeSource: 'swapFeeModule' }, files: ['kittenswap-cl', 'hybra-v4'] },
  },
  {
    ...rows('uniswapV3', 'code-423n4/2024-10-ramses-exchange@4a40eba', 589, 80),
    ...{ of: { feeSource: 'currentFee' }, files: ['ramses-v3'] },
  },
  bytecode('uniswapV3', 'npm @uniswap/v3-core, @pancakeswap/v3-core'),
  bytecode('uniswapV4', 'npm @uniswap/v4-core'),
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

function rows(family: LoadedFamily, source: string, rows: number, swaps: number): Judge {
  return { family, kind: 'rows', source, rows, swaps, asked: ASKED }
}

function bytecode(family: LoadedFamily, source: string): Judge {
  return { family, kind: 'bytecode', source }
}
