/**
 * LiquidSwap names a venue by a number. Its documentation has the list; clients have these numbers in
 * their settings, so each must mean the same venue here.
 */
import { ApiError, messageOf } from '../../errors.js'

/** A venue of LiquidSwap, and our venues that it means. */
export type Dex = {
  readonly index: number
  readonly name: string
  readonly venues: readonly string[]
}

const dex = (index: number, name: string, ...venues: readonly string[]): Dex => ({
  ...{ index, name, venues },
})

/** LiquidSwap's published numbers. One without a venue names pools that this API does not serve. */
const PUBLISHED: readonly Dex[] = [
  dex(1, 'KittenSwapV2', 'kittenswap-v1'),
  dex(2, 'HyperSwapV2', 'hyperswap-v2'),
  dex(3, 'HyperSwapV3', 'hyperswap-v3'),
  dex(4, 'LaminarV3', 'laminar-v3'),
  dex(5, 'KittenSwapV3', 'kittenswap-cl'),
  dex(6, 'Valantis', 'stex-khype', 'stex-sthype'),
  dex(7, 'HybraFinanceV2'),
  dex(8, 'HybraFinanceV3', 'hybra-v3'),
  dex(9, 'Gliquid', 'gliquid'),
  dex(10, 'RamsesV3', 'ramses-v3'),
  dex(11, 'HyperCat', 'hypercat'),
  dex(12, 'ProjectX', 'prjx'),
  dex(13, 'LiquidLaunch'),
  dex(14, 'HyperBrick', 'hyperbrick'),
  dex(15, 'KittenSwapV4', 'kittenswap-algebra'),
  dex(16, 'HXFinance', 'hx-finance'),
  dex(17, 'UpheavalV3', 'upheaval-v3'),
  dex(18, 'UltraSolidV2'),
  dex(19, 'UltraSolidV3', 'ultrasolid-v3'),
  dex(20, 'CurveStableswapNG', 'curve-ng'),
  dex(21, 'CurveTwoCryptoNG', 'curve-twocrypto-ng'),
  dex(22, 'FunnelV3'),
  dex(23, 'Hyperpie'),
  dex(24, 'HyperpieDex'),
  dex(25, 'HybraFinanceV4', 'hybra-v4'),
  dex(26, 'LiquidCore', 'liquidcore'),
  dex(27, 'RamsesV3Legacy'),
  dex(28, 'NestExchange', 'nest-cl'),
]

/** The numbers of our venues without one of LiquidSwap's begin here. */
const FIRST_OWN = 101

/**
 * The published numbers, then our other venues by id. The number of a venue after the published ones
 * changes when another venue gets its first pool.
 */
export function dexesOf(venues: ReadonlySet<string>): readonly Dex[] {
  const published = new Set(PUBLISHED.flatMap((each) => each.venues))
  const own = [...venues].filter((id) => !published.has(id)).sort()
  return [...PUBLISHED, ...own.map((id, i) => dex(FIRST_OWN + i, id, id))]
}

/** The number and name of one of our venues. */
export function dexOf(dexes: readonly Dex[], venue: string): Dex {
  return dexes.find(({ venues }) => venues.includes(venue)) ?? dex(0, venue, venue)
}

/**
 * Our venues that a list of numbers means, if they have pools. Throws INVALID_ENUM for a number that
 * is none.
 */
export function dexVenues(
  market: ReadonlySet<string>,
  { path, indices }: { readonly path: string; readonly indices: readonly number[] },
): readonly string[] {
  const dexes = dexesOf(market)
  const unknown = indices.filter((index) => !dexes.some((each) => each.index === index))
  if (unknown.length > 0) {
    const code = 'INVALID_ENUM'
    const received = unknown.join(',').slice(0, 100)
    const issue = { code, message: 'must be numbers of dexes', expected: 'numbers of /v2/dexes' }
    const issues = [{ in: 'query' as const, path, received, ...issue }]
    throw new ApiError(code, messageOf(issues), { issues })
  }
  return dexes
    .filter(({ index }) => indices.includes(index))
    .flatMap(({ venues }) => venues)
    .filter((id) => market.has(id))
}
