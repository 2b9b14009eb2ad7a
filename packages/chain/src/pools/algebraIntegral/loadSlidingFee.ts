// The sliding fee of AlgebraBasePluginV2.

import type { Address } from '@braid-swap/core'
import type { SlidingFee } from '@braid-swap/core/families'
import { callData, signed } from '../../reads/abiWords.js'
import { feeWords } from '../feeWords.js'
import { inRange } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import { BASE_FEE, FEE_FACTORS, PRICE_CHANGE_FACTOR, TIMEPOINTS } from './abi.js'

/** Both factors together, X96. */
const BOTH_X96 = 2n << 96n

/** The state of the plugin at timepoint `last`. */
export function* loadSlidingFee(
  ref: PoolRef,
  { plugin, last }: { readonly plugin: Address; readonly last: number },
): Load<SlidingFee> {
  const calls = [FEE_FACTORS, BASE_FEE, PRICE_CHANGE_FACTOR, callData(TIMEPOINTS, last)]
  const answers = yield calls.map((data) => ({ to: plugin, data, mayFail: true as const }))
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
