import { type ChainRecord, hyperEvm } from '@braid-swap/chain'

/**
 * The volatility of a pool's two tokens against each other; it sets the width of positions. 'quiet': nobody trades
 * there, and few positions make the pool.
 */
export type Volatility = 'pegged' | 'volatile' | 'quiet'

/** A pool of the market, before the seed varies it. */
export type MarketPool = {
  readonly symbols: readonly [string, string]
  readonly venue:
    | 'devnet-v2a'
    | 'devnet-v2b'
    | 'devnet-v3a'
    | 'devnet-v3b'
    | 'devnet-pv3'
    | 'devnet-joev2'
    | 'devnet-algebra'
    | 'devnet-algebrav1'
  /** The fee in parts per million of the input. */
  readonly feePpm: number
  /** Thousands of US dollars in the pool, both tokens together: the median over seeds. */
  readonly depthKUsd: number
  readonly volatility: Volatility
}

/**
 * The shape of the market. Three hubs (WHYPE, USDC, USD₮0) have many parallel pools, over which
 * large orders split. Majors have pools with several hubs, so that orders fan out and in again. A tail
 * needs up to four hops: JEFF – PURR – WHYPE – kHYPE – KNTQ. feUSD, sUSDe, LHYPE, KNTQ, HPL and JEFF
 * have no pool with a hub.
 */
export const marketPools: readonly MarketPool[] = [
  ...pair('WHYPE/USDC', 'v3a 500 4000', 'v3b 500 1800', 'v3a 3000 1500', 'v3b 100 600'),
  ...pair('WHYPE/USDC', 'v2a 3000 800', 'v2b 3000 250'),
  ...pair('WHYPE/USD₮0', 'v3a 500 3000', 'v3b 3000 900', 'v2a 3000 400', 'v2b 3000 120'),
  ...pegged('WHYPE/kHYPE', 'v3a 100 3500', 'v3b 500 700', 'v2a 3000 150'),
  ...pegged('WHYPE/wstHYPE', 'v3a 100 1200', 'v3b 500 200'),
  ...pair('WHYPE/UBTC', 'v3a 3000 1500', 'v3b 500 500', 'v2b 3000 80'),
  ...pair('WHYPE/UETH', 'v3a 3000 1200', 'v3b 3000 300', 'v2a 3000 60'),
  ...pair('WHYPE/USOL', 'v3a 3000 400', 'v2b 3000 40'),
  ...pegged('USDC/USD₮0', 'v3a 100 5000', 'v3b 100 1500', 'v2a 3000 100'),
  ...pegged('USDC/USDH', 'v3b 100 700', 'v2b 3000 50'),
  ...pegged('USD₮0/USDH', 'v3a 100 200'),
  ...pegged('USD₮0/USDe', 'v3a 100 900', 'v3b 500 120'),
  ...pegged('USDe/feUSD', 'v3a 500 150', 'v2a 3000 30'),
  ...pegged('USDe/sUSDe', 'v3b 500 250'),
  ...pair('USDC/UBTC', 'v3a 500 1200', 'v3b 3000 300'),
  ...pair('USD₮0/UBTC', 'v3b 500 600'),
  ...pair('USDC/UETH', 'v3a 500 900', 'v2b 3000 110'),
  ...pair('UBTC/UETH', 'v3a 3000 350'),
  ...pair('USDC/USOL', 'v3b 3000 150'),
  ...pair('USD₮0/XAUt0', 'v3a 3000 300', 'v2b 3000 40'),
  ...pair('PURR/WHYPE', 'v2a 3000 300', 'v3a 3000 180', 'v3b 10000 80'),
  ...pair('PURR/USDC', 'v2b 3000 45'),
  ...pair('UPUMP/USDC', 'v3b 10000 90'),
  ...pair('UPUMP/WHYPE', 'v2a 3000 60'),
  ...pair('UFART/WHYPE', 'v2a 3000 120', 'v3a 10000 45'),
  ...pegged('LHYPE/kHYPE', 'v3a 500 180', 'v2a 3000 35'),
  ...pair('KNTQ/kHYPE', 'v3b 10000 70', 'v2b 3000 20'),
  ...pair('HPL/kHYPE', 'v2a 3000 25'),
  ...pair('HPL/USDe', 'v3a 10000 30'),
  ...pair('JEFF/PURR', 'v2a 3000 15', 'v3b 10000 9'),
  ...pair('WHYPE/USDC', 'pv3 500 900', 'joev2 3000 350'),
  ...pair('PURR/USDC', 'joev2 3000 60'),
  ...pair('WHYPE/UBTC', 'joev2 3000 90'),
  ...pegged('WHYPE/kHYPE', 'pv3 100 400'),
  ...pegged('USDC/USD₮0', 'pv3 100 600'),
  ...pair('WHYPE/UETH', 'pv3 2500 300'),
  ...pair('WHYPE/USDC', 'algebra 100 1100'),
  ...pair('WHYPE/UBTC', 'algebra 100 400'),
  ...pair('USDC/UETH', 'algebra 100 250'),
  ...pair('UPUMP/WHYPE', 'algebra 100 50'),
  ...pair('WHYPE/USDC', 'algebrav1 100 700'),
  ...pair('USD₮0/UBTC', 'algebrav1 100 250'),
  ...pair('PURR/WHYPE', 'algebrav1 100 60'),
]

