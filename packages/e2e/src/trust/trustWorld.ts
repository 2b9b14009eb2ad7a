import type { wire } from '@braid-swap/api'
import { startServedApi } from '@braid-swap/api/testing'
import type { Venue } from '@braid-swap/chain'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import {
  type Call,
  type Chain,
  deployRouter,
  deployUniswapV2,
  deployUniswapV3,
  fullRange,
  sortTokens,
  startChain,
  toSqrtPriceX96,
  type UniswapV2,
  type UniswapV3,
} from '@braid-swap/devnet'
import { createToken, createV2Pool, createV3Pool } from '@braid-swap/devnet/testing'
import { encodeFunctionData } from 'viem'
import { compileDoubles } from '../families/doubles/compile.js'

/** The moods of MoodyToken.sol. */
export const moods = [
  'good',
  'paused',
  'taxed',
  'refuses',
  'limits',
  'skims',
  'shrunk',
  'burns',
] as const
export type Mood = (typeof moods)[number]

type Answer<T> = { readonly status: number; readonly body: T & wire.ErrorBody }

/** A chain with an honest pair of WHYPE and money, a token whose behaviour changes, and an API on both. */
export type TrustWorld = {
  readonly chain: Chain
  readonly v2: UniswapV2
  readonly v3: UniswapV3
  readonly money: Address
  /** The pair of WHYPE and money, at 40 money for 1 WHYPE. */
  readonly honest: Address
  readonly router: Address
  readonly executor: Address
  readonly wallet: Address
  /** Deploys a token, and a V2 pair of it with each other token, at these amounts. */
  readonly addMoody: (
    pools: readonly { readonly other: Address; readonly amounts: readonly [bigint, bigint] }[],
  ) => Promise<{ readonly token: Address; readonly pairs: readonly Address[] }>
  /** A V2 pair of two tokens, at these amounts of them. */
  readonly addPair: (
    tokens: readonly [Address, Address],
    amounts: readonly [bigint, bigint],
  ) => Promise<Address>
  /** A V3 pool over the whole range at price 1. */
  readonly addV3: (tokens: readonly [Address, Address], liquidity: bigint) => Promise<Address>
  readonly setMood: (token: Address, mood: Mood, of?: MoodOf) => Promise<void>
  readonly call: (to: Address, data: Hex, from?: Address) => Promise<void>
  /** Starts an API at which these tokens may be passed, beside the listed ones. */
  readonly serve: (intermediates: readonly Address[], more?: MoreServed) => Promise<Served>
  readonly stop: () => Promise<void>
}

/** Venues beside those of the world, contracts that may set rates, and the time between two looks at the router. */
type MoreServed = {
  readonly venues?: readonly Venue[]
  readonly rateSources?: readonly Address[]
  readonly routerCheckMs?: number
}

type MoodOf = { readonly subject?: Address; readonly limit?: bigint }

/** An API of the world. */
export type Served = {
  readonly get: <T>(
    endpoint: string,
    params: Readonly<Record<string, string>>,
  ) => Promise<Answer<T>>
  /** A swap of native tokens for money by the wallet. */
  readonly swap: (more?: Readonly<Record<string, string>>) => Promise<Answer<wire.SwapBody>>
  /** Sends a transaction of the API; true if it passed. */
  readonly passes: (body: wire.SwapBody) => Promise<boolean>
  /** Mines a block and waits until the API has it. */
  readonly mine: () => Promise<void>
  readonly metric: (name: string) => Promise<number>
  readonly ready: () => Promise<wire.ReadyBody>
  /** Pools set aside, by reason. */
  readonly setAside: () => Readonly<Record<string, number>>
  /** True if the newest state has the pool. */
  readonly serves: (pool: Address) => boolean
  readonly stop: () => Promise<void>
}

const HYPE = 10n ** 18n
const DEAD: Address = '0x000000000000000000000000000000000000dead'

