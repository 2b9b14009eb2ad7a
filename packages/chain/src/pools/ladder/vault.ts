// Samples a vault that lends its assets. Its rate grows with the clock, so no formula over its state
// is exact for the next block, but its own previews are a lower bound then.

import type { Hex } from '@braid-swap/core'
import type { Ladder, LadderPool } from '@braid-swap/core/families'
import { toFunctionSelector } from 'viem'
import { addressOf, callData, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import {
  MAX_DEPOSIT,
  PREVIEW_DEPOSIT,
  PREVIEW_REDEEM,
  TOTAL_ASSETS,
  TOTAL_SUPPLY,
} from '../erc4626/abi.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import { BALANCE_OF } from './abi.js'
import { concavePart, lowered } from './rungs.js'

/** Of a MetaMorpho vault: the contract that its assets are lent through, and its markets. */
const MORPHO = toFunctionSelector('function MORPHO()')
const QUEUE_LENGTH = toFunctionSelector('function withdrawQueueLength()')
const QUEUE = toFunctionSelector('function withdrawQueue(uint256)')
/** Of Morpho: total assets, shares and borrowed assets are words 0 to 2 of a market. */
const MARKET = toFunctionSelector('function market(bytes32)')
/** Of Morpho: the supplied shares are the first word. */
const POSITION = toFunctionSelector('function position(bytes32,address)')

/** Rungs a factor of 16 apart: a vault's rate hardly depends on the amount. */
const RUNGS = 8
const STEP_BITS = 4
/**
 * While the rate grows, shares for a deposit fall, and so does the room for it. A millionth is what a vault earns in
 * half a minute at 100 % a year, and a second of it is due.
 */
const DEPOSIT_HAIRCUT_PPM = 1
const PPM = 1_000_000n
const MAX_QUEUE = 30

/**
 * The previews of a vault: deposits up to its limit, at most doubling it, and redemptions of the
 * assets that are not lent out. `tokens` are the asset and the share.
 */
export function* loadVault(ref: PoolRef): Load<LadderPool> {
  const tokens = tokenPairOf(ref)
  const { id } = ref
  const [morpho, length, ...totals] = yield [
    { to: id, data: MORPHO, mayFail: true },
    { to: id, data: QUEUE_LENGTH, mayFail: true },
    { to: id, data: callData(MAX_DEPOSIT, 1) },
    { to: id, data: TOTAL_ASSETS },
    { to: id, data: TOTAL_SUPPLY },
    { to: tokens[0], data: callData(BALANCE_OF, BigInt(id)) },
  ]
  const [maxDeposit, total, supply, held] = totals.map((answer) => wordAt(answer, 0))
  const isLent = morpho !== '0x' && length !== '0x'
  const idle = held! + (isLent ? yield* loadUnlent(ref, morpho!, length!) : 0n)
  const shares = total === 0n ? 0n : (supply! * idle) / total!
  // What all assets earn until the deposit counts against the limit, of which the room may be a small part.
  const earned = (total! * BigInt(DEPOSIT_HAIRCUT_PPM)) / PPM
  const room = maxDeposit! > earned ? maxDeposit! - earned : 0n
  const tops = [room < total! ? room : total!, shares < supply! ? shares : supply!]
  const amounts = tops.map(rungsUpTo)
  const paid = yield amounts.flatMap((side, i) =>
    side.map((amount) => preview(ref, i === 0 ? PREVIEW_DEPOSIT : PREVIEW_REDEEM, amount)),
  )
  const split = amounts[0]!.length
  const deposits = ladderOf(amounts[0]!, paid.slice(0, split))
  const redemptions = ladderOf(amounts[1]!, paid.slice(split))
  return {
    ...{ family: 'ladder', id, venue: ref.venue, tokens, protocol: 'vault' },
    ladders: [
      lowered(deposits, BigInt(ref.haircutPpm ?? DEPOSIT_HAIRCUT_PPM)),
      redemptions.filter(([, assets]) => assets <= idle),
    ],
    ...{ sampledAt: 0n, quotedAt: 0n },
  }
}

/** The vault's assets in Morpho's markets that are not lent out. */
function* loadUnlent({ id }: PoolRef, morpho: Hex, length: Hex): Load<bigint> {
  const to = addressOf(wordAt(morpho, 0))
  const count = Math.min(Number(wordAt(length, 0)), MAX_QUEUE)
  const markets = yield Array.from({ length: count }, (_, i) => ({
    ...{ to: id, data: callData(QUEUE, i) },
  }))
  const answers = yield markets.flatMap((market) => [
    { to, data: callData(MARKET, wordAt(market, 0)) },
    { to, data: callData(POSITION, wordAt(market, 0), BigInt(id)) },
  ])
  return markets.reduce((sum, _, i) => sum + unlentOf(answers[2 * i]!, answers[2 * i + 1]!), 0n)
}

/** Virtual shares and assets of every market of Morpho. */
const VIRTUAL_SHARES = 1_000_000n
const VIRTUAL_ASSETS = 1n

/** The amount that a vault can take out of one market: its own part, and at most what is not borrowed. */
function unlentOf(market: Hex, position: Hex): bigint {
  const [assets, shares, borrowed] = [0, 1, 2].map((i) => wordAt(market, i))
  const own = wordAt(position, 0)
  const part = (own * (assets! + VIRTUAL_ASSETS)) / (shares! + VIRTUAL_SHARES)
  const free = assets! > borrowed! ? assets! - borrowed! : 0n
  return part < free ? part : free
}

function preview({ id }: PoolRef, selector: Hex, amount: bigint): Call {
  return { to: id, data: callData(selector, amount), mayFail: true }
}

function rungsUpTo(top: bigint): readonly bigint[] {
  const all = Array.from({ length: RUNGS }, (_, k) => top >> BigInt(STEP_BITS * (RUNGS - 1 - k)))
  return [...new Set(all)].filter((amount) => amount > 0n)
}

/** The samples up to the first refused one, without those that pay nothing. */
function ladderOf(amounts: readonly bigint[], paid: readonly Hex[]): Ladder {
  const end = paid.indexOf('0x')
  const answered = end === -1 ? paid : paid.slice(0, end)
  const rungs = answered.map((answer, i) => [amounts[i]!, wordAt(answer, 0)] as const)
  return concavePart(rungs.filter(([, y]) => y > 0n))
}
