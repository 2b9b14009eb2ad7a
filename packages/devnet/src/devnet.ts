import { hyperEvm, type Venue } from '@braid-swap/chain'
import type { Address, Hex } from '@braid-swap/core'
import { poolsOf, quietPools } from './chains/market.js'
import { type PricedToken, tokensOf } from './chains/tokenList.js'
import { ManualMiningError } from './errors.js'
import { arbitrage } from './market/arbitrage.js'
import type { Deployment } from './market/deployment.js'
import { planPools } from './market/marketPlan.js'
import { createRandom } from './market/random.js'
import { createPools, deployRouter, fundAccounts } from './market/seedMarket.js'
import { createTokens } from './market/tokens.js'
import { trade } from './market/trader.js'
import type { Account } from './node/accounts.js'
import { type Chain, type ChainOptions, startChain } from './node/chain.js'
import { type Live, startMining } from './node/intervalMining.js'
import { BASE_FEE } from './node/transactions.js'
import { deployAlgebraIntegral } from './pools/algebraIntegral.js'
import { deployAlgebraV1 } from './pools/algebraV1.js'
import { deployPancakeV3 } from './pools/pancakeV3.js'
import type { DevnetPool } from './pools/pool.js'
import { deployUniswapV2 } from './pools/uniswapV2.js'
import { deployUniswapV3 } from './pools/uniswapV3.js'

/** Says how to start a devnet. */
export type DevnetOptions = ChainOptions & {
  /** Determines everything up to the end of the set-up; 1 by default. */
  readonly seed?: number
  /** Pools in all; nobody trades with those beyond the market's own. Default: only those. */
  readonly pools?: number
  /** 'manual' (default): `mine()` makes blocks. 'interval': one block each `blockTimeMs`. */
  readonly mining?: 'manual' | 'interval'
  /** Milliseconds between blocks of 'interval' mining; 1000 by default. */
  readonly blockTimeMs?: number
  /** Called if interval mining fails; if it is absent, the failure ends the process. */
  readonly onError?: (error: unknown) => void
}

/** A chain with a market. */
export type Devnet = Chain & {
  readonly router: Address
  readonly executor: Address
  /** Gas limit of its blocks after the set-up. */
  readonly blockGasLimit: bigint
  readonly tokens: readonly PricedToken[]
  readonly venues: readonly Venue[]
  /** The venues' contracts: factories, Uniswap's own routers and, for V3, its quoter. */
  readonly deployments: readonly Deployment[]
  readonly pools: readonly DevnetPool[]
  /** `accounts[1]`, which moves the market. */
  readonly trader: Account
  /** `accounts[2]`, with large balances of every token and of the native one. */
  readonly wallet: Account
  /** Sends random swaps of the trader for the next block; returns their hashes. */
  readonly trade: (swaps: number) => Promise<readonly Hex[]>
  /**
   * Sends swaps that move pool prices back to the price table, computed after all pending
   * transactions. Returns their hashes; none if every price is within its tolerance.
   */
  readonly arbitrage: () => Promise<readonly Hex[]>
  /**
   * From now on, sends the trader's swaps and then the arbitrageur's before each block. Throws
   * MANUAL_MINING unless mining is 'interval'.
   */
  readonly startTrader: (options: { readonly swapsPerBlock: number }) => void
  readonly stopTrader: () => void
  /**
   * Takes the chain back to the end of the set-up: state, blocks, time, and the trader's next choices.
   * Drops what waits for a block. Settings of the node that are no state are not changed back.
   */
  readonly rewind: () => Promise<void>
}

/** Gas limit of the blocks of the default chain, the only kind after the set-up. */
export const SMALL_BLOCK_GAS = BigInt(hyperEvm.blocks[0]!.gasLimit)

/**
 * Starts a chain with tokens, eight venues, some seventy pools, the router, a trader and a wallet.
 * The same seed and genesis time give the same blocks. Throws NO_ANVIL_BINARY, ANVIL_START.
 */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const chain = await startChain(options)
  try {
    return await seed(chain, options)
  } catch (error) {
    await chain.stop()
    throw error
  }
}

