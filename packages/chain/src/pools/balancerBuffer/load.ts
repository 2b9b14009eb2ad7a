// Loads a buffer of Balancer V3 and the rate of its wrapped token: reads previews at probe amounts, and
// accepts the token only if one fraction gives the same results in both directions.

import type { Hex } from '@braid-swap/core'
import type { BalancerBufferPool } from '@braid-swap/core/families'
import { addressOf, callData, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { LoadError } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import * as abi from './abi.js'

/** None: a buffer is read in every block, because its rate changes without a log of the vault. */
export const topics: readonly Hex[] = []
/** None. */
export const replacingTopics: readonly Hex[] = []
/** None. */
export const ignoredTopics: readonly Hex[] = []

type Rate = BalancerBufferPool['rate']

// Odd amounts of several sizes; the largest is as large as any balance, so that the fraction is exact for
// every amount.
const PROBES = [10n ** 6n + 3n, 10n ** 18n + 7n, 10n ** 27n + 9n, 2n ** 127n + 11n]
const RAY = 10n ** 27n
const LARGEST_OFFSET = 24
const LIMIT = 1n << 128n
/**
 * Shares for an asset fall while the rate grows. A millionth is what a token earns in half a minute at
 * 100 % a year, and a second of it is due.
 */
const WRAP_HAIRCUT_PPM = 1n

/**
 * Reads the buffer's balances and proves the rate. The caller sets `sampledAt` and `quotedAt`, because it
 * knows the block that answered. Throws 'POOL_PAUSED' if the vault's buffers are paused, and
 * 'POOL_FORM_UNKNOWN' for a wrapped token of another asset or without a constant rate.
 */
export function* load(ref: PoolRef): Load<BalancerBufferPool> {
  const { id, venue } = ref
  const vault = ref.factory!
  const wrapped = addressOf(BigInt(id))
  const answers = yield [
    ...Object.values(abi.ABOUT_BUFFER).map((data) => ({
      to: vault,
      data: callData(data, BigInt(id)),
    })),
    ...Object.values(abi.OF_VAULT).map((data) => ({ to: vault, data })),
    ...Object.values(abi.OF_WRAPPED).map((data) => ({ to: wrapped, data })),
    preview(wrapped, abi.PREVIEWS[1], RAY),
    ...abi.PREVIEWS.flatMap((selector) =>
      PROBES.map((amount) => preview(wrapped, selector, amount)),
    ),
  ]
  const [registered, balance, paused, least, asset, assets, supply, ofRay] = answers
  if (wordAt(paused!, 0) !== 0n) {
    throw new LoadError('POOL_PAUSED', `the buffers of the vault ${vault} are paused`, { pool: id })
  }
  const underlying = addressOf(wordAt(registered!, 0))
  const own = addressOf(wordAt(asset!, 0))
  if (own !== underlying) throw formUnknown(ref, `the asset ${own}`, `the asset ${underlying}`)
  const candidates = ratesOf(
    wordAt(assets!, 0),
    wordAt(supply!, 0),
    ofRay === '0x' ? 0n : wordAt(ofRay!, 0),
  )
  const previews = answers.slice(8).map((data) => (data === '0x' ? -1n : wordAt(data, 0)))
  const rate = candidates.find((candidate) => givesAll(candidate, previews))
  if (!rate) {
    throw formUnknown(ref, `previews ${previews.join(', ')}`, 'previews at one rate, rounded down')
  }
  const balances = [wordAt(balance!, 0), wordAt(balance!, 1)] as const
  if (balances.some((one) => one >= LIMIT)) {
    throw formUnknown(ref, `balances ${balances.join(', ')}`, 'balances of 128 bits')
  }
  const [held] = yield [{ to: own, data: callData(abi.BALANCE_OF, BigInt(wrapped)) }]
  // A token's own holdings change only by transfers; other holdings may earn with the clock.
  const isStill = wordAt(held!, 0) === wordAt(assets!, 0)
  return {
    ...{ family: 'balancerBuffer', id, venue, manager: vault, tokens: [underlying, wrapped] },
    ...{ balances, rate, wrapHaircutPpm: isStill ? 0n : WRAP_HAIRCUT_PPM },
    ...{ minWrapAmount: wordAt(least!, 0), sampledAt: 0n, quotedAt: 0n },
    // If the wrapped token is a pool too, its swaps move the rate by their rounding.
    ratedBy: wrapped,
  }
}

/** A buffer is read again in every block. */
export function applyLog(): 'reload' {
  return 'reload'
}

function preview(to: Call['to'], selector: Hex, amount: bigint): Call {
  return { to, data: callData(selector, amount), mayFail: true }
}

/** The rates that the known ERC-4626 tokens have: OpenZeppelin's, solmate's, and one stored in rays. */
function ratesOf(assets: bigint, supply: bigint, assetsOfRay: bigint): readonly Rate[] {
  const offsets = Array.from({ length: LARGEST_OFFSET + 1 }, (_, o) => 10n ** BigInt(o))
  const rates: readonly Rate[] = [
    supply === 0n ? [1n, 1n] : [supply, assets],
    ...offsets.map((virtual): Rate => [supply + virtual, assets + 1n]),
    [RAY, assetsOfRay],
  ]
  return rates.filter((rate) => rate.every((one) => one > 0n && one < LIMIT))
}

/** Returns true if the rate gives these previews, first of deposits, then of redemptions. */
function givesAll([shares, assets]: Rate, previews: readonly bigint[]): boolean {
  const wanted = [
    ...PROBES.map((amount) => (amount * shares) / assets),
    ...PROBES.map((amount) => (amount * assets) / shares),
  ]
  return wanted.every((value, i) => value === previews[i])
}

function formUnknown({ id }: PoolRef, got: string, wanted: string): LoadError {
  return new LoadError('POOL_FORM_UNKNOWN', `buffer ${id} has ${got}, not ${wanted}`, {
    ...{ pool: id, got, wanted },
  })
}