/** Starts the world without an API, with the router and an executor that `deploy` brings. */
export async function startTrustWorld(deploy = deployRouter): Promise<TrustWorld> {
  const chain = await startChain()
  const { wrappedNative, deployer } = chain
  const v2 = await deployUniswapV2(chain, 'test-v2')
  const v3 = await deployUniswapV3(chain, 'test-v3')
  const { router, executor } = await deploy(chain)
  const money = (await createToken(chain, { symbol: 'MONEY', name: 'Money', decimals: 18 })).address
  const honest = await addPair(chain, v2, [wrappedNative, money], [10_000n * HYPE, 400_000n * HYPE])
  const wallet = chain.accounts[2]!.address
  const { MoodyToken } = compileDoubles(['MoodyToken.sol'])
  const call = async (to: Address, data: Hex, from = deployer) => {
    const one: Call = { label: 'call', from, to, data, gas: 1_000_000n }
    await chain.execute([one])
  }
  return {
    ...{ chain, v2, v3, money, honest, router, executor, wallet, call },
    addMoody: async (pools) => {
      const { bytecode } = MoodyToken!
      const deploy = { label: 'deploy', from: deployer, data: bytecode, gas: 3_000_000n }
      const [receipt] = await chain.execute([deploy])
      const token = receipt!.contractAddress!.toLowerCase() as Address
      const pairs: Address[] = []
      for (const { other, amounts } of pools) {
        pairs.push(await addPair(chain, v2, [token, other], amounts))
      }
      return { token, pairs }
    },
    addPair: (tokens, amounts) => addPair(chain, v2, tokens, amounts),
    addV3: async (tokens, liquidity) => {
      const pool = await createV3Pool(chain, v3, {
        ...{ tokens: sortTokens(...tokens), feePpm: 3000, sqrtPriceX96: toSqrtPriceX96(1) },
        positions: [{ ...fullRange(v3.tickSpacings[3000]!), liquidity }],
      })
      return pool.address
    },
    setMood: async (token, mood, { subject = DEAD, limit = 0n } = {}) => {
      const { abi } = MoodyToken!
      const args = [moods.indexOf(mood), subject, limit]
      await call(token, encodeFunctionData({ abi, functionName: 'setMood', args }))
    },
    serve: (intermediates, more) =>
      serve({ ...{ chain, v2, v3, money, router, wallet, intermediates }, ...more }),
    stop: () => chain.stop(),
  }
}

async function addPair(
  chain: Chain,
  v2: UniswapV2,
  tokens: readonly [Address, Address],
  amounts: readonly [bigint, bigint],
): Promise<Address> {
  const sorted = sortTokens(...tokens)
  const pool = await createV2Pool(chain, v2, {
    tokens: sorted,
    amounts: sorted[0] === tokens[0] ? amounts : [amounts[1], amounts[0]],
  })
  return pool.address
}

async function serve(
  of: MoreServed & {
    readonly chain: Chain
    readonly v2: UniswapV2
    readonly v3: UniswapV3
    readonly money: Address
    readonly router: Address
    readonly wallet: Address
    readonly intermediates: readonly Address[]
  },
): Promise<Served> {
  const { chain, v2, v3, money, router, wallet, intermediates } = of
  const { venues = [], rateSources = [], routerCheckMs = 15_000 } = of
  const api = await startServedApi(chain, {
    ...{ router, wrappedNative: chain.wrappedNative, venues: [v2.venue, v3.venue, ...venues] },
    ...{ usdTokens: [money], intermediates, rateSources, metricsPort: 0, routerCheckMs },
  })
  await api.catchUp()
  const get = <T>(endpoint: string, params: Readonly<Record<string, string>>) =>
    api.get<T & wire.ErrorBody>(`/swap/v1/999/${endpoint}`, params)
  return {
    get,
    swap: async (more) => {
      await api.catchUp()
      return get<wire.SwapBody>('swap', {
        ...{ src: NATIVE, dst: money, amount: `${HYPE}`, slippage: '0.1', from: wallet },
        ...{ includeMeta: 'true', ...more },
      })
    },
    passes: async ({ tx }) => {
      const { to, data, value, gas } = tx
      const [hash] = await chain.send([
        {
          ...{ label: 'swap', from: wallet, to: to as Address, data: data as Hex },
          ...{ value: BigInt(value), gas: BigInt(gas) },
        },
      ])
      await chain.mine()
      const receipt = await chain.client.getTransactionReceipt({ hash: hash! })
      return receipt.status === 'success'
    },
    mine: async () => {
      await chain.mine()
      await api.catchUp()
    },
    ready: async () => (await api.get<wire.ReadyBody>('/readyz')).body,
    setAside: () => api.market.discovery!().setAside,
    serves: (pool) => {
      const { pools } = api.market.current()!.graph.snapshot
      return pools.some(({ id }) => id === pool)
    },
    metric: async (name) => {
      const text = await (await fetch(api.metricsUrl!)).text()
      const line = text.split('\n').find((one) => one.startsWith(name))
      return Number(line?.split(' ').at(-1) ?? Number.NaN)
    },
    stop: api.stop,
  }
}