/** Pools of tokens with independent prices; each text is a venue, fee in ppm and depth in k$. */
function pair(symbols: string, ...pools: readonly string[]): readonly MarketPool[] {
  return pools.map((text) => read(symbols, text, 'volatile'))
}

/** The shape of the market of a chain. */
export function poolsOf({ wrapped }: ChainRecord): readonly MarketPool[] {
  const own = (symbol: string) => (symbol === hyperEvm.wrapped.symbol ? wrapped.symbol : symbol)
  return marketPools.map((pool) => {
    const [a, b] = pool.symbols
    return { ...pool, symbols: [own(a), own(b)] }
  })
}

function pegged(symbols: string, ...pools: readonly string[]): readonly MarketPool[] {
  return pools.map((text) => read(symbols, text, 'pegged'))
}

function read(symbols: string, text: string, volatility: Volatility): MarketPool {
  const [a = '', b = ''] = symbols.split('/')
  const [venue, fee, depth] = text.split(' ')
  return {
    symbols: [a, b],
    venue: `devnet-${venue}` as MarketPool['venue'],
    feePpm: Number(fee),
    depthKUsd: Number(depth),
    volatility,
  }
}

/** Thousands of US dollars in a pool that nobody trades with. */
const QUIET_DEPTH_K_USD = 20

/**
 * So many further pools of these tokens, small ones, with the venues and the fees of {@link marketPools} in their
 * proportions. No two are of one venue, pair and fee.
 */
export function quietPools(count: number, symbols: readonly string[]): readonly MarketPool[] {
  const pairs = symbols.flatMap((a, i) => symbols.slice(i + 1).map((b) => [a, b] as const))
  // Only the ticks of V3 and its fork exist once for each fee.
  const keyOf = ({ venue, feePpm, symbols: two }: MarketPool) =>
    [venue, /v3/.test(venue) && feePpm, ...[...two].sort()].join()
  const used = new Set(marketPools.map(keyOf))
  const pools: MarketPool[] = []
  for (let i = 0; pools.length < count && i < count * pairs.length; i++) {
    const { venue, feePpm } = marketPools[i % marketPools.length]!
    const pool = pairs
      .map((two) => ({
        ...{ symbols: two, venue, feePpm, depthKUsd: QUIET_DEPTH_K_USD },
        volatility: 'quiet' as const,
      }))
      .find((one) => !used.has(keyOf(one)))
    if (!pool) continue
    used.add(keyOf(pool))
    pools.push(pool)
  }
  return pools
}