/** Creates the market on a new chain. */
async function seed(chain: Chain, options: DevnetOptions): Promise<Devnet> {
  const number = options.seed ?? 1
  const [marketTokens, marketPools] = [tokensOf(chain.record), poolsOf(chain.record)]
  const blockGasLimit = BigInt(chain.record.blocks[0]!.gasLimit)
  await createTokens(
    chain,
    marketTokens.filter((token) => token.address !== chain.wrappedNative),
  )
  const v2 = [
    await deployUniswapV2(chain, 'devnet-v2a'),
    await deployUniswapV2(chain, 'devnet-v2b'),
    await deployUniswapV2(chain, 'devnet-joev2', 'traderJoe'),
  ]
  const v3 = [
    await deployUniswapV3(chain, 'devnet-v3a'),
    await deployUniswapV3(chain, 'devnet-v3b'),
  ]
  const pancake = await deployPancakeV3(chain, 'devnet-pv3')
  const algebra = await deployAlgebraIntegral(chain, 'devnet-algebra')
  const algebraV1 = await deployAlgebraV1(chain, 'devnet-algebrav1')
  const ranged = [...v3, pancake, algebra, algebraV1]
  const deployments = [...v2, ...ranged]
  const tickSpacings = Object.fromEntries(
    ranged.map(({ venue, tickSpacings }) => [venue.id, tickSpacings]),
  )
  const symbols = marketTokens.map(({ symbol }) => symbol)
  const shape = [...marketPools, ...quietPools((options.pools ?? 0) - marketPools.length, symbols)]
  const plans = planPools(shape, marketTokens, tickSpacings, createRandom(number))
  const created = await createPools(chain, deployments, plans)
  const traded = created.slice(0, marketPools.length)
  const { router, executor } = await deployRouter(chain)
  const [, trader, wallet] = chain.accounts
  await fundAccounts(chain, { trader: trader!, wallet: wallet! }, deployments)
  await chain.client.setBlockGasLimit({ gasLimit: blockGasLimit })
  await chain.mine()
  const market = { pools: traded, trader: trader!, random: createRandom(number, 1) }
  let start = await chain.client.snapshot()
  const rewind = async () => {
    await chain.client.request({ method: 'anvil_dropAllTransactions' })
    await chain.client.revert({ id: start })
    start = await chain.client.snapshot()
    await chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: BASE_FEE })
    market.random = createRandom(number, 1)
  }
  const live = await startLive(chain, options, async (swaps) => {
    await trade(chain, market, swaps)
    await arbitrage(chain, market)
  })
  return {
    ...chain,
    blockGasLimit,
    ...{ router, executor, trader: trader!, wallet: wallet!, tokens: marketTokens },
    deployments,
    venues: deployments.map(({ venue }) => venue),
    pools: created.map(({ address, venue, family, tokens, feePpm }) => ({
      ...{ address, venue, family, tokens, feePpm },
    })),
    trade: (swaps) => trade(chain, market, swaps),
    arbitrage: () => arbitrage(chain, market),
    rewind,
    ...live,
  }
}

async function startLive(
  chain: Chain,
  options: DevnetOptions,
  trade: (swaps: number) => Promise<unknown>,
): Promise<Pick<Devnet, 'startTrader' | 'stopTrader' | 'stop'>> {
  if (options.mining !== 'interval') {
    const startTrader = () => {
      throw new ManualMiningError()
    }
    return { startTrader, stopTrader: () => {}, stop: chain.stop }
  }
  const live: Live = await startMining(chain, trade, options)
  return {
    startTrader: ({ swapsPerBlock }) => live.setSwapsPerBlock(swapsPerBlock),
    stopTrader: () => live.setSwapsPerBlock(0),
    stop: async () => {
      await live.stop()
      await chain.stop()
    },
  }
}
