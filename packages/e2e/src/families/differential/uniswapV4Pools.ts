import type { Direction, Hex } from '@braid-swap/core'
import { ZERO_ADDRESS } from '@braid-swap/core/advanced'
import {
  applySwap,
  getAmountOut,
  getSqrtPriceAtTick,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  type UniswapV4Pool,
} from '@braid-swap/core/families'
import type { Call } from '@braid-swap/devnet'
import { decodeFunctionResult, encodeAbiParameters, encodeFunctionData, keccak256 } from 'viem'
import {
  uniswapV4Abi as abi,
  approvalsOf,
  type Change,
  changeCall,
  deployUniswapV4,
  idOf,
  nativeValue,
  type PoolKey,
  swapOf,
  type UniswapV4Venue,
  uniswapV4Call,
} from '../doubles/uniswapV4.js'
import { anyAmount } from './amounts.js'
import { type BareChain, readPools } from './bareChain.js'
import { anyBelow, anyBits, anyInteger } from './integers.js'
import { type SimulatedCall, simulate } from './simulate.js'
import { compare, count, type Swap, type Tally } from './tally.js'

/** Uniswap's own manager with pools, and their states as loaded. */
export type UniswapV4Market = BareChain & {
  readonly v4: UniswapV4Venue
  readonly keys: ReadonlyMap<Hex, PoolKey>
  readonly pools: readonly UniswapV4Pool[]
}

/** Native wei of each account that pays, and for one of its calls, which the node limits to 128 bits. */
const PLENTY = 1n << 140n
const MAX_NATIVE = 1n << 126n
const POSITIONS = 5
/** A hook that is called when somebody donates, and one before and after liquidity is added. */
const HOOKS = [`0x${'0'.repeat(38)}20`, ZERO_ADDRESS] as const
/** A spacing of 1 is rare, because a fresh load then reads 7,000 words. */
const SPACINGS = [1, 10, 10, 30, 60, 60, 200, 200, 2_000, 32_767]
/** A swap through the whole range of such a pool reads each of them. */
const SWAP_GAS = 200_000_000n

/** `count` pools at prices of the whole range; their positions overlap, leave gaps or are dust. */
export async function createUniswapV4Market(
  bare: BareChain,
  count: number,
): Promise<UniswapV4Market> {
  const { chain, tokens, trader, random } = bare
  const v4 = await deployUniswapV4(chain)
  const owners = [trader, chain.deployer]
  for (const address of owners) await chain.client.setBalance({ address, value: PLENTY })
  await chain.execute(owners.flatMap((owner) => approvalsOf(v4, owner, tokens)))
  const keys = new Map<Hex, PoolKey>()
  while (keys.size < count) {
    const key = anyKey(bare, keys.size)
    if (keys.has(idOf(key))) continue
    keys.set(idOf(key), key)
    await chain.execute(anyCreation(bare, v4, key))
  }
  const market = { ...bare, v4, keys }
  const feeCalls = [...keys.values()].flatMap((key) =>
    random.next() < 0.6 ? anyProtocolFeeCall(market, key) : [],
  )
  await chain.execute(feeCalls)
  return { ...market, pools: (await readPools(chain, v4.venue)) as readonly UniswapV4Pool[] }
}

/** A key of two tokens, of which every fifth is the native one. */
function anyKey({ tokens, random }: BareChain, p: number): PoolKey {
  const at = anyInteger(random, 0, tokens.length - 2)
  const other = anyInteger(random, at + 1, tokens.length - 1)
  return {
    currency0: p % 5 === 4 ? ZERO_ADDRESS : tokens[at]!,
    currency1: tokens[other]!,
    fee: random.next() < 0.2 ? anyInteger(random, 0, 999_999) : anyInteger(random, 0, 30_000),
    tickSpacing: random.pick(SPACINGS),
    hooks: HOOKS[random.next() < 0.3 ? 0 : 1],
  }
}

