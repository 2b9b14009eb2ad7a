import type { Venue } from '@braid-swap/chain'
import { ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { amountsOf, type Devnet, fullRange, mintCalls, toSqrtPriceX96 } from '@braid-swap/devnet'
import {
  approvalsOf,
  changeCall,
  deployUniswapV4,
  uniswapV4Call,
} from '../../families/doubles/uniswapV4.js'
import { tokensOf } from './priced.js'

/** Pools: their symbols, their fee in ppm, and their depth in thousands of US dollars. HYPE is the native token. */
const PLANS = [
  ['HYPE/USDC', 500, 2_000],
  ['HYPE/UETH', 3_000, 900],
  ['WHYPE/USD₮0', 500, 800],
  ['USDC/USD₮0', 100, 1_500],
] as const
const tickSpacing = 60
const PROTOCOL_FEES = 300 + (700 << 12)
/** A hook that is called when somebody donates, and never otherwise. */
const DONATION_HOOK = `0x${'20'.padStart(40, '0')}` as const

/** Adds pools of Uniswap's own manager to a devnet, at the market's prices. */
export async function addUniswapV4(devnet: Devnet): Promise<Venue> {
  const v4 = await deployUniswapV4(devnet)
  const { deployer: from, tokens } = devnet
  const addresses = tokens.map(({ address }) => address)
  await devnet.execute(approvalsOf(v4, from, addresses))
  const native = { ...tokensOf(devnet, 'WHYPE')[0], symbol: 'HYPE', address: ZERO_ADDRESS }
  for (const [p, [symbols, fee, depthKUsd]] of PLANS.entries()) {
    const known = tokensOf({ ...devnet, tokens: [...tokens, native] }, symbols)
    const [one, two] = known.sort((a, b) => (a.address < b.address ? -1 : 1))
    const hooks = p === 3 ? DONATION_HOOK : ZERO_ADDRESS
    const key = { currency0: one.address, currency1: two.address, fee, tickSpacing, hooks }
    const price = (one.usdPrice / two.usdPrice) * 10 ** (two.decimals - one.decimals)
    const sqrtPriceX96 = toSqrtPriceX96(price)
    // L·√price is the amount of token 1, half of the depth.
    const half = ((depthKUsd * 500) / two.usdPrice) * 10 ** two.decimals
    const liquidity = BigInt(Math.round(half / Math.sqrt(price)))
    const range = fullRange(tickSpacing)
    const amounts = amountsOf({ ...range, liquidity }, sqrtPriceX96).map((wei) => wei + 1_000n)
    const change = { lower: range.tickLower, upper: range.tickUpper, liquidity, salt: 0n }
    const set = (functionName: string, args: readonly unknown[]) =>
      uniswapV4Call(from, v4.manager, { functionName, args })
    await devnet.execute([
      ...[one, two].flatMap(({ address: token }, k) =>
        token === ZERO_ADDRESS ? [] : mintCalls(from, { token, to: from, amount: amounts[k]! }),
      ),
      set('initialize', [key, sqrtPriceX96]),
      changeCall(from, v4, { key, change, value: amounts[0]! }),
      set('setProtocolFee', [key, PROTOCOL_FEES]),
    ])
  }
  return v4.venue
}
