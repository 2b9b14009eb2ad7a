// Loads a weighted or composable stable pool of Balancer V2, and proves its formula: asks the vault for
// swaps at probe amounts and accepts the pool only if ours are the same.

import type { Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { BalancerV2Pool } from '@braid-swap/core/families'
import { addressOf, callData, listOf, signed, wordAt } from '../../reads/abiWords.js'
import type { LogBody } from '../../reads/log.js'
import { feeWords } from '../feeWords.js'
import { inRange, LoadError } from '../loadError.js'
import type { Load, PoolRef } from '../loader.js'
import * as abi from './abi.js'
import { formUnknown, readForm } from './form.js'
import { provePool } from './prove.js'

/** `Swap` and `PoolBalanceChanged` of the vault, and the pool's new swap fee. */
export const topics: readonly Hex[] = [abi.SWAP, abi.POOL_BALANCE_CHANGED, abi.SWAP_FEE_CHANGED]
/** None: the vault's logs have amounts, not balances. */
export const replacingTopics: readonly Hex[] = []
/** Transfers of the share token, and the protocol's fees, which swaps do not take. */
export const ignoredTopics: readonly Hex[] = abi.IGNORED_TOPICS

const MAX_UINT112 = (1n << 112n) - 1n
// The limits that every pool of Balancer V2 has.
const MIN_FEE = 10n ** 12n
const MAX_FEE = 10n ** 17n

/**
 * Reads balances, fee and the formula's parameters, and proves that the pool computes as we do. A
 * token with a rate provider makes the pool a sampled one; the caller sets `sampledAt` and `quotedAt`,
 * because it knows the block that answered. Throws 'POOL_PAUSED' for a pool that is paused or in
 * recovery mode, and 'POOL_FORM_UNKNOWN' for one of another formula or with tokens away from the vault.
 */
export function* load(ref: PoolRef): Load<BalancerV2Pool> {
  const { id, tokens, factory } = ref
  const vault = factory!
  const own = Object.values(abi.OF_POOL).map((data) => ({ to: id, data }))
  const ofForm = Object.values(abi.OF_FORM).map((data) => ({
    to: id,
    data,
    mayFail: true as const,
  }))
  const [owner, idWord, paused, recovery, fee, scaling, weights, amp, providers, vaultPaused] =
    yield [...own, ...ofForm, { to: vault, data: abi.OF_VAULT.getPausedState }]
  if (addressOf(wordAt(owner!, 0)) !== vault) {
    throw formUnknown(ref, `the vault ${addressOf(wordAt(owner!, 0))}`, `the vault ${vault}`)
  }
  const poolId = toHex(wordAt(idWord!, 0), 32)
  if (!poolId.startsWith(id)) throw formUnknown(ref, `the id ${poolId}`, `an id of ${id}`)
  if ([paused, recovery, vaultPaused].some((answer) => wordAt(answer!, 0) !== 0n)) {
    throw new LoadError('POOL_PAUSED', `pool ${id} or its vault is paused or in recovery mode`, {
      pool: id,
    })
  }
  const [swapFee] = feeWords(fee!, { pool: id, field: 'getSwapFeePercentage', count: 1 })
  const balances = yield* readBalances(ref, poolId)
  const { form, scales, ratedFrom } = yield* readForm(ref, {
    ...{ scaling: listOf(scaling!), weights: weights!, amp: amp!, providers: providers! },
  })
  const isMoving = form.kind === 'composableStable' && form.ramp !== undefined
  const pool: BalancerV2Pool = {
    ...{ family: 'balancerV2', id, venue: ref.venue, tokens, poolId, balances },
    decimalScalingFactors: scales,
    swapFee: inRange(swapFee!, { pool: id, field: 'swapFee', min: MIN_FEE, max: MAX_FEE }),
    form,
    ...((ratedFrom || isMoving) && { quotedAt: 0n }),
    ...(ratedFrom && { sampledAt: 0n, ratedFrom }),
  }
  yield* provePool(pool, ref)
  return pool
}

/** The vault's balance of each token, all of it in the vault itself. */
function* readBalances(ref: PoolRef, poolId: Hex): Load<readonly bigint[]> {
  const { id, tokens, factory } = ref
  const [held, ...infos] = yield [
    { to: factory!, data: callData(abi.OF_VAULT.getPoolTokens, BigInt(poolId)) },
    ...tokens.map((token) => ({
      to: factory!,
      data: callData(abi.OF_VAULT.getPoolTokenInfo, BigInt(poolId), BigInt(token)),
    })),
  ]
  const registered = listAt(held!, 0).map(addressOf)
  const traded = registered.filter((token) => token !== id)
  if (traded.join() !== tokens.join()) {
    throw formUnknown(ref, `the tokens ${traded.join(' ')}`, tokens.join(' '))
  }
  return infos.map((info, k) => {
    const [cash, managed] = [wordAt(info, 0), wordAt(info, 1)]
    if (managed !== 0n) throw formUnknown(ref, `${managed} wei with an asset manager`, 'none')
    return inRange(cash, { pool: id, field: `balances(${k})`, min: 0n, max: MAX_UINT112 })
  })
}

/** The list whose offset is word `index` of an answer. */
function listAt(answer: Hex, index: number): readonly bigint[] {
  const at = Number(wordAt(answer, index)) / 32
  const length = Number(wordAt(answer, at))
  return Array.from({ length }, (_, k) => wordAt(answer, at + 1 + k))
}

/**
 * The pool after a log: the vault names all amounts that move its balances, and the pool its new fee.
 * A sampled pool is read again in every block.
 */
export function applyLog(
  pool: BalancerV2Pool,
  { topics, data }: LogBody,
): BalancerV2Pool | 'reload' {
  if (pool.sampledAt !== undefined) return 'reload'
  if (topics[0] === abi.SWAP_FEE_CHANGED) {
    const swapFee = wordAt(data, 0)
    return swapFee < MIN_FEE || swapFee > MAX_FEE ? 'reload' : { ...pool, swapFee }
  }
  if (topics[0] === abi.SWAP) {
    const [tokenIn, tokenOut] = [topics[2]!, topics[3]!].map((topic) => BigInt(topic))
    return moved(pool, [
      [tokenIn!, wordAt(data, 0)],
      [tokenOut!, -wordAt(data, 1)],
    ])
  }
  if (topics[0] !== abi.POOL_BALANCE_CHANGED) return 'reload'
  const [tokens, deltas, fees] = [0, 1, 2].map((index) => listAt(data, index))
  return moved(
    pool,
    tokens!.map((token, k) => [token, signed(deltas![k]!) - fees![k]!]),
  )
}

/** The pool after these changes of balances; those of its own share token do not count. */
function moved(
  pool: BalancerV2Pool,
  changes: readonly (readonly [token: bigint, wei: bigint])[],
): BalancerV2Pool | 'reload' {
  const balances = pool.balances.slice()
  for (const [token, wei] of changes) {
    const index = pool.tokens.indexOf(addressOf(token))
    if (index >= 0) balances[index]! += wei
    else if (token !== BigInt(pool.id)) return 'reload'
  }
  const isPossible = balances.every((balance) => balance >= 0n && balance <= MAX_UINT112)
  return isPossible ? { ...pool, balances } : 'reload'
}