/** Calls that create a pool at any price, with positions around it. */
function anyCreation(
  { chain, random }: BareChain,
  v4: UniswapV4Venue,
  key: PoolKey,
): readonly Call[] {
  const tick = anyInteger(random, -300_000, 300_000)
  const exact = getSqrtPriceAtTick(tick) + anyBelow(random, 1n << 40n)
  const args = [key, random.next() < 0.1 ? getSqrtPriceAtTick(tick) : exact]
  const from = chain.deployer
  const most = anyInteger(random, 40, 96)
  const changes = Array.from({ length: anyInteger(random, 1, POSITIONS) }, () =>
    anyChange({ random }, key, { tick, bits: most }),
  )
  return [
    uniswapV4Call(from, v4.manager, { functionName: 'initialize', args }),
    ...changes.map((change) => changeCall(from, v4, { key, change, value: MAX_NATIVE })),
  ]
}

/** A position of up to 2^bits liquidity near a tick, sometimes of the whole range. */
function anyChange(
  { random }: Pick<BareChain, 'random'>,
  { tickSpacing }: PoolKey,
  { tick, bits }: { readonly tick: number; readonly bits: number },
): Change {
  const [least, most] = [
    Math.ceil(MIN_TICK / tickSpacing) * tickSpacing,
    Math.floor(MAX_TICK / tickSpacing) * tickSpacing,
  ]
  const liquidity = anyBits(random, Math.max(1, bits - 12), bits)
  const salt = anyBits(random, 1, 200)
  if (random.next() < 0.15) return { lower: least, upper: most, liquidity, salt }
  const start = tick + anyInteger(random, -6_000, 3_000)
  const onGrid = (value: number) => Math.floor(value / tickSpacing) * tickSpacing
  const lower = Math.min(Math.max(onGrid(start), least), most - tickSpacing)
  const width = Math.ceil(anyInteger(random, 1, 9_000) / tickSpacing) * tickSpacing
  return { lower, upper: Math.min(lower + width, most), liquidity, salt }
}

/** A new protocol fee of each direction. */
function anyProtocolFeeCall(
  { chain, random, v4 }: Omit<UniswapV4Market, 'pools'>,
  key: PoolKey,
): readonly Call[] {
  const fees = [0, 0].map(() => random.pick([0, 1_000, anyInteger(random, 0, 1_000)]))
  const args = [key, fees[0]! + (fees[1]! << 12)]
  return [uniswapV4Call(chain.deployer, v4.manager, { functionName: 'setProtocolFee', args })]
}

/**
 * Swaps three times in a row in one pool, in any direction. Core must compute each output to the wei,
 * refuse what the manager refuses or takes in part, and end with the price and the liquidity that the
 * manager stores.
 */
