import { executorDeployment, routerDeployment } from '@braid-swap/contracts'
import { type Address, NATIVE } from '@braid-swap/core'
import { tokensOf } from '../chains/tokenList.js'
import type { Account } from '../node/accounts.js'
import type { Chain } from '../node/chain.js'
import { approveCall, mintCalls } from '../node/erc20.js'
import { type Deployment, poolCalls, readPool } from './deployment.js'
import type { PlannedPool } from './marketPlan.js'
import type { TradedPool } from './trader.js'

// The balance in each token, in US dollars.
const TRADER_USD = 200_000_000
const WALLET_USD = 10_000_000

/** The wallet's native tokens in wei, in addition to wrapped ones of the same dollar value. */
const WALLET_NATIVE = 250_000n * 10n ** 18n

/** Creates and fills all pools of a plan in full blocks. */
export async function createPools(
  chain: Chain,
  deployments: readonly Deployment[],
  plans: readonly PlannedPool[],
): Promise<readonly TradedPool[]> {
  const planned = plans.map((plan) => ({
    plan,
    deployment: deployments.find(({ venue }) => venue.id === plan.venue)!,
  }))
  await chain.execute(planned.flatMap(({ plan, deployment }) => poolCalls(chain, deployment, plan)))
  return Promise.all(
    planned.map(async ({ plan, deployment }) => {
      const pool = await readPool(chain, deployment, plan)
      const { fairPrice, amounts, positions } = plan
      return { ...pool, deployment, fairPrice, amounts, ...(positions && { positions }) }
    }),
  )
}

/** Deploys the router and its executor at their deterministic addresses, through the singleton factory. */
export async function deployRouter(
  chain: Chain,
): Promise<{ readonly router: Address; readonly executor: Address }> {
  const { router, ...creation } = routerDeployment(chain.wrappedNative)
  const { executor, ...next } = executorDeployment(router, chain.wrappedNative)
  // One after the other, because the executor asks the router for the wrapped token.
  for (const [label, { factory, calldata }] of [
    ['deploy the router', creation],
    ['deploy the executor', next],
  ] as const) {
    const gas = 10_000_000n
    await chain.execute([{ label, from: chain.deployer, to: factory, data: calldata, gas }])
  }
  return { router, executor: executor.address }
}

/** Gives the trader and the wallet tokens and approves the trader's to the venues' routers. */
export async function fundAccounts(
  chain: Chain,
  { trader, wallet }: { readonly trader: Account; readonly wallet: Account },
  deployments: readonly Deployment[],
): Promise<void> {
  const marketTokens = tokensOf(chain.record)
  const balance = await chain.client.getBalance({ address: wallet.address })
  await chain.fund(wallet.address, NATIVE, WALLET_NATIVE - balance)
  const grants = [
    { to: trader.address, usd: TRADER_USD },
    { to: wallet.address, usd: WALLET_USD },
  ]
  await chain.execute([
    ...grants.flatMap(({ to, usd }) =>
      marketTokens.flatMap(({ address: token, usdPrice, decimals }) => {
        const amount =
          (BigInt(usd) * 10n ** BigInt(decimals + 6)) / BigInt(Math.round(usdPrice * 1e6))
        return mintCalls(chain.deployer, { token, to, amount })
      }),
    ),
    ...deployments.flatMap(({ router: spender }) =>
      marketTokens.map(({ address }) => approveCall(address, { owner: trader.address, spender })),
    ),
  ])
}
