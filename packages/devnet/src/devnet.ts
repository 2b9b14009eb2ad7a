import { routerDeployment } from '@braid-swap/contracts'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import type { Account } from './accounts.js'
import { type Chain, type ChainOptions, startChain } from './chain.js'
import { approveCall, mintCalls } from './erc20.js'
import { ManualMiningError } from './errors.js'
import { type Live, startMining } from './live.js'
import { marketPools } from './market.js'
import { type PlannedPool, planPools } from './plan.js'
import { createRandom } from './random.js'
import { marketTokens, type PricedToken } from './tokenList.js'
import { createTokens } from './tokens.js'
import { type TradedPool, trade } from './trader.js'
import { deployUniswapV2, readV2Pool, type UniswapV2, v2PoolCalls } from './uniswapV2.js'
import { deployUniswapV3, readV3Pool, type UniswapV3, v3PoolCalls } from './uniswapV3.js'
import type { DevnetPool, Venue } from './venue.js'

/** How to start a devnet. */
export type DevnetOptions = ChainOptions & {
  /** Everything before the first block after set-up follows from it; 1 unless told. */
  readonly seed?: number
  /** 'manual' (unless told): blocks come from `mine()`. 'interval': one each `blockTimeMs`. */
  readonly mining?: 'manual' | 'interval'
  /** Milliseconds between blocks of 'interval' mining; 1000 unless told. */
  readonly blockTimeMs?: number
  /** Told when a block could not be mined by itself; unless given, that ends the process. */
  readonly onError?: (error: unknown) => void
}

/** A chain 999 with a market. */
export type Devnet = Chain & {
  readonly router: Address
  readonly executor: Address
  readonly tokens: readonly PricedToken[]
  readonly venues: readonly Venue[]
  readonly pools: readonly DevnetPool[]
  /** `accounts[1]`, who moves the market. */
  readonly trader: Account
  /** `accounts[2]`, with much of every token and of HYPE. */
  readonly wallet: Account
  /** Sends random swaps of the trader, which the next block takes; gives their hashes. */
  readonly trade: (swaps: number) => Promise<readonly Hex[]>
  /** Trades before each block from now on. Throws MANUAL_MINING unless mining by interval. */
  readonly startTrader: (options: { readonly swapsPerBlock: number }) => void
  readonly stopTrader: () => void
}

/** Gas limit of a small block, the only kind after set-up. */
export const SMALL_BLOCK_GAS = 2_000_000n

/** US dollars of each token that the trader and the wallet get. */
const [TRADER_USD, WALLET_USD] = [200_000_000, 10_000_000]

/** Wei of HYPE the wallet holds beside what it gets of WHYPE: as many dollars again. */
const WALLET_NATIVE = 250_000n * 10n ** 18n

/**
 * Starts a chain 999 with tokens, four venues, some sixty pools, the router, a trader and a wallet.
 * The same seed and genesis time give the same blocks. Throws NO_ANVIL_BINARY, ANVIL_START.
 */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const chain = await startChain(options)
  try {
    return await furnish(chain, options)
  } catch (error) {
    await chain.stop()
    throw error
  }
}

async function furnish(chain: Chain, options: DevnetOptions): Promise<Devnet> {
  const seed = options.seed ?? 1
  await createTokens(
    chain,
    marketTokens.filter((token) => token.address !== chain.wrappedNative),
  )
  const v2 = [
    await deployUniswapV2(chain, 'devnet-v2a'),
    await deployUniswapV2(chain, 'devnet-v2b'),
  ]
  const v3 = [
    await deployUniswapV3(chain, 'devnet-v3a'),
    await deployUniswapV3(chain, 'devnet-v3b'),
  ]
  const deployments = [...v2, ...v3]
  const plans = planPools(marketPools, marketTokens, v3[0]!.tickSpacings, createRandom(seed))
  const traded = await createPools(chain, deployments, plans)
  const { router, executor } = await deployRouter(chain)
  const [, trader, wallet] = chain.accounts
  await endow(chain, { trader: trader!, wallet: wallet! }, deployments)
  await chain.client.setBlockGasLimit({ gasLimit: SMALL_BLOCK_GAS })
  await chain.mine()
  const market = { pools: traded, trader: trader!, random: createRandom(seed, 1) }
  const live = await startLive(chain, options, (swaps) => trade(chain, market, swaps))
  return {
    ...chain,
    ...{ router, executor, trader: trader!, wallet: wallet!, tokens: marketTokens },
    venues: deployments.map(({ venue }) => venue),
    pools: traded.map(({ address, venue, family, tokens, feePpm }) => ({
      ...{ address, venue, family, tokens, feePpm },
    })),
    trade: (swaps) => trade(chain, market, swaps),
    ...live,
  }
}

async function createPools(
  chain: Chain,
  deployments: readonly (UniswapV2 | UniswapV3)[],
  plans: readonly PlannedPool[],
): Promise<readonly TradedPool[]> {
  const planned = plans.map((plan) => ({
    plan,
    deployment: deployments.find(({ venue }) => venue.id === plan.venue)!,
  }))
  await chain.execute(
    planned.flatMap(({ plan, deployment }) => {
      const { tokens, amounts, feePpm, positions = [] } = plan
      const { sqrtPriceX96 } = plan
      return 'quoter' in deployment
        ? v3PoolCalls(chain, deployment, { tokens, feePpm, sqrtPriceX96, positions })
        : v2PoolCalls(chain, deployment, { tokens, amounts })
    }),
  )
  return Promise.all(
    planned.map(async ({ plan, deployment }) => {
      const pool =
        'quoter' in deployment
          ? await readV3Pool(chain, deployment, plan)
          : await readV2Pool(chain, deployment, plan.tokens)
      return { ...pool, deployment, fairPrice: plan.fairPrice, amounts: plan.amounts }
    }),
  )
}

async function deployRouter(
  chain: Chain,
): Promise<{ readonly router: Address; readonly executor: Address }> {
  const { factory, calldata, router, executor } = routerDeployment(chain.wrappedNative)
  await chain.execute([
    {
      label: 'deploy the router',
      from: chain.deployer,
      to: factory,
      data: calldata,
      gas: 10_000_000n,
    },
  ])
  return { router, executor }
}

/** Gives the trader and the wallet their tokens, and lets the venues' routers take the trader's. */
async function endow(
  chain: Chain,
  { trader, wallet }: { readonly trader: Account; readonly wallet: Account },
  deployments: readonly (UniswapV2 | UniswapV3)[],
): Promise<void> {
  const balance = await chain.client.getBalance({ address: wallet.address })
  await chain.fund(wallet.address, NATIVE, WALLET_NATIVE - balance)
  const grants = [
    { to: trader.address, usd: TRADER_USD },
    { to: wallet.address, usd: WALLET_USD },
  ]
  await chain.execute([
    ...grants.flatMap(({ to, usd }) =>
      marketTokens.flatMap(({ address: token, usdPrice, decimals }) => {
        const amount = (BigInt(usd) * 10n ** BigInt(decimals + 6)) / BigInt(usdPrice * 1e6)
        return mintCalls(chain.deployer, { token, to, amount })
      }),
    ),
    ...deployments.flatMap(({ router: spender }) =>
      marketTokens.map(({ address }) => approveCall(address, { owner: trader.address, spender })),
    ),
  ])
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
