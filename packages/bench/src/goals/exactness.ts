import { join } from 'node:path'
import { getAmountOut, MAX_SQRT_PRICE_X96, MIN_SQRT_PRICE_X96, type Pool } from '@braid-swap/core'
import { peersPath, requirePeer } from '../peers/packages.js'
import { createPrng, type Prng } from '../prng.js'
import type { Goal, Lab, Measured } from './goal.js'

const WANTED = 100_000
const V2_FEE_PPM = 3000
// The pool's swap loop is not exported by the SDK, so it is loaded by its file.
const V3_SWAP = join(peersPath, 'node_modules/@uniswap/v3-sdk/dist/cjs/src/utils/v3swap.js')

/** G4: the exact maths against Uniswap's own SDKs; other tests cover bytecode and whole routes. */
export const exactness: Goal = {
  id: 'G4',
  title: 'wei-exact',
  target: '0 mismatches in 1e5 swaps per pool type against an independent integer reference',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  if (!lab.hasPeers) return { measured: 'the reference SDK is not installed', isReached: undefined }
  const prng = createPrng(lab.seed)
  const pools = lab.ethereum.clean.snapshot.pools
  const pairs = pools.filter((pool) => pool.family === 'uniswapV2' && pool.feePpm === V2_FEE_PPM)
  const sdk = loadSdk()
  const ranges = pools.filter((pool) => pool.family === 'uniswapV3' && sdk.providerOf(pool))
  const v2 = await compare(pairs, lab.isQuick ? 2_000 : WANTED, prng, quoteV2)
  lab.log('G4: pairs done')
  const v3 = await compare(ranges, lab.isQuick ? 300 : WANTED, prng, sdk.quoteV3)
  return {
    measured: `V2 ${v2.mismatches} of ${v2.compared}, V3 ${v3.mismatches} of ${v3.compared} differ from Uniswap's SDKs; bytecode and executed routes: see the tests of core and e2e`,
    isReached:
      v2.mismatches + v3.mismatches > 0
        ? false
        : v2.compared >= WANTED && v3.compared >= WANTED
          ? true
          : undefined,
    tables: [
      {
        title: 'swaps against the independent reference',
        columns: ['family', 'compared', 'refused by both', 'mismatches', 'first mismatch'],
        rows: [
          ['uniswapV2', v2.compared, v2.refused, v2.mismatches, v2.first],
          ['uniswapV3', v3.compared, v3.refused, v3.mismatches, v3.first],
        ],
      },
    ],
  }
}

type Reference = (pool: Pool, side: 0 | 1, amountIn: bigint) => bigint | Promise<bigint>

async function compare(pools: readonly Pool[], count: number, prng: Prng, reference: Reference) {
  const tally = { compared: 0, refused: 0, mismatches: 0, first: '' }
  while (tally.compared < count) {
    const pool = prng.pick(pools)
    const side = prng.next() < 0.5 ? 0 : 1
    const amountIn = drawAmount(pool, side, prng)
    const ours = getAmountOut(pool, { in: side, out: 1 - side }, amountIn)
    const theirs = await reference(pool, side, amountIn)
    tally.compared++
    if (ours === 0n && theirs === 0n) tally.refused++
    if (ours === theirs) continue
    tally.mismatches++
    tally.first ||= `${pool.id} side ${side} in ${amountIn}: ${ours}, reference ${theirs}`
  }
  return tally
}

// From one wei to several times the reserve of the pool.
function drawAmount(pool: Pool, side: 0 | 1, prng: Prng): bigint {
  const reserve =
    pool.family === 'uniswapV2'
      ? Number(pool.reserves[side])
      : pool.family === 'uniswapV3'
        ? side === 0
          ? (Number(pool.liquidity) * 2 ** 96) / Number(pool.sqrtPriceX96)
          : (Number(pool.liquidity) * Number(pool.sqrtPriceX96)) / 2 ** 96
        : 0
  return BigInt(Math.max(1, Math.floor(prng.logBetween(1, Math.max(2, reserve * 4)))))
}

// The pair's formula with the fee as 997/1000; core has it in parts per million.
function quoteV2(pool: Pool, side: 0 | 1, amountIn: bigint): bigint {
  if (pool.family !== 'uniswapV2') return 0n
  const [reserveIn, reserveOut] = [pool.reserves[side], pool.reserves[side === 0 ? 1 : 0]]
  if (reserveIn + amountIn >= 1n << 112n) return 0n
  const kept = amountIn * 997n
  return (kept * reserveOut) / (reserveIn * 1000n + kept)
}

function loadSdk() {
  const JSBI = requirePeer('jsbi') as { BigInt: (value: string | number) => unknown }
  const { v3Swap } = requirePeer(V3_SWAP) as {
    v3Swap: (...args: readonly unknown[]) => Promise<{
      amountCalculated: unknown
      sqrtRatioX96: unknown
    }>
  }
  const { TickListDataProvider } = requirePeer('@uniswap/v3-sdk') as {
    TickListDataProvider: new (ticks: readonly unknown[], tickSpacing: number) => object
  }
  const providers = new Map<Pool, object | undefined>()
  const providerOf = (pool: Pool): object | undefined => {
    if (pool.family !== 'uniswapV3') return undefined
    if (!providers.has(pool)) {
      const ticks = pool.ticks.map(({ index, liquidityNet }) => ({
        index,
        liquidityNet: JSBI.BigInt(`${liquidityNet}`),
        liquidityGross: JSBI.BigInt(`${liquidityNet < 0n ? -liquidityNet : liquidityNet}`),
      }))
      providers.set(
        pool,
        attempt(() => new TickListDataProvider(ticks, pool.tickSpacing)),
      )
    }
    return providers.get(pool)
  }
  const quoteV3 = async (pool: Pool, side: 0 | 1, amountIn: bigint): Promise<bigint> => {
    if (pool.family !== 'uniswapV3') return 0n
    try {
      const end = await v3Swap(
        JSBI.BigInt(pool.feePpm),
        JSBI.BigInt(`${pool.sqrtPriceX96}`),
        pool.tick,
        JSBI.BigInt(`${pool.liquidity}`),
        pool.tickSpacing,
        providerOf(pool),
        side === 0,
        JSBI.BigInt(`${amountIn}`),
      )
      // At the price limit some input is left over; core refuses such an input.
      const limit = side === 0 ? MIN_SQRT_PRICE_X96 + 1n : MAX_SQRT_PRICE_X96 - 1n
      return BigInt(`${end.sqrtRatioX96}`) === limit ? 0n : -BigInt(`${end.amountCalculated}`)
    } catch {
      // The SDK throws if it runs out of ticks: the pool cannot take the whole input.
      return 0n
    }
  }
  return { providerOf, quoteV3 }
}

// The SDK refuses tick lists that do not sum to zero; two of the recorded pools have such a list.
function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
