/**
 * What a person sees of a market's prices after it was traded for a while: pools of two tokens agree, buying HYPE and
 * selling it again costs its fees, and small orders take short routes. Everything is quoted on a snapshot, as the API
 * quotes. `BRAID_MARKET_BLOCKS=3600` trades an hour of the demo.
 */
import { createClient, loadSnapshot } from '@braid-swap/chain'
import {
  type Address,
  buildGraph,
  type Graph,
  NATIVE,
  type Pool,
  type Quote,
  quote,
} from '@braid-swap/core'
import { getAmountOut } from '@braid-swap/core/families'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'
import { expect, it } from 'vitest'

// Without the arbitrageur the first pools are a percent apart after some ten blocks, and HYPE bought and sold gains 2 %
// after a hundred. What it leaves open does not add up, because it measures each pool against the same prices.
const BLOCKS = Number(process.env['BRAID_MARKET_BLOCKS'] ?? 120)
const ONE_HYPE = 10n ** 18n

/** The demo's trader does this in a block. */
const SWAPS_PER_BLOCK = 2

/**
 * Two pools of 0.3 % there and back are the most that a liquid token may cost; the orders are too
 * small for an impact that shows.
 */
const MAX_LOSS = 0.006

/** HYPE, WHYPE, at most one token between, and the token that is bought. */
const MAX_TOKENS = 4

/** Tokens with a deep pool against WHYPE. */
const LIQUID = ['USDC', 'USD₮0', 'UBTC', 'UETH', 'PURR', 'UPUMP']

it('is a market after the trader came: pools agree, HYPE buys and sells for its fees, routes are short', async () => {
  const devnet = await borrowDevnet()
  try {
    await tradeBlocks(devnet, BLOCKS, SWAPS_PER_BLOCK)
    const market = await loadMarket(devnet)
    expect(gainsBetweenPools(devnet, market)).toEqual([])
    for (const symbol of LIQUID) {
      const token = addressOf(devnet, symbol)
      const loss = lossOfRoundTrip(market, [NATIVE, token], ONE_HYPE)
      expect(loss, `HYPE to ${symbol} and back`).toBeGreaterThan(0)
      expect(loss, `HYPE to ${symbol} and back`).toBeLessThan(MAX_LOSS)
      const bought = quote(market, { tokenIn: NATIVE, tokenOut: token, amountIn: ONE_HYPE })
      expect(tokensOf(bought).size, `tokens from HYPE to ${symbol}`).toBeLessThanOrEqual(MAX_TOKENS)
    }
  } finally {
    await devnet.stop()
  }
})

function addressOf(devnet: Devnet, symbol: string): Address {
  return devnet.tokens.find((token) => token.symbol === symbol)!.address
}

/** US dollars of a small order: its own impact is far less than a fee. */
const SMALL_USD = 1

/** Trades `blocks` blocks as the demo does: some swaps of the trader, then the arbitrageur's. */
async function tradeBlocks(devnet: Devnet, blocks: number, swapsPerBlock: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await devnet.trade(swapsPerBlock)
    await devnet.arbitrage()
    await devnet.mine()
  }
}

/** The devnet's market as the API sees it at the newest block. */
async function loadMarket({ rpcUrl, venues, wrappedNative }: Devnet): Promise<Graph> {
  const {
    state: { snapshot },
  } = await loadSnapshot(createClient(rpcUrl), { venues, wrappedNative })
  return buildGraph(snapshot)
}

/** Pairs of pools between which a small amount goes there and back with a gain, in words. */
function gainsBetweenPools(devnet: Devnet, { snapshot }: Graph): readonly string[] {
  const usdPerWei = new Map(devnet.tokens.map((t) => [t.address, t.usdPrice / 10 ** t.decimals]))
  const pools = snapshot.pools.filter(({ family }) => family !== 'wrap')
  return pools.flatMap((there) =>
    pools
      .filter((back) => `${back.tokens}` === `${there.tokens}`)
      .flatMap((back) => {
        const amountIn = BigInt(Math.round(SMALL_USD / usdPerWei.get(there.tokens[0]!)!))
        const received = payOut(back, 1, payOut(there, 0, amountIn))
        return received > amountIn ? [`${there.id} and ${back.id}: ${amountIn} to ${received}`] : []
      }),
  )
}

/** Returns the part of `amountIn` that buying and at once selling loses; negative is a gain. */
function lossOfRoundTrip(
  graph: Graph,
  [from, to]: readonly [Address, Address],
  amountIn: bigint,
): number {
  const there = quote(graph, { tokenIn: from, tokenOut: to, amountIn })
  const back = quote(graph, { tokenIn: to, tokenOut: from, amountIn: there.amountOut })
  return 1 - Number(back.amountOut) / Number(amountIn)
}

/** The tokens that a quote's route passes through, its ends included. */
function tokensOf({ route }: Pick<Quote, 'route'>): ReadonlySet<Address> {
  return new Set(
    route.flatMap(({ pool, direction }) => [
      pool.tokens[direction.in]!,
      pool.tokens[direction.out]!,
    ]),
  )
}

function payOut(pool: Pool, side: 0 | 1, amountIn: bigint): bigint {
  return getAmountOut(pool, { in: side, out: 1 - side }, amountIn)
}
