// Loads an ERC-4626 vault and proves its rounding: reads previews at probe amounts and accepts the
// vault only if one of the known conversion formulas gives the same results.

import type { Hex } from '@braid-swap/core'
import type { Erc4626Pool } from '@braid-swap/core/families'
import { callData, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { LoadError } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import * as abi from './abi.js'

/** None: a donation of assets changes the rate without a log of the vault. */
export const topics: readonly Hex[] = []
/** None. */
export const replacingTopics: readonly Hex[] = []
/** Approvals. */
export const ignoredTopics = abi.IGNORED_TOPICS

// Odd amounts of several sizes, so that each offset rounds one of them differently. The largest
// makes solmate's product overflow, which distinguishes it from OpenZeppelin even at similar rates.
const PROBES = [10n ** 6n + 3n, 10n ** 18n + 7n, 10n ** 27n + 9n, 2n ** 190n + 11n]
const MAX_UINT256 = (1n << 256n) - 1n
const LARGEST_OFFSET = 24

/**
 * Reads totals and previews, and proves which conversion formula the vault uses. The asset token is
 * watched, because transfers of the asset change the rate of a vault that holds its own assets.
 * Throws 'POOL_FORM_UNKNOWN' for any other vault.
 */
export function* load(ref: PoolRef): Load<Erc4626Pool> {
  const [asset] = tokenPairOf(ref)
  const answers = yield [
    { to: ref.id, data: abi.TOTAL_ASSETS },
    { to: ref.id, data: abi.TOTAL_SUPPLY },
    { to: ref.id, data: callData(abi.MAX_DEPOSIT, 1) },
    { to: asset, data: callData(abi.BALANCE_OF, BigInt(ref.id)) },
    ...PROBES.map((amount) => preview(ref, abi.PREVIEW_DEPOSIT, amount)),
    ...PROBES.map((amount) => preview(ref, abi.PREVIEW_REDEEM, amount)),
  ]
  const totals = answers.slice(0, 4).map((answer) => wordAt(answer, 0))
  const [totalAssets, totalSupply, maxDeposit, held] = totals as [bigint, bigint, bigint, bigint]
  const previews = answers.slice(4).map((data) => (data === '0x' ? REVERTS : wordAt(data, 0)))
  if (held !== totalAssets) {
    throw formUnknown(ref, `total assets ${totalAssets}, balance ${held}`)
  }
  const virtuals = FORMS.find((form) => isForm({ totalAssets, totalSupply, form }, previews))
  if (!virtuals) throw formUnknown(ref, `previews ${previews.join(', ')}`)
  return {
    family: 'erc4626',
    id: ref.id,
    venue: ref.venue,
    tokens: tokenPairOf(ref),
    totalAssets,
    totalSupply,
    virtuals,
    ...(maxDeposit >= MAX_UINT256 - totalAssets ? {} : { assetCap: totalAssets + maxDeposit }),
    watched: [asset],
  }
}

/** Every log of the vault that is not ignored reloads it. */
export function applyLog(): 'reload' {
  return 'reload'
}

/** Marks a preview that reverts; no preview is negative. */
const REVERTS = -1n

function preview({ id }: PoolRef, selector: Hex, amount: bigint): Call {
  return { to: id, data: callData(selector, amount), mayFail: true }
}

type Form = Erc4626Pool['virtuals']

const FORMS: readonly Form[] = [
  [0n, 0n],
  ...Array.from({ length: LARGEST_OFFSET + 1 }, (_, o): Form => [10n ** BigInt(o), 1n]),
]

function isForm(
  state: { readonly totalAssets: bigint; readonly totalSupply: bigint; readonly form: Form },
  previews: readonly bigint[],
): boolean {
  const { totalAssets, totalSupply, form } = state
  const [shares, assets] =
    form[0] === 0n && totalSupply === 0n ? [1n, 1n] : [totalSupply + form[0], totalAssets + form[1]]
  if (assets === 0n) return false
  const divide = (amount: bigint, over: bigint, under: bigint) => {
    const product = amount * over
    const largest = form[0] === 0n ? product : product / under
    return largest > MAX_UINT256 ? REVERTS : product / under
  }
  const wanted = [
    ...PROBES.map((amount) => divide(amount, shares, assets)),
    ...PROBES.map((amount) => divide(amount, assets, shares)),
  ]
  return wanted.every((value, i) => value === previews[i])
}

function formUnknown({ id }: PoolRef, got: string): LoadError {
  return new LoadError('POOL_FORM_UNKNOWN', `vault ${id} has no known conversion: ${got}`, {
    pool: id,
    got,
    wanted: 'assets in the vault itself, converted as OpenZeppelin or solmate do',
  })
}
