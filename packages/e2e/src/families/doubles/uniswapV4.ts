import { createRequire } from 'node:module'
import type { Venue } from '@braid-swap/chain'
import type { Address, Hex } from '@braid-swap/core'
import { toHex, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { approveCall, type Call, type Chain } from '@braid-swap/devnet'
import { type Abi, encodeAbiParameters, encodeFunctionData, keccak256, parseAbi } from 'viem'
import { deploy } from './compile.js'

const require = createRequire(import.meta.url)

/** Uniswap's own manager on a chain, and its own contracts that swap and add liquidity in tests. */
export type UniswapV4Venue = {
  readonly venue: Venue
  readonly manager: Address
  /** PoolSwapTest: trades with the tokens of its caller, who approves it. */
  readonly swapper: Address
  /** PoolModifyLiquidityTest: the same for positions. */
  readonly provider: Address
  /** PoolDonateTest. */
  readonly donor: Address
}

/** A pool's id is the hash of this; currency 0 is zero for the native token. */
export type PoolKey = {
  readonly currency0: Address
  readonly currency1: Address
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address
}

/**
 * Liquidity to add between two ticks; negative to remove it. Changes with another salt are other
 * positions: the provider refuses to add where fees of a position are due.
 */
export type Change = {
  readonly lower: number
  readonly upper: number
  readonly liquidity: bigint
  readonly salt: bigint
}

const KEY =
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }'

/** ABI of what the tests call. */
export const uniswapV4Abi = parseAbi([
  KEY,
  'struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }',
  'struct Settings { bool takeClaims; bool settleUsingBurn; }',
  'struct Range { int24 tickLower; int24 tickUpper; int256 liquidityDelta; bytes32 salt; }',
  'function initialize(PoolKey key, uint160 sqrtPriceX96) returns (int24)',
  'function setProtocolFeeController(address controller)',
  'function setProtocolFee(PoolKey key, uint24 fee)',
  'function extsload(bytes32 slot) view returns (bytes32)',
  'function swap(PoolKey key, SwapParams params, Settings settings, bytes data) payable returns (int256)',
  'function modifyLiquidity(PoolKey key, Range params, bytes data) payable returns (int256)',
  'function donate(PoolKey key, uint256 amount0, uint256 amount1, bytes data) payable returns (int256)',
])

const GAS = 20_000_000n
const MIN_SQRT_PRICE = 4295128739n
const MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970342n

/** Deploys the manager, of which the deployer sets the protocol's fees, and the three callers. */
export async function deployUniswapV4(chain: Chain): Promise<UniswapV4Venue> {
  const { deployer, wrappedNative } = chain
  const create = (name: string, args: readonly unknown[]) => {
    const { abi, bytecode } = require(`@uniswap/v4-core/out/${name}.sol/${name}.json`) as {
      readonly abi: Abi
      readonly bytecode: { readonly object: Hex }
    }
    return deploy(chain, { abi, bytecode: bytecode.object }, args)
  }
  const manager = await create('PoolManager', [deployer])
  const [swapper, provider, donor] = [
    await create('PoolSwapTest', [manager]),
    await create('PoolModifyLiquidityTest', [manager]),
    await create('PoolDonateTest', [manager]),
  ]
  const args = [deployer]
  await chain.execute([
    uniswapV4Call(deployer, manager, { functionName: 'setProtocolFeeController', args }),
  ])
  const venue = { id: 'uniswap-v4', family: 'uniswapV4', factory: manager, wrappedNative } as const
  return { venue, manager, swapper, provider, donor }
}

/** Approvals of all the callers for these tokens of an owner. */
export function approvalsOf(
  { swapper, provider, donor }: UniswapV4Venue,
  owner: Address,
  tokens: readonly Address[],
): readonly Call[] {
  return tokens.flatMap((token) =>
    [swapper, provider, donor].map((spender) => approveCall(token, { owner, spender })),
  )
}

/** The id of the pool with this key. */
export function idOf(key: PoolKey): Hex {
  const { currency0, currency1, fee, tickSpacing, hooks } = key
  const types = ['address', 'address', 'uint24', 'int24', 'address'] as const
  return keccak256(
    encodeAbiParameters(
      types.map((type) => ({ type })),
      [currency0, currency1, fee, tickSpacing, hooks],
    ),
  )
}

/** A change of liquidity; what native tokens it needs are sent along, and the rest comes back. */
export function changeCall(
  from: Address,
  { provider }: UniswapV4Venue,
  {
    key,
    change,
    value,
  }: { readonly key: PoolKey; readonly change: Change; readonly value: bigint },
): Call {
  const { lower: tickLower, upper: tickUpper, liquidity: liquidityDelta, salt } = change
  const range = { tickLower, tickUpper, liquidityDelta, salt: toHex(salt, 32) }
  const args = [key, range, '0x']
  return uniswapV4Call(
    from,
    provider,
    { functionName: 'modifyLiquidity', args },
    nativeValue(key, value),
  )
}

/** Calldata and value of a swap of an exact input without a price limit, by the swapper. */
export function swapOf(
  key: PoolKey,
  { zeroForOne, amountIn }: { readonly zeroForOne: boolean; readonly amountIn: bigint },
): { readonly data: Hex; readonly value: bigint } {
  const sqrtPriceLimitX96 = zeroForOne ? MIN_SQRT_PRICE + 1n : MAX_SQRT_PRICE - 1n
  const params = { zeroForOne, amountSpecified: -amountIn, sqrtPriceLimitX96 }
  const settings = { takeClaims: false, settleUsingBurn: false }
  const args = [key, params, settings, '0x'] as const
  return {
    data: encodeFunctionData({ abi: uniswapV4Abi, functionName: 'swap', args }),
    value: zeroForOne ? nativeValue(key, amountIn) : 0n,
  }
}

/** The native tokens to send to a pool: none unless it trades them. */
export function nativeValue({ currency0 }: PoolKey, amount: bigint): bigint {
  return currency0 === ZERO_ADDRESS ? amount : 0n
}

/** A call by function name, to the manager or one of the callers. */
export function uniswapV4Call(
  from: Address,
  to: Address,
  call: { readonly functionName: string; readonly args: readonly unknown[] },
  value = 0n,
): Call {
  const data = encodeFunctionData({ abi: uniswapV4Abi, ...call } as Parameters<
    typeof encodeFunctionData
  >[0])
  return { label: `${call.functionName} of ${to}`, from, to, data, value, gas: GAS }
}