export async function checkUniswapV4Swaps(market: UniswapV4Market, tally: Tally): Promise<void> {
  const { chain, trader, random, v4, keys } = market
  const pool = random.pick(market.pools)
  const key = keys.get(pool.id)!
  const swaps: (Swap & { readonly pool: UniswapV4Pool })[] = []
  let state = pool
  for (let turn = 0; turn < 3; turn++) {
    const direction: Direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
    const drawn = anyAmount(random, state, direction)
    const amountIn = drawn < MAX_NATIVE ? drawn : MAX_NATIVE
    swaps.push({ pool: state, direction, amountIn })
    state = applySwap(state, direction, amountIn)
  }
  const calls: SimulatedCall[] = [
    ...swaps.map(({ direction, amountIn }) => ({
      ...{ from: trader, to: v4.swapper },
      ...swapOf(key, { zeroForOne: direction.in === 0, amountIn }),
    })),
    ...slotsOf(pool.id).map((slot) => ({
      ...{ from: trader, to: v4.manager },
      data: encodeFunctionData({ abi, functionName: 'extsload', args: [slot] }),
    })),
  ]
  const results = await simulate(chain.client, calls)
  for (const [i, { direction, amountIn, ...swap }] of swaps.entries()) {
    const { succeeded, data } = results[i]!
    const delta = succeeded ? decodeFunctionResult({ abi, functionName: 'swap', data }) : 0n
    const halves = [BigInt.asIntN(128, delta >> 128n), BigInt.asIntN(128, delta)]
    const isWhole = -halves[direction.in]! === amountIn
    const paid = isWhole ? halves[direction.out]! : 0n
    const core = getAmountOut(swap.pool, direction, amountIn)
    compare(tally, { direction, amountIn, ...swap }, { what: 'amount out', core, chain: paid })
    count(tally, paid > 0n ? 'paid to the wei' : 'refused by both')
    if (paid > 0n && pool.isNative) count(tally, 'paid by a pool of the native token')
    if (paid > 0n && swap.pool.protocolFeesPpm[direction.in === 0 ? 0 : 1] > 0) {
      count(tally, 'paid with a protocol fee')
    }
    // A swap in part, or for nothing, is refused by the executor and moves the price all the same.
    if (succeeded && paid === 0n) return
  }
  const [slot0, liquidity] = results.slice(3).map(({ data }) => BigInt(data)) as [bigint, bigint]
  const chainState = {
    sqrtPriceX96: slot0 & ((1n << 160n) - 1n),
    tick: Number(BigInt.asIntN(24, slot0 >> 160n)),
    liquidity,
  }
  const { sqrtPriceX96, tick, liquidity: own } = state
  const what = 'price, tick and liquidity'
  const coreState = { sqrtPriceX96, tick, liquidity: own }
  compare(tally, swaps.at(-1)!, { what, core: coreState, chain: chainState })
}

/** The slots of the price and of the liquidity: the first and the fourth of a pool. */
function slotsOf(id: Hex): readonly Hex[] {
  const types = [{ type: 'bytes32' }, { type: 'uint256' }] as const
  const first = BigInt(keccak256(encodeAbiParameters(types, [id, 6n])))
  return [first, first + 3n].map((slot): Hex => `0x${slot.toString(16).padStart(64, '0')}`)
}

/** One random move of a pool: a swap, liquidity in or out, a donation, or a new protocol fee. */
export function anyUniswapV4Move(market: UniswapV4Market, pool: UniswapV4Pool): readonly Call[] {
  const { random, trader, chain, v4, keys } = market
  const key = keys.get(pool.id)!
  const kind = random.next()
  if (kind < 0.1) return anyProtocolFeeCall(market, key)
  if (kind < 0.2 && pool.liquidity > 0n && BigInt(key.hooks) === 0n) {
    const args = [key, 1_000n, 2_000n, '0x']
    const call = { functionName: 'donate', args }
    return [uniswapV4Call(trader, v4.donor, call, nativeValue(key, 1_000n))]
  }
  if (kind < 0.45) {
    const change = anyChange(market, key, { tick: pool.tick, bits: 60 })
    const add = changeCall(chain.deployer, v4, { key, change, value: MAX_NATIVE })
    if (random.next() < 0.5) return [add]
    const remove = { ...change, liquidity: -change.liquidity }
    return [add, changeCall(chain.deployer, v4, { key, change: remove, value: 0n })]
  }
  const direction: Direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
  const amountIn = anyAmount(random, pool, direction)
  if (getAmountOut(pool, direction, amountIn) === 0n || amountIn > MAX_NATIVE) return []
  const isAtEnd = (price: bigint) =>
    price <= MIN_SQRT_PRICE_X96 + 1n || price >= MAX_SQRT_PRICE_X96 - 1n
  if (isAtEnd(applySwap(pool, direction, amountIn).sqrtPriceX96)) return []
  const { data, value } = swapOf(key, { zeroForOne: direction.in === 0, amountIn })
  return [{ label: 'swap', from: trader, to: v4.swapper, data, value, gas: SWAP_GAS }]
}
