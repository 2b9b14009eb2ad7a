// A pool that is created while a market is followed joins it, for each venue of the list, by the log that the
// published code of its factory writes. Signatures are of the published sources, not of our tables.
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { encodeAbiParameters, encodeEventTopics, parseAbiItem } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { hyperEvm } from '../chains/hyperevm.js'
import { createdBy, isLogged } from '../loaders/loaders.js'
import { advanceMarket } from '../market/advanceMarket.js'
import { loadSnapshot } from '../market/loadMarket.js'
import { readHeader } from '../reads/headers.js'
import { type ScriptedNode, startScriptedNode, TOKENS } from '../testing/scriptedNode.js'

const { venues: hyperEvmVenues } = hyperEvm

const [A, B, C] = [1, 2, 3].map((i) => toHex(0xc01 + i, 20)) as [Address, Address, Address]
const POOL: Address = toHex(0x900d, 20)
const NONE = toHex(0, 20)
const BYTES = toHex(1, 32)
const POOL_ID: Hex = `${POOL}000200000000000000000001`

type Logged = {
  readonly event: string
  readonly args: readonly unknown[]
  /** Default: `POOL` between A and B. */
  readonly tokens?: readonly Address[]
  readonly id?: Hex
}
const V2: Logged = {
  event: 'event PairCreated(address indexed token0, address indexed token1, address pair, uint256)',
  args: [A, B, POOL, 1n],
}
const V3: Logged = {
  event:
    'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  args: [A, B, 3_000, 60, POOL],
}
const SLIPSTREAM: Logged = {
  event:
    'event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)',
  args: [A, B, 60, POOL],
}
const ALGEBRA: readonly Logged[] = [
  {
    event: 'event Pool(address indexed token0, address indexed token1, address pool)',
    args: [A, B, POOL],
  },
  {
    event:
      'event CustomPool(address indexed deployer, address indexed token0, address indexed token1, address pool)',
    args: [C, A, B, POOL],
  },
]
const SOURCES: Readonly<Record<string, readonly Logged[]>> = {
  // IUniswapV3Factory of @uniswap/v3-core and of its forks, IPancakeV3Factory of @pancakeswap/v3-core.
  ...Object.fromEntries(
    [
      ...['prjx', 'hyperswap-v3', 'hybra-v3', 'laminar-v3', 'ultrasolid-v3', 'hypertrade-v3'],
      ...['turbo', 'hyperlynx-v3', 'noxa-v3', 'upheaval-v3'],
    ].map((id) => [id, [V3]]),
  ),
  // ICLFactory of Kittenswap/contracts@1a742ec and of code-423n4/2025-10-hybra-finance@17d72f0.
  'kittenswap-cl': [SLIPSTREAM],
  'hybra-v4': [SLIPSTREAM],
  // IRamsesV3Factory and IPairFactory of code-423n4/2024-10-ramses-exchange@4a40eba.
  'ramses-v3': [V3],
  'ramses-v2': [V2],
  // IAlgebraFactory of @cryptoalgebra/integral-core.
  ...Object.fromEntries(
    ['kittenswap-algebra', 'gliquid', 'nest-cl', 'hx-finance', 'hypercat'].map((id) => [
      id,
      ALGEBRA,
    ]),
  ),
  // IUniswapV2Factory of @uniswap/v2-core; ICamelotFactory of CamelotLabs/core@0fa055d has the same.
  ...Object.fromEntries(
    ['upheaval-v2', 'hyperlynx-v2', 'noxa-v2', 'hyperswap-v2'].map((id) => [id, [V2]]),
  ),
  // PairFactory of Kittenswap/contracts@1a742ec.
  'kittenswap-v1': [
    {
      event:
        'event PairCreated(address indexed token0, address indexed token1, bool stable, address pair, uint256)',
      args: [A, B, true, POOL, 1n],
    },
  ],
  // factory_v_100.vy and both factory_v_200.vy of curvefi/curve-core@b4c27f3, which hyperliquid.yaml names.
  'curve-ng': [
    {
      event:
        'event PlainPoolDeployed(address pool, address[] coins, uint256 A, uint256 fee, address deployer)',
      args: [POOL, [A, B, C], 100n, 1n, NONE],
      tokens: [A, B, C],
    },
    {
      event:
        'event MetaPoolDeployed(address pool, address coin, address base_pool, uint256 A, uint256 fee, address deployer)',
      args: [POOL, A, B, 100n, 1n, NONE],
    },
  ],
  'curve-twocrypto-ng': [
    {
      event:
        'event TwocryptoPoolDeployed(address pool, string name, string symbol, address[2] coins, address math, bytes32 salt, uint256[2] precisions, uint256 packed_A_gamma, uint256 packed_fee_params, uint256 packed_rebalancing_params, uint256 packed_prices, address deployer)',
      args: [POOL, 'n', 's', [A, B], NONE, BYTES, [1n, 1n], 1n, 1n, 1n, 1n, NONE],
    },
  ],
  'curve-tricrypto-ng': [
    {
      event:
        'event TricryptoPoolDeployed(address pool, string name, string symbol, address weth, address[3] coins, address math, bytes32 salt, uint256 packed_precisions, uint256 packed_A_gamma, uint256 packed_fee_params, uint256 packed_rebalancing_params, uint256 packed_prices, address deployer)',
      args: [POOL, 'n', 's', NONE, [A, B, C], NONE, BYTES, 1n, 1n, 1n, 1n, 1n, NONE],
      tokens: [A, B, C],
    },
  ],
  // ILBFactory of traderjoe-xyz/joe-v2@067c6cc.
  hyperbrick: [
    {
      event:
        'event LBPairCreated(address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address LBPair, uint256 pid)',
      args: [A, B, 10n, POOL, 1n],
    },
  ],
  // IVaultEvents of @balancer-labs/v3-interfaces; a buffer is known by its first liquidity.
  'balancer-v3': [
    {
      event:
        'event PoolRegistered(address indexed pool, address indexed factory, (address token, uint8 tokenType, address rateProvider, bool paysYieldFees)[] tokenConfig, uint256 swapFeePercentage, uint32 pauseWindowEndTime, (address pauseManager, address swapFeeManager, address poolCreator) roleAccounts, (bool a, bool b, bool c, bool d, bool e, bool f, bool g, bool h, bool i, bool j, address hooksContract) hooksConfig, (bool a, bool b, bool c, bool d) liquidityManagement)',
      args: [
        ...[POOL, C],
        [A, B].map((token) => ({ token, tokenType: 0, rateProvider: NONE, paysYieldFees: false })),
        ...[1n, 1],
        { pauseManager: NONE, swapFeeManager: NONE, poolCreator: NONE },
        {
          ...Object.fromEntries([...'abcdefghij'].map((flag) => [flag, false])),
          hooksContract: NONE,
        },
        Object.fromEntries([...'abcd'].map((flag) => [flag, false])),
      ],
    },
    {
      event:
        'event LiquidityAddedToBuffer(address indexed wrappedToken, uint256 amountUnderlying, uint256 amountWrapped, bytes32 bufferBalances)',
      args: [POOL, 1n, 1n, BYTES],
      tokens: [POOL],
      id: toHex(BigInt(POOL), 32),
    },
  ],
  // IVault of @balancer-labs/v2-interfaces.
  'gaming-dex': [
    {
      event:
        'event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers)',
      args: [POOL_ID, [A, B], [NONE, NONE]],
    },
  ],
}
/** Its router's code is not published, and its pools are those of the pairs that its venue names. */
const UNPUBLISHED = ['liquidcore']
/** The venue is its only pool. */
const SINGLE = /^(stex|kinetiq|felix)-/

