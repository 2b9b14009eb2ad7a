// Loads a pool of Uniswap V4 from the storage of its manager, with every initialised tick, and follows it
// by the manager's logs.

import type { Address } from '@braid-swap/core'
import { toHex, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import {
  liquidityAt,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  type Tick,
  type UniswapV4Pool,
} from '@braid-swap/core/families'
import { decodeEventLog } from 'viem'
import type { LogBody } from '../../reads/log.js'
import { MAX_UINT128, ticksOfWord, withLiquidity, withPrice } from '../concentrated.js'
import { inRange, LoadError } from '../loadError.js'
import { type Load, type PoolRef, tokenPairOf } from '../loader.js'
import { DONATE, POOL_EVENTS, POOL_TOPICS } from './abi.js'
import { idOf, readSlots, slotsOf } from './slots.js'

/** `Swap`, `ModifyLiquidity`, `ProtocolFeeUpdated`. */
export const topics = POOL_TOPICS
/** `Swap`: it sets price, tick and liquidity and changes no tick. */
export const replacingTopics = POOL_TOPICS.slice(0, 1)
/** Donations. */
export const ignoredTopics = [DONATE]

const PPM = 1_000_000
const MAX_PROTOCOL_FEE_PPM = 1_000
const MAX_TICK_SPACING = 32_767

/** Bits of the hooks' address: called before or after a swap, with or without amounts of their own. */
const SWAP_HOOKS = (1n << 7n) | (1n << 6n) | (1n << 3n) | (1n << 2n)
/** A fee that the hooks may change. */
const DYNAMIC_FEE = 0x800000

/**
 * Reads price, liquidity and fees, then the tick bitmap, then every initialised tick. Throws
 * 'POOL_FORM_UNKNOWN' for a pool with a dynamic fee or with hooks that take part in swaps, and for one
 * whose key does not have its id as a hash.
 */
export function* load(ref: PoolRef): Load<UniswapV4Pool> {
  const key = keyOf(ref)
  const { id, factory: manager } = ref
  const slots = slotsOf(id)
  const [slot0, liquidity] = (yield* readSlots(manager!, [slots.slot0, slots.liquidity])) as [
    ...[bigint, bigint],
  ]
  const within = (field: string, value: bigint | number, max: bigint | number, min = 0n) =>
    inRange(BigInt(value), { pool: id, field, min, max: BigInt(max) })
  const sqrtPriceX96 = slot0 & ((1n << 160n) - 1n)
  if (sqrtPriceX96 === 0n) {
    throw new LoadError('POOL_NOT_INITIALISED', `pool ${id} has no price yet`, { pool: id })
  }
  const lpFeePpm = Number(
    within('lpFee', (slot0 >> 208n) & 0xffffffn, key.feePpm, BigInt(key.feePpm)),
  )
  const pool: UniswapV4Pool = {
    ...{ family: 'uniswapV4', id, venue: ref.venue, tokens: tokenPairOf(ref), manager: manager! },
    ...{ isNative: key.isNative, lpFeePpm, tickSpacing: key.tickSpacing, hooks: key.hooks },
    protocolFeesPpm: protocolFeesOf(ref, Number((slot0 >> 184n) & 0xffffffn)),
    sqrtPriceX96: within('sqrtPriceX96', sqrtPriceX96, MAX_SQRT_PRICE_X96 - 1n, MIN_SQRT_PRICE_X96),
    tick: Number(within('tick', BigInt.asIntN(24, slot0 >> 160n), MAX_TICK, BigInt(MIN_TICK))),
    liquidity: within('liquidity', liquidity, MAX_UINT128),
    ticks: yield* loadTicks(ref, key.tickSpacing),
  }
  within('liquidity', pool.liquidity, liquidityAt(pool), liquidityAt(pool))
  return pool
}

/** The key of a pool that we can quote. */
function keyOf(ref: PoolRef): NonNullable<PoolRef['key']> {
  const { id, key, factory } = ref
  const [token0, token1] = tokenPairOf(ref)
  const unknown = (got: string, wanted: string) =>
    new LoadError('POOL_FORM_UNKNOWN', `pool ${id} has ${got}; expected ${wanted}`, {
      ...{ pool: id, got, wanted },
    })
  if (!key || !factory) throw unknown('no key', 'the key that its log announced')
  const { feePpm, tickSpacing, hooks, isNative } = key
  if (feePpm === DYNAMIC_FEE) throw unknown('a dynamic fee', 'a static one')
  if ((BigInt(hooks) & SWAP_HOOKS) !== 0n) throw unknown(`hooks of swaps at ${hooks}`, 'none')
  if (token0 === ZERO_ADDRESS)
    throw unknown('the native token', 'a venue that states its wrapped one')
  if (token0 === token1) throw unknown('the native token and its wrapped one', 'two tokens')
  const bounds = { pool: id, min: 0n, max: BigInt(PPM) }
  inRange(BigInt(feePpm), { ...bounds, field: 'fee' })
  const spacings = { min: 1n, max: BigInt(MAX_TICK_SPACING) }
  inRange(BigInt(tickSpacing), { ...bounds, ...spacings, field: 'tickSpacing' })
  const hashed = idOf({ ...key, currencies: [isNative ? ZERO_ADDRESS : token0, token1] })
  if (hashed !== id) throw unknown(`a key with the hash ${hashed}`, id)
  return key
}

/** The protocol's fee of each direction: 12 bits each, the lower ones if currency 0 is sold. */
function protocolFeesOf(
  { id: pool }: { readonly id: Address },
  packed: number,
): readonly [number, number] {
  const bounds = { pool, field: 'protocolFee', min: 0n, max: BigInt(MAX_PROTOCOL_FEE_PPM) }
  const check = (fee: number) => Number(inRange(BigInt(fee), bounds))
  return [check(packed & 0xfff), check(packed >> 12)]
}

function* loadTicks({ id, factory }: PoolRef, spacing: number): Load<readonly Tick[]> {
  const slots = slotsOf(id)
  const first = Math.floor(MIN_TICK / spacing) >> 8
  const last = Math.floor(MAX_TICK / spacing) >> 8
  const words = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const bitmap = yield* readSlots(factory!, words.map(slots.bitmapWord))
  const indices = words.flatMap((word, i) => ticksOfWord(toHex(bitmap[i]!, 32), word, spacing))
  const ticks = yield* readSlots(factory!, indices.map(slots.tick))
  // The first word of a tick: its gross liquidity below its net liquidity.
  return indices.map((index, i) => ({
    index,
    liquidityNet: BigInt.asIntN(128, ticks[i]! >> 128n),
  }))
}

/** The pool after one of the manager's logs about it; `'reload'` if the log does not determine it. */
export function applyLog(pool: UniswapV4Pool, log: LogBody): UniswapV4Pool | 'reload' {
  if (!POOL_TOPICS.includes(log.topics[0]!)) return 'reload'
  const { eventName, args } = decodeEventLog({
    abi: POOL_EVENTS,
    topics: [...log.topics] as never,
    data: log.data,
  })
  switch (eventName) {
    case 'Swap': {
      const { sqrtPriceX96, liquidity, tick } = args
      return withPrice(pool, { sqrtPriceX96, liquidity, tick })
    }
    case 'ModifyLiquidity': {
      const { tickLower: lower, tickUpper: upper, liquidityDelta: amount } = args
      return withLiquidity(pool, { lower, upper, amount })
    }
    case 'ProtocolFeeUpdated':
      return { ...pool, protocolFeesPpm: protocolFeesOf(pool, args.protocolFee) }
  }
}
