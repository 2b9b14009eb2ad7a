/**
 * Measures what a person sees of a market's prices after it was traded for a while: how far pools of two
 * tokens are apart, what buying HYPE and selling it again costs, and how many tokens a small order
 * goes through. Everything is quoted on a snapshot, as the API quotes.
 */
import { createClient, loadSnapshot } from '@braid-swap/chain'
import {
  type Address,
  buildGraph,
  type Graph,
  type Pool,
  type Quote,
  quote,
} from '@braid-swap/core'
import { getAmountOut } from '@braid-swap/core/families'
import type { Devnet } from '@braid-swap/devnet'

/** US dollars of a small order: its own impact is far less than a fee. */
const SMALL_USD = 1

/** Trades `blocks` blocks as the demo does: some swaps of the trader, then the arbitrageur's. */
export async function tradeBlocks(
  devnet: Devnet,
  blocks: number,
  swapsPerBlock: number,
): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await devnet.trade(swapsPerBlock)
    await devnet.arbitrage()
    await devnet.mine()
  }
}

/** The devnet's market as the API sees it at the newest block. */
export async function loadMarket({ rpcUrl, venues, wrappedNative }: Devnet): Promise<Graph> {
  const { snapshot } = await loadSnapshot(createClient(rpcUrl), { venues, wrappedNative })
  return buildGraph(snapshot)
}

/** Pairs of pools between which a small amount goes there and back with a gain, in words. */
export function gainsBetweenPools(devnet: Devnet, { snapshot }: Graph): readonly string[] {
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
export function lossOfRoundTrip(
  graph: Graph,
  [from, to]: readonly [Address, Address],
  amountIn: bigint,
): number {
  const there = quote(graph, { tokenIn: from, tokenOut: to, amountIn })
  const back = quote(graph, { tokenIn: to, tokenOut: from, amountIn: there.amountOut })
  return 1 - Number(back.amountOut) / Number(amountIn)
}

/** The tokens that a quote's route passes through, its ends included. */
export function tokensOf({ route }: Pick<Quote, 'route'>): ReadonlySet<Address> {
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
