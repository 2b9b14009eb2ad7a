/**
 * LiquidSwap names a venue by a number. Its documentation has the list; clients have these numbers in
 * their settings, so each must mean the same venue here.
 */
import { parameter } from '../../wire/parameters.js'

/** By our venue, LiquidSwap's number and name of it. The other numbers are of pools that this API does not serve. */
const DEXES: ReadonlyMap<string, readonly [number, string]> = new Map([
  ['kittenswap-v1', [1, 'KittenSwapV2']],
  ['hyperswap-v2', [2, 'HyperSwapV2']],
  ['hyperswap-v3', [3, 'HyperSwapV3']],
  ['laminar-v3', [4, 'LaminarV3']],
  ['kittenswap-cl', [5, 'KittenSwapV3']],
  ['stex-khype', [6, 'Valantis']],
  ['stex-sthype', [6, 'Valantis']],
  ['hybra-v3', [8, 'HybraFinanceV3']],
  ['gliquid', [9, 'Gliquid']],
  ['ramses-v3', [10, 'RamsesV3']],
  ['hypercat', [11, 'HyperCat']],
  ['prjx', [12, 'ProjectX']],
  ['hyperbrick', [14, 'HyperBrick']],
  ['kittenswap-algebra', [15, 'KittenSwapV4']],
  ['hx-finance', [16, 'HXFinance']],
  ['upheaval-v3', [17, 'UpheavalV3']],
  ['ultrasolid-v3', [19, 'UltraSolidV3']],
  ['curve-ng', [20, 'CurveStableswapNG']],
  ['curve-twocrypto-ng', [21, 'CurveTwoCryptoNG']],
  ['hybra-v4', [25, 'HybraFinanceV4']],
  ['liquidcore', [26, 'LiquidCore']],
  ['nest-cl', [28, 'NestExchange']],
])
const LAST = 28

/** The number and name of one of our venues; 0 and its id if LiquidSwap has none for it. */
export function dexOf(venue: string): readonly [number, string] {
  return DEXES.get(venue) ?? [0, venue]
}

const INDICES = '^[0-9]{1,2}(,[0-9]{1,2}){0,99}$'

/** Comma-separated numbers of dexes, as our venues. */
export const dexesParameter = (description: string) =>
  parameter<readonly string[]>({ description, pattern: INDICES }, (text) => {
    const indices = new RegExp(INDICES).test(text) ? text.split(',').map(Number) : [0]
    if (indices.every((index) => index >= 1 && index <= LAST)) {
      const named = [...DEXES].filter(([, [index]]) => indices.includes(index))
      return { value: named.map(([venue]) => venue) }
    }
    const message = `must be comma-separated numbers of LiquidSwap’s dexes, from 1 to ${LAST}`
    return { fault: { code: 'INVALID_ENUM', expected: INDICES, message } }
  }).optional()
