import type { Venue } from '@braid-swap/chain'
import { ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { amountsOf, type Devnet, fullRange, mintCalls, toSqrtPriceX96 } from '@braid-swap/devnet'
import {
  approvalsOf,
  changeCall,
  deployUniswapV4,
  type PoolKey,
  uniswapV4Call,
} from '../../families/doubles/uniswapV4.js'

/** A pool: its symbols, its fee in ppm, and its depth in thousands of US dollars. */
type Planned = readonly [symbols: string, feePpm: number, depthKUsd: number]

/** The pools of HYPE trade the native token itself. */
const PLANS: readonly Planned[] = [
  ['HYPE/USDC', 500, 2_000],
  ['HYPE/UETH', 3_000, 900],
  ['WHYPE/USD₮0', 500, 800],
  ['USDC/USD₮0', 100, 1_500],
]
const TICK_SPACING = 60
const PROTOCOL_FEES = 300 + (700 << 12)
/** A hook that is called when somebody donates, and never otherwise. */
const DONATION_HOOK = `0x${'20'.padStart(40, '0')}` as const

/** Adds pools of Uniswap's own manager to a devnet, at the market's prices. */
export async function addUniswapV4(devnet: Devnet): Promise<Venue> {
  const v4 = await deployUniswapV4(devnet)
  const { deployer: from, tokens } = devnet
  const addresses = tokens.map(({ address }) => address)
  await devnet.execute(approvalsOf(v4, from, addresses))
  for (const [p, [symbols, fee, depthKUsd]] of PLANS.entries()) {
    const [one, two] = symbols
      .split('/')
      .map((symbol) => {
        const isNative = symbol === 'HYPE'
        const token = tokens.find((known) => known.symbol === (isNative ? 'WHYPE' : symbol))!
        return { ...token, address: isNative ? ZERO_ADDRESS : token.address }
      })
      .sort((a, b) => (a.address < b.address ? -1 : 1)) as [Priced, Priced]
    const hooks = p === 3 ? DONATION_HOOK : ZERO_ADDRESS
    const key: PoolKey = {
      ...{ currency0: one.address, currency1: two.address, fee, tickSpacing: TICK_SPACING, hooks },
    }
    const price = (one.usdPrice / two.usdPrice) * 10 ** (two.decimals - one.decimals)
    const sqrtPriceX96 = toSqrtPriceX96(price)
    // L·√price is the amount of token 1, half of the depth.
    const half = ((depthKUsd * 500) / two.usdPrice) * 10 ** two.decimals
    const liquidity = BigInt(Math.round(half / Math.sqrt(price)))
    const range = fullRange(TICK_SPACING)
    const amounts = amountsOf({ ...range, liquidity }, sqrtPriceX96)
    const change = { lower: range.tickLower, upper: range.tickUpper, liquidity, salt: 0n }
    await devnet.execute([
      ...[one, two].flatMap(({ address: token }, k) =>
        token === ZERO_ADDRESS
          ? []
          : mintCalls(from, { token, to: from, amount: amounts[k]! + 1_000n }),
      ),
      uniswapV4Call(from, v4.manager, { functionName: 'initialize', args: [key, sqrtPriceX96] }),
      changeCall(from, v4, { key, change, value: amounts[0] + 1_000n }),
      uniswapV4Call(from, v4.manager, {
        functionName: 'setProtocolFee',
        args: [key, PROTOCOL_FEES],
      }),
    ])
  }
  return v4.venue
}

type Priced = Devnet['tokens'][number]
