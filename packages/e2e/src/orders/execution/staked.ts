import type { Venue } from '@braid-swap/chain'
import type { Devnet } from '@braid-swap/devnet'
import {
  createStexDoubles,
  deployStexFactory,
  type StexSpec,
} from '../../families/doubles/stexes.js'
import { deployUnstaking, managerCall } from '../../families/doubles/unstaking.js'

const E18 = 10n ** 18n

/** An exchange of a staked token for WHYPE: its depth in thousands of US dollars, and its fee. */
type Planned = {
  readonly staked: string
  readonly depthKUsd: number
  readonly fee: StexSpec['fee']
}

const PLANS: readonly Planned[] = [
  {
    ...{ staked: 'kHYPE', depthKUsd: 2_400 },
    fee: {
      kind: 'steps',
      minThresholdToken1: 2_000n * E18,
      maxThresholdToken1: 32_000n * E18,
      stepsBips: [3, 8, 20, 60, 200],
    },
  },
  {
    ...{ staked: 'wstHYPE', depthKUsd: 1_000 },
    fee: {
      kind: 'ratio',
      ...{ minThresholdRatioBips: 8_000, maxThresholdRatioBips: 40_000 },
      ...{ feeMinBips: 2, feeMaxBips: 40 },
    },
  },
]

/** The lent part of token 1 and the queued part of token 0, in percent of the pool's balances. */
const LENT = 20n
const WAITING = 10n

/** A staked token trades below its rate while there is a queue; here by so many millionths. */
const DISCOUNT_PPM = 3_000

/** Gas that an unstaking of kHYPE uses on chain in addition to that of our double. */
const UNSTAKING_WORK = 320_000n

/** Adds exchanges of staked tokens and a manager that unstakes to a devnet, at the market's initial prices. */
export async function addStaked(devnet: Devnet): Promise<readonly Venue[]> {
  const factory = await deployStexFactory(devnet)
  const specs = PLANS.map((plan) => specOf(devnet, plan))
  const doubles = await createStexDoubles(devnet, factory, specs)
  return [...doubles.map(({ venue }) => venue), await addUnstaking(devnet)]
}

/** kHYPE's manager, with as much as $2.5M to pay. */
async function addUnstaking(devnet: Devnet): Promise<Venue> {
  const [kHype, hype] = ['kHYPE', 'WHYPE'].map(
    (symbol) => devnet.tokens.find((token) => token.symbol === symbol)!,
  )
  const supply = 10n ** 25n
  const price = BigInt(Math.round((kHype!.usdPrice / hype!.usdPrice) * (1e9 + 1e3 * DISCOUNT_PPM)))
  const double = await deployUnstaking(devnet, kHype!.address, {
    ...{ totals: [(supply * price) / 10n ** 9n, supply], feeRateBps: 10, minAmountIn: E18 / 10n },
    buffer: BigInt(Math.round(2_500_000 / hype!.usdPrice)) * E18,
  })
  await devnet.execute([managerCall(devnet.deployer, double, 'setWork', [UNSTAKING_WORK])])
  return double.venue
}

function specOf({ tokens }: Devnet, { staked, depthKUsd, fee }: Planned): StexSpec {
  const find = (wanted: string) => tokens.find(({ symbol }) => symbol === wanted)!
  const pair = [find(staked), find('WHYPE')] as const
  const [token0, token1] = pair
  const half = (price: number) => BigInt(Math.round((depthKUsd * 500) / price)) * E18
  const reserves = [half(token0.usdPrice), half(token1.usdPrice)] as const
  return {
    ...{ tokens: [token0.address, token1.address], reserves, fee, poolManagerFeeBips: 2_000 },
    rate: BigInt(Math.round((token0.usdPrice / token1.usdPrice) * 1e9)) * 10n ** 9n,
    amountToken0PendingUnstaking: (reserves[0] * WAITING) / 100n,
    amountToken1PendingLPWithdrawal: (reserves[1] * WAITING) / 200n,
    amountToken1LendingPool: (reserves[1] * LENT) / 100n,
  }
}
