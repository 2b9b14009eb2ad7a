// The sliding fee of AlgebraBasePluginV2. No view of the plugin returns the fee of a swap, so it cannot
// be compared with ours; instead, the plugin's code must be the published one.

import type { Address, SlidingFee } from '@braid-swap/core'
import { callData, signed } from '../../reads/abiWords.js'
import { hashOf, maskedHashCall } from '../../reads/maskedHash.js'
import { feeWords } from '../feeWords.js'
import { inRange } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import { BASE_FEE, FEE_FACTORS, PRICE_CHANGE_FACTOR, TIMEPOINTS } from './abi.js'

/** Offsets of the addresses that the constructor wrote into the code as 32-byte words: pool and factories. */
export const IMMUTABLES = [481, 702, 2300, 2560, 4880, 5025, 6116, 6317, 6458, 6685, 11_215]
/** keccak256 of the code of AlgebraBasePluginV2 with zeros there, integral-base-plugin@1.2.1 */
export const CODE_HASH = '0xb6446e1a996b4548fc8293dc06218c253c91361bf05c721cfd388332c682ce53'

/** Both factors together, X96. */
const BOTH_X96 = 2n << 96n

/** The state of the plugin at timepoint `last`; `undefined` if it runs other code. */
export function* loadSlidingFee(
  ref: PoolRef,
  { plugin, last }: { readonly plugin: Address; readonly last: number },
): Load<SlidingFee | undefined> {
  const [code, ...answers] = yield [
    maskedHashCall(plugin, IMMUTABLES),
    ...[FEE_FACTORS, BASE_FEE, PRICE_CHANGE_FACTOR, callData(TIMEPOINTS, last)].map((data) => ({
      ...{ to: plugin, data, mayFail: true as const },
    })),
  ]
  if (hashOf(code!) !== CODE_HASH) return undefined
  const names = ['s_feeFactors()', 's_baseFee()', 's_priceChangeFactor()', 'timepoints(uint256)']
  const [factors, [base], [change], timepoint] = [2, 1, 1, 7].map((count, i) =>
    feeWords(answers[i]!, { pool: ref.id, field: names[i]!, count }),
  ) as [readonly bigint[], readonly bigint[], readonly bigint[], readonly bigint[]]
  const check = (field: string, value: bigint, max: bigint) =>
    inRange(value, { pool: ref.id, field, min: 0n, max })
  const factorX96 = check('s_feeFactors()[0]', factors[0]!, BOTH_X96)
  const [field, other] = ['s_feeFactors()[1]', BOTH_X96 - factorX96]
  inRange(factors[1]!, { pool: ref.id, field, min: other, max: other })
  return {
    baseFee: Number(check('s_baseFee()', base!, 65_535n)),
    priceChangeFactor: Number(check('s_priceChangeFactor()', change!, 65_535n)),
    factorX96,
    timestamp: Number(timepoint[1]!),
    tick: Number(signed(timepoint[4]!)),
  }
}