function logOf({ event, args }: Logged): { readonly topics: Hex[]; readonly data: Hex } {
  const item = parseAbiItem(event) as {
    readonly name: string
    readonly inputs: readonly { readonly name?: string; readonly indexed?: boolean }[]
  }
  const named = item.inputs.map((input, i) => ({ ...input, name: input.name ?? `_${i}` }))
  const indexed = named.flatMap(({ indexed, name }, i) => (indexed ? [[name, args[i]]] : []))
  const abi = [{ ...item, inputs: named }] as never
  const topics = encodeEventTopics({ abi, args: Object.fromEntries(indexed) } as never) as Hex[]
  const rest = named.flatMap((input, i) => (input.indexed ? [] : [[input, args[i]] as const]))
  const data = encodeAbiParameters(
    rest.map(([input]) => input) as never,
    rest.map(([, value]) => value) as never,
  )
  return { topics, data }
}

let node: ScriptedNode
beforeEach(async () => {
  node = await startScriptedNode()
})
afterEach(() => node.stop())

const cases = hyperEvmVenues.flatMap((venue) =>
  (SOURCES[venue.id] ?? []).map((logged) => {
    const name = /event (\w+)/.exec(logged.event)![1]!
    return [venue.id, name, { venue, logged }] as const
  }),
)

it.each(cases)('%s: a pool that %s announces joins a followed market', async (_, __, one) => {
  const { venue, logged } = one
  const { id = POOL, tokens = [A, B] } = logged
  const client = createClient(node.url)
  node.mine()
  const venues = [venue]
  const loaded = await loadSnapshot(client, { wrappedNative: TOKENS[0]!, searchedTo: 1n, venues })
  node.mine(() => [{ address: venue.factory, ...logOf(logged) }])
  const head = { header: await readHeader(client, 'latest'), receivedAtMs: 1 }
  const { pools } = (await advanceMarket(client, loaded, { head, venues })).state
  expect(pools.map((ref) => [ref.id, ref.venue, ref.tokens])).toEqual([[id, venue.id, tokens]])
})

it('leaves out of the table only what has one pool or no published code', () => {
  const [unlogged, tabled] = [
    hyperEvmVenues.filter((venue) => !isLogged(venue)).map(({ id }) => id),
    Object.keys(SOURCES),
  ]
  const outside = hyperEvmVenues.filter(({ id }) => !tabled.includes(id)).map(({ id }) => id)
  expect(outside).toEqual(unlogged)
  expect(outside.filter((id) => !SINGLE.test(id))).toEqual(UNPUBLISHED)
})

it('finds a new pair of Ramses V2 by a log of its published factory', () => {
  const venue = hyperEvmVenues.find(({ id }) => id === 'ramses-v2')!
  const log = {
    topics: [
      '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9',
      '0x000000000000000000000000cf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
      '0x000000000000000000000000dc64a140aa3e981100a9beca4e685f962f0cf6c9',
    ],
    data: '0x00000000000000000000000023dc0df3e723b12ec9568bd6120bdfba7295d5de0000000000000000000000000000000000000000000000000000000000000001',
  } as const
  const ref = createdBy(venue, { address: venue.factory, blockNumber: 1n, ...log } as never)
  expect(ref).toMatchObject({
    id: '0x23dc0df3e723b12ec9568bd6120bdfba7295d5de',
    tokens: [
      '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
      '0xdc64a140aa3e981100a9beca4e685f962f0cf6c9',
    ],
    variant: 'ramses',
  })
})
