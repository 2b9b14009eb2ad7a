import type { Venue } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { encodeFunctionData } from 'viem'
import { uniswapV2Abi } from '../abis.js'
import { lower } from '../node/accounts.js'
import { creationCode } from '../node/artifacts.js'
import type { Chain } from '../node/chain.js'
import { checkTokenOrder, deploy, NO_DEADLINE, SWAP_GAS } from '../node/deploy.js'
import { approveCall, mintCalls } from '../node/erc20.js'
import type { Call } from '../node/transactions.js'
import type { DevnetPool } from './pool.js'

/** A Uniswap V2 deployment: UniswapV2Factory of v2-core and UniswapV2Router02 of v2-periphery. */
export type UniswapV2 = {
  readonly kind: 'uniswapV2'
  readonly family: 'uniswapV2'
  readonly venue: Venue
  readonly factory: Address
  readonly router: Address
}

/** The initial state of a V2 pool. */
export type V2PoolSpec = {
  /** In ascending order. */
  readonly tokens: readonly [Address, Address]
  /** Wei of each token; their product must exceed 1000². */
  readonly amounts: readonly [bigint, bigint]
}

/** The fee of an unmodified Uniswap V2 pair. */
const V2_FEE_PPM = 3000

/** The publisher of the unmodified V2 factory and router. */
export type V2Maker = 'uniswap' | 'traderJoe'

const MAKERS = {
  uniswap: { factory: creationCode.uniswapV2Factory, router: creationCode.uniswapV2Router },
  traderJoe: { factory: creationCode.joeFactory, router: creationCode.joeRouter },
}

/** Deploys an unmodified Uniswap V2, or Trader Joe's fork of it, as a venue with this id. */
export async function deployUniswapV2(
  chain: Chain,
  id: string,
  maker: V2Maker = 'uniswap',
): Promise<UniswapV2> {
  const fromBlock = (await chain.client.getBlockNumber()) + 1n
  const [factory] = await deploy(chain, [
    {
      label: `factory of ${maker} V2`,
      code: MAKERS[maker].factory(),
      args: [chain.deployer],
      gas: 3_500_000n,
    },
  ])
  const [router] = await deploy(chain, [
    {
      label: `router of ${maker} V2`,
      code: MAKERS[maker].router(),
      args: [factory!, chain.wrappedNative],
      gas: 6_000_000n,
    },
  ])
  const venue: Venue = {
    ...{ id, family: 'uniswapV2', factory: factory!, feePpm: V2_FEE_PPM, fromBlock },
  }
  return { kind: 'uniswapV2', family: 'uniswapV2', venue, factory: factory!, router: router! }
}

/** The calls that create a pool and fill it from the deployer, which mints the tokens. */
export function v2PoolCalls(chain: Chain, v2: UniswapV2, spec: V2PoolSpec): readonly Call[] {
  checkTokenOrder(spec.tokens)
  const { deployer } = chain
  const [a, b] = spec.tokens
  const [x, y] = spec.amounts
  return [
    ...spec.tokens.flatMap((token, i) =>
      mintCalls(deployer, { token, to: deployer, amount: spec.amounts[i]! }),
    ),
    ...spec.tokens.map((token) => approveCall(token, { owner: deployer, spender: v2.router })),
    {
      label: `add ${x} of ${a} and ${y} of ${b} to ${v2.venue.id}`,
      from: deployer,
      to: v2.router,
      data: encodeFunctionData({
        abi: uniswapV2Abi,
        functionName: 'addLiquidity',
        args: [a, b, x, y, 0n, 0n, deployer, NO_DEADLINE],
      }),
      gas: 3_000_000n,
    },
  ]
}

/** The pool of two tokens, which must exist. */
export async function readV2Pool(
  chain: Chain,
  v2: UniswapV2,
  tokens: readonly [Address, Address],
): Promise<DevnetPool> {
  const address = await chain.client.readContract({
    address: v2.factory,
    abi: uniswapV2Abi,
    functionName: 'getPair',
    args: tokens,
  })
  const { id: venue } = v2.venue
  return { address: lower(address), venue, family: 'uniswapV2', tokens, feePpm: V2_FEE_PPM }
}

/** A swap of `from`'s tokens through one V2 pool by Uniswap's router, which needs an approval. */
export function v2SwapCall(
  v2: UniswapV2,
  swap: {
    readonly from: Address
    readonly tokenIn: Address
    readonly tokenOut: Address
    readonly amountIn: bigint
  },
): Call {
  const { from, tokenIn, tokenOut, amountIn } = swap
  return {
    label: `swap ${amountIn} of ${tokenIn} for ${tokenOut} on ${v2.venue.id}`,
    from,
    to: v2.router,
    data: encodeFunctionData({
      abi: uniswapV2Abi,
      functionName: 'swapExactTokensForTokens',
      args: [amountIn, 0n, [tokenIn, tokenOut], from, NO_DEADLINE],
    }),
    gas: SWAP_GAS,
  }
}
