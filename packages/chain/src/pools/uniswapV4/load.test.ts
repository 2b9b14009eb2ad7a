import type { Hex } from '@braid-swap/core'
import { toHex, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import type { UniswapV4Pool } from '@braid-swap/core/families'
import { encodeAbiParameters, encodeEventTopics, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../reads/call.js'
import type { LoadErrorCode } from '../loadError.js'
import type { PoolKey, PoolRef } from '../loader.js'
import type { Venue } from '../venue.js'
import { DONATE, INITIALIZE, POOL_EVENTS } from './abi.js'
import { refOf, subjectOf } from './discover.js'
import { applyLog, load } from './load.js'
import { idOf, slotsOf } from './slots.js'

const [MANAGER, TOKEN_A, TOKEN_B, WRAPPED] = [
  toHex(0xf, 20),
  toHex(0xa, 20),
  toHex(0xb, 20),
  toHex(0x5, 20),
]
const key: PoolKey = { feePpm: 3000, tickSpacing: 60, hooks: ZERO_ADDRESS, isNative: false }

function refWith(
  change: Partial<PoolKey> = {},
  tokens: PoolRef['tokens'] = [TOKEN_A, TOKEN_B],
): PoolRef {
  const own = { ...key, ...change }
  const currencies = [own.isNative ? ZERO_ADDRESS : tokens[0]!, tokens[1]!] as const
  const id = idOf({ ...own, currencies })
  return { id, family: 'uniswapV4', venue: 'test', tokens, factory: MANAGER, key: own }
}

const ref = refWith()
const pool: UniswapV4Pool = {
  ...{ family: 'uniswapV4', id: ref.id, venue: 'test', tokens: [TOKEN_A, TOKEN_B] },
  ...{ manager: MANAGER, isNative: false, lpFeePpm: 3000, protocolFeesPpm: [300, 1_000] },
  ...{ tickSpacing: 60, hooks: ZERO_ADDRESS, sqrtPriceX96: 1n << 96n, tick: 0, liquidity: 7_000n },
  ticks: [
    { index: -60_000, liquidityNet: 7_000n },
    { index: 60, liquidityNet: -7_000n },
  ],
}

type Storage = ReadonlyMap<Hex, bigint>

/** The manager's storage with this pool in it. */
function storageOf(stored: UniswapV4Pool): Storage {
  const slots = slotsOf(stored.id)
  const [down, up] = stored.protocolFeesPpm
  const packed =
    (BigInt(stored.lpFeePpm) << 208n) |
    (BigInt(down | (up << 12)) << 184n) |
    (BigInt.asUintN(24, BigInt(stored.tick)) << 160n) |
    stored.sqrtPriceX96
  const words = new Map<Hex, bigint>([
    [slots.slot0, packed],
    [slots.liquidity, stored.liquidity],
  ])
  for (const { index, liquidityNet } of stored.ticks) {
    const bit = index / stored.tickSpacing
    const slot = slots.bitmapWord(bit >> 8)
    words.set(slot, (words.get(slot) ?? 0n) | (1n << BigInt(bit & 0xff)))
    words.set(slots.tick(index), (BigInt.asUintN(128, liquidityNet) << 128n) | 9_000n)
  }
  return words
}

/** Runs a load against a storage, as `extsload` answers. */
function run(of: PoolRef, storage: Storage) {
  const loading = load(of)
  let step = loading.next()
  while (!step.done) step = loading.next(step.value.map((call) => answer(call, storage)))
  return step.value
}

function answer({ to, data }: Call, storage: Storage): Hex {
  expect(to).toBe(MANAGER)
  const asked = (data.length - 10) / 64 - 2
  const words = Array.from({ length: asked }, (_, i) => {
    const start = 10 + 64 * (2 + i)
    return storage.get(`0x${data.slice(start, start + 64)}`) ?? 0n
  })
  return encodeAbiParameters(parseAbiParameters('uint256[]'), [words])
}

function codeOf(of: PoolRef, storage: Storage): LoadErrorCode | undefined {
  try {
    run(of, storage)
    return undefined
  } catch (error) {
    return (error as { readonly code: LoadErrorCode }).code
  }
}

const empty: Storage = new Map()

describe('load', () => {
  it('reads price, fees and ticks from the storage of the manager', () => {
    expect(run(ref, storageOf(pool))).toEqual(pool)
    const fine = { ...pool, ...refWith({ tickSpacing: 1 }), tickSpacing: 1 }
    const { factory: _, key: __, ...state } = fine
    expect(run(refWith({ tickSpacing: 1 }), storageOf(state as UniswapV4Pool))).toEqual(state)
  })

  it('names the wrapped token of a pool of the native one', () => {
    const native = refWith({ isNative: true }, [WRAPPED, TOKEN_B])
    const stored = { ...pool, id: native.id, tokens: [WRAPPED, TOKEN_B] as const, isNative: true }
    expect(run(native, storageOf(stored))).toEqual(stored)
    expect(codeOf(refWith({ isNative: true }, [ZERO_ADDRESS, TOKEN_B]), empty)).toBe(
      'POOL_FORM_UNKNOWN',
    )
    expect(codeOf(refWith({ isNative: true }, [TOKEN_B, TOKEN_B]), empty)).toBe('POOL_FORM_UNKNOWN')
  })

  it.each([7, 6, 3, 2])('refuses hooks with bit %i, which take part in swaps', (bit) => {
    const hooks = toHex((1n << BigInt(bit)) | (1n << 100n), 20)
    expect(codeOf(refWith({ hooks }), storageOf(pool))).toBe('POOL_FORM_UNKNOWN')
  })

  it('accepts hooks of liquidity, donations and the creation', () => {
    const swaps = (1n << 7n) | (1n << 6n) | (1n << 3n) | (1n << 2n)
    const hooked = refWith({ hooks: toHex(((1n << 160n) - 1n) ^ swaps, 20) })
    const stored = { ...pool, id: hooked.id, hooks: hooked.key!.hooks }
    expect(run(hooked, storageOf(stored))).toEqual(stored)
  })

  it('refuses a dynamic fee, a key of another id, and no key', () => {
    expect(codeOf(refWith({ feePpm: 0x800000 }), empty)).toBe('POOL_FORM_UNKNOWN')
    expect(codeOf({ ...ref, id: toHex(1, 32) }, storageOf(pool))).toBe('POOL_FORM_UNKNOWN')
    const { key: _, ...keyless } = ref
    expect(codeOf(keyless, storageOf(pool))).toBe('POOL_FORM_UNKNOWN')
  })

  it('refuses a state that the manager cannot have', () => {
    expect(codeOf(ref, empty)).toBe('POOL_NOT_INITIALISED')
    const states: readonly Partial<UniswapV4Pool>[] = [
      { lpFeePpm: 3001 },
      { protocolFeesPpm: [1_001, 0] },
      { protocolFeesPpm: [0, 1_001] },
      { tick: 887_273 },
      { sqrtPriceX96: 4n },
      { liquidity: 7_001n },
    ]
    for (const state of states) {
      expect(codeOf(ref, storageOf({ ...pool, ...state }))).toBe('POOL_OUT_OF_RANGE')
    }
  })
})

describe('the manager’s logs', () => {
  const [swap, change, fee] = POOL_EVENTS
  const sender = MANAGER
  const topicsOf = (event: (typeof POOL_EVENTS)[number]) =>
    encodeEventTopics({ abi: [event], args: { id: ref.id, sender } } as never) as readonly Hex[]
  const data = (form: string, values: readonly unknown[]): Hex =>
    encodeAbiParameters(parseAbiParameters(form) as never, values as never)

  it('change price, ticks and the protocol’s fees', () => {
    const swapped = applyLog(pool, {
      topics: topicsOf(swap),
      data: data('int128, int128, uint160, uint128, int24, uint24', [
        ...[-5n, 4n, (1n << 96n) - 9n, 7_000n, -1, 3_997],
      ]),
    })
    expect(swapped).toEqual({ ...pool, sqrtPriceX96: (1n << 96n) - 9n, tick: -1 })
    const added = applyLog(pool, {
      topics: topicsOf(change),
      data: data('int24, int24, int256, bytes32', [-60, 60, 50n, toHex(0, 32)]),
    })
    expect(added).toEqual({
      ...{ ...pool, liquidity: 7_050n },
      ticks: [
        pool.ticks[0],
        { index: -60, liquidityNet: 50n },
        { index: 60, liquidityNet: -7_050n },
      ],
    })
    const charged = applyLog(pool, { topics: topicsOf(fee), data: data('uint24', [9 + (8 << 12)]) })
    expect(charged).toEqual({ ...pool, protocolFeesPpm: [9, 8] })
  })

  it('reload the pool if they do not determine it', () => {
    const body = { topics: [DONATE, ref.id], data: '0x' as const }
    expect(applyLog(pool, body)).toBe('reload')
    const other = data('int128, int128, uint160, uint128, int24, uint24', [
      ...[-5n, 4n, (1n << 96n) - 9n, 6_999n, -1, 3_997],
    ])
    expect(applyLog(pool, { topics: topicsOf(swap), data: other })).toBe('reload')
  })

  it('are about the pool that they name first', () => {
    for (const event of POOL_EVENTS) expect(subjectOf({ topics: topicsOf(event) })).toBe(ref.id)
    expect(subjectOf({ topics: [DONATE, ref.id] })).toBe(ref.id)
    expect(subjectOf({ topics: [toHex(1, 32), ref.id] })).toBeUndefined()
  })

  it('announce pools, of the native token by the wrapped one of the venue', () => {
    const venue: Venue = {
      id: 'test',
      family: 'uniswapV4',
      factory: MANAGER,
      wrappedNative: WRAPPED,
    }
    const log = (currency0: Hex, id: Hex) => ({
      topics: encodeEventTopics({
        ...{ abi: INITIALIZE, eventName: 'Initialize' },
        args: { id, currency0, currency1: TOKEN_B },
      }) as readonly Hex[],
      data: data('uint24, int24, address, uint160, int24', [3000, 60, ZERO_ADDRESS, 1n << 96n, 0]),
    })
    expect(refOf(venue, log(TOKEN_A, ref.id))).toEqual(ref)
    const native = refWith({ isNative: true }, [WRAPPED, TOKEN_B])
    expect(refOf(venue, log(ZERO_ADDRESS, native.id))).toEqual(native)
    const { wrappedNative: _, ...unwrapped } = venue
    const unnamed = refOf(unwrapped, log(ZERO_ADDRESS, native.id))
    expect(codeOf(unnamed, empty)).toBe('POOL_FORM_UNKNOWN')
  })
})
