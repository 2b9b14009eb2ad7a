import type { Venue } from '@braid-swap/chain'
import type { Devnet } from '@braid-swap/devnet'
import { createLadderDoubles, deployLadderDoubles } from '../../families/doubles/ladders.js'
import {
  createPairDoubles,
  deployPairDoubles,
  type PairDoubles,
  type PairSpec,
} from '../../families/doubles/pairs.js'
import { addBalancers } from './balancers.js'
import { addCoins } from './coins.js'
import { tokensOf, weiOf } from './priced.js'
import { addStaked } from './staked.js'
import { addUniswapV4 } from './uniswapV4Pools.js'

/** A pair of two symbols, stable or not, with its depth in thousands of US dollars. */
type Planned = readonly [symbols: string, kind: 'stable' | 'volatile', depthKUsd: number]

const PLANS: Readonly<Record<PairDoubles['kind'], readonly Planned[]>> = {
  solidly: [
    ['WHYPE/USDC', 'volatile', 900],
    ['USDC/USD₮0', 'stable', 2_000],
  ],
  ramses: [
    ['WHYPE/UETH', 'volatile', 700],
    ['USD₮0/USDH', 'stable', 600],
  ],
  velodrome: [
    ['WHYPE/USD₮0', 'volatile', 800],
    ['USDC/USDH', 'stable', 900],
  ],
  camelot: [
    ['WHYPE/USOL', 'volatile', 300],
    ['PURR/WHYPE', 'volatile', 200],
    ['USD₮0/USDe', 'stable', 700],
  ],
}

/** Pools that are priced from outside, at the market's initial prices. */
const SAMPLED: readonly Planned[] = [
  ['WHYPE/UBTC', 'volatile', 4_000],
  ['USDC/USDe', 'volatile', 1_000],
]

const BIG_BLOCK_GAS = 30_000_000n

/**
 * Adds to a devnet our doubles of the families whose bytecode nobody publishes, and vaults compiled
 * from their packages' sources, all at the market's prices. Returns their venues.
 */
export async function addDoubles(devnet: Devnet): Promise<readonly Venue[]> {
  await devnet.client.setBlockGasLimit({ gasLimit: BIG_BLOCK_GAS })
  await devnet.mine()
  const kinds = await deployPairDoubles(devnet)
  for (const doubles of kinds) {
    const specs = PLANS[doubles.kind].map((plan) => specOf(devnet, plan))
    await createPairDoubles(devnet, doubles, specs)
  }
  const staked = await addStaked(devnet, kinds.find(({ kind }) => kind === 'solidly')!)
  const ladders = await deployLadderDoubles(devnet)
  const sampled = SAMPLED.map((plan) => {
    const { tokens, amounts } = specOf(devnet, plan)
    return { tokens, depths: amounts, reserves: amounts }
  })
  await createLadderDoubles(devnet, ladders, sampled)
  const others = [...(await addCoins(devnet)), ...(await addBalancers(devnet))]
  const uniswapV4 = await addUniswapV4(devnet)
  await devnet.client.setBlockGasLimit({ gasLimit: devnet.blockGasLimit })
  await devnet.mine()
  return [...kinds.map(({ venue }) => venue), ...staked, ladders, ...others, uniswapV4]
}

/** Half of the depth in each token, at its price; a stable pair always has price 1. */
function specOf(devnet: Devnet, [symbols, kind, depthKUsd]: Planned): PairSpec {
  const [one, two] = tokensOf(devnet, symbols).sort((a, b) => (a.address < b.address ? -1 : 1))
  const stable = kind === 'stable'
  const amount = ({ decimals, usdPrice }: typeof one) =>
    weiOf({ decimals, usdPrice: stable ? 1 : usdPrice }, depthKUsd / 2)
  return { tokens: [one.address, two.address], stable, amounts: [amount(one), amount(two)] }
}
