import type { Venue } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { type Devnet, SMALL_BLOCK_GAS } from '@braid-swap/devnet'
import { createLadderDoubles, deployLadderDoubles } from '../../families/doubles/ladders.js'
import {
  createPairDoubles,
  deployPairDoubles,
  type PairDoubles,
  type PairSpec,
} from '../../families/doubles/pairs.js'
import { addBalancers } from './balancers.js'
import { addBalancersV2 } from './balancersV2.js'
import { addBins } from './bins.js'
import { addCryptoSwaps } from './cryptoSwaps.js'
import { addStableSwaps } from './stableSwaps.js'
import { addStaked } from './staked.js'
import { addUniswapV4 } from './uniswapV4Pools.js'
import { addVaults } from './vaults.js'

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
    await createPairDoubles(
      devnet,
      doubles,
      PLANS[doubles.kind].map((plan) => specOf(devnet, plan)),
    )
  }
  const vaults = await addVaults(devnet, kinds.find(({ kind }) => kind === 'solidly')!)
  const ladders = await deployLadderDoubles(devnet)
  await createLadderDoubles(
    devnet,
    ladders,
    SAMPLED.map((plan) => {
      const { tokens, amounts } = specOf(devnet, plan)
      return { tokens, depths: amounts, reserves: amounts }
    }),
  )
  const staked = await addStaked(devnet)
  const stableSwaps = await addStableSwaps(devnet)
  const cryptoSwaps = await addCryptoSwaps(devnet)
  const bins = await addBins(devnet)
  const balancers = [await addBalancers(devnet), await addBalancersV2(devnet)]
  const uniswapV4 = await addUniswapV4(devnet)
  await devnet.client.setBlockGasLimit({ gasLimit: SMALL_BLOCK_GAS })
  await devnet.mine()
  const pairs = kinds.map(({ venue }) => venue)
  const curves = [stableSwaps, cryptoSwaps]
  return [...pairs, ...vaults, ladders, ...staked, ...curves, bins, ...balancers, uniswapV4]
}

/** Half of the depth in each token, at its price; a stable pair always has price 1. */
function specOf({ tokens }: Devnet, [symbols, kind, depthKUsd]: Planned): PairSpec {
  const [one, two] = symbols
    .split('/')
    .map((symbol) => tokens.find((token) => token.symbol === symbol)!)
    .sort((a, b) => (a.address < b.address ? -1 : 1))
  const stable = kind === 'stable'
  const amount = ({ decimals, usdPrice }: Priced) => {
    const count = (depthKUsd * 500) / (stable ? 1 : usdPrice)
    return (BigInt(Math.round(count * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n
  }
  return { tokens: [one!.address, two!.address], stable, amounts: [amount(one!), amount(two!)] }
}

type Priced = { readonly address: Address; readonly decimals: number; readonly usdPrice: number }
