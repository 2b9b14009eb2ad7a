import type { Venue } from '@braid-swap/chain'
import { type CurveCryptoPool, getAmountOut } from '@braid-swap/core/families'
import type { Call, Random } from '@braid-swap/devnet'
import { isFullRun } from '../../draws.js'
import {
  type CryptoSwapSpec,
  createCryptoSwaps,
  cryptoSwapCall,
  deployCryptoDoubles,
} from '../doubles/cryptoSwaps.js'
import { anyDirection } from './amounts.js'
import { approveAll, type BareChain, readPools } from './bareChain.js'
import { anyBits, anyInteger } from './integers.js'

/** Our doubles of Curve's pools, and their states as loaded. */
export type CryptoSwaps = BareChain & {
  readonly venue: Venue
  readonly pools: readonly CurveCryptoPool[]
}

const POOLS = isFullRun ? 24 : 9
const E18 = 10n ** 18n

/** Pools of two and of three coins, of every size, tilt, A and γ, some on the move. */
export async function createCryptoSwapMarket(bare: BareChain): Promise<CryptoSwaps> {
  const { chain, random } = bare
  const venue = await deployCryptoDoubles(chain)
  const specs = Array.from({ length: POOLS }, (_, p) => anySpec(bare, p))
  const ids = await createCryptoSwaps(chain, venue, specs)
  for (const id of ids) await approveAll(bare, id)
  const header = await chain.client.getBlock()
  await chain.execute(
    ids.flatMap((id, p) =>
      p % 3 === 2
        ? [
            anyRampCall(random, {
              ...specs[p]!,
              id,
              from: chain.deployer,
              timestamp: header.timestamp,
            }),
          ]
        : [],
    ),
  )
  return { ...bare, venue, pools: (await readPools(chain, venue)) as readonly CurveCryptoPool[] }
}

function anySpec({ tokens, random }: BareChain, p: number): CryptoSwapSpec {
  const coins = p % 2 === 0 ? 2 : 3
  const first = anyInteger(random, 0, tokens.length - coins)
  const size = anyInteger(random, 72, 94)
  const priceScales = Array.from({ length: coins - 1 }, () => anyBits(random, 50, 72))
  const whole = anyBits(random, size, size + 1)
  return {
    ...{ tokens: tokens.slice(first, first + coins) },
    balances: [E18, ...priceScales].map((scale) => {
      const tilt = BigInt(anyInteger(random, 1_000, 5_000))
      return (whole * tilt * E18) / scale / 1_000n
    }),
    // All coins have 18 decimals here.
    ...{ precisions: Array.from({ length: coins }, () => 1n), priceScales },
    ...anyForm(random, coins),
    ...anyFees(random),
    allowedExtraProfit: 10n ** BigInt(anyInteger(random, 8, 14)),
  }
}

/** A and γ, each evenly over its powers of ten, within the bounds that Curve sets. */
function anyForm(random: Random, coins: number): Pick<CurveCryptoPool, 'A' | 'gamma'> {
  const power = (from: number, to: number) =>
    BigInt(Math.floor(10 ** (from + random.next() * (to - from))))
  return coins === 2
    ? { A: power(3.61, 7.6), gamma: power(10.01, 17.29) }
    : { A: power(3.44, 8.4), gamma: power(10.01, 16.69) }
}

function anyFees(random: Random): Pick<CurveCryptoPool, 'midFee' | 'outFee' | 'feeGamma'> {
  const midFee = BigInt(anyInteger(random, 1_000, 30_000_000))
  return {
    ...{ midFee, outFee: midFee * BigInt(anyInteger(random, 1, 30)) },
    feeGamma: anyBits(random, 40, 59),
  }
}

function anyRampCall(
  random: Random,
  pool: Pick<CurveCryptoPool, 'id' | 'A' | 'gamma' | 'tokens'> & {
    readonly from: Call['from']
    readonly timestamp: bigint
  },
): Call {
  const { id, tokens, from, timestamp } = pool
  const { A, gamma } = anyForm(random, tokens.length)
  const until = timestamp + BigInt(anyInteger(random, 20, 2_000))
  return cryptoSwapCall(from!, id as CurveCryptoPool['tokens'][0], {
    functionName: 'ramp',
    args: [A, gamma, until],
  })
}

/** One random move of a pool: a swap, liquidity, new fees, A and γ, or prices to move to. */
export function anyCryptoSwapMove(
  { random, trader, chain }: CryptoSwaps,
  pool: CurveCryptoPool,
  timestamp: bigint,
): readonly Call[] {
  const from = chain.deployer
  const id = pool.id as CurveCryptoPool['tokens'][0]
  const kind = random.next()
  if (kind < 0.08) return [anyRampCall(random, { ...pool, from, timestamp })]
  if (kind < 0.16) {
    const { midFee, outFee, feeGamma } = anyFees(random)
    return [cryptoSwapCall(from, id, { functionName: 'setFees', args: [midFee, outFee, feeGamma] })]
  }
  if (kind < 0.24) return [cryptoSwapCall(from, id, { functionName: 'fill', args: [] })]
  const direction = anyDirection(random, pool)
  const amountIn = pool.balances[direction.in]! / BigInt(anyInteger(random, 3, 10_000)) + 1n
  if (getAmountOut(pool, direction, amountIn) === 0n) return []
  const args = [BigInt(direction.in), BigInt(direction.out), amountIn, 0n]
  const swap = cryptoSwapCall(trader, id, { functionName: 'exchange', args })
  if (kind < 0.7) return [swap]
  const targets = pool.priceScales.map(
    (scale) => (scale * BigInt(anyInteger(random, 9_990, 10_010))) / 10_000n,
  )
  return [cryptoSwapCall(from, id, { functionName: 'aim', args: [targets] }), swap]
}
