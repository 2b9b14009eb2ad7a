// The venues of HyperEVM that Braid serves, as data.

import { shippedChain } from '@braid-swap/contracts'
import type { Address } from '@braid-swap/core'
import type { Venue } from '../pools/venue.js'
import { venue } from './chainRecord.js'

/** Wrapped HYPE. */
export const WHYPE: Address = shippedChain.wrappedNative

/** The stablecoin of HyperCore's books. */
export const USDC = '0xb88339cb7199b77e23db6e890353e22632ba630f'
export const USDT0 = '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb'
const UBTC = '0x9fdbda0a5e284c32744d2f17ee5c74b284993463'
const UETH = '0xbe6727b535545c67d5caa73dea54865b92cf7907'
const KHYPE = '0xfd739d4e423301ce9385c1fb8850539d657c296d'
const USDE = '0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34'

/** Tokens that nearly every venue has pools of. */
export const hyperEvmHubs: readonly Address[] = [WHYPE, USDC, USDT0, UBTC, UETH, KHYPE, USDE]

/** An estimate, not measured: gas for gauges (staked liquidity, weekly periods) beside the swap. */
const GAS_OF_GAUGES = 30_000

const CALLBACK = 'that its pools call uniswapV3SwapCallback, as every fork that did not rename it'
const PLUGIN = 'which plugin its pools use: a pool with an unknown plugin is set aside'
const MODULES = 'which modules it uses: a pool whose modules answer differently is set aside'
const GAS_OF_PROXIES = 'the gas of a swap, which includes proxies and lenders of third parties'
const TO_THE_WEI =
  'that the staked token transfers exact amounts; otherwise the executor refuses some of its swaps'
const RATES =
  'the rates of its coins: pools whose rates move are served only if their source is listed, and read in each block'
const VERSION = 'the versions of its pools: a pool of another version is set aside'
const UNSTAKING =
  'that the staking manager names its pool and minimum, and is not paused: the loader asks for all of them'
const HOOKS = 'which of its pairs have hooks: such a pair is set aside'
const FORMULAS =
  'which of its pools are weighted or stable and have no hook: all others are set aside'
const FORMULAS_V2 = 'which of its pools are weighted or composable stable: all others are set aside'
const FEE_OF_ONE_REGISTRY = 'the fee, which one registry states and no contract reports'

/**
 * Deployments on HyperEVM of the supported families. Addresses are from public registries and were
 * not read on chain here. Weaker facts are listed in `toConfirm`, and `braid doctor` checks them.
 * Known deployments that are not served are in {@link hyperEvmUnserved}.
 */
export const hyperEvmVenues: readonly Venue[] = [
  {
    ...venue('prjx', 'uniswapV3', '0xff7b3e8c00e57ea31477c32a5b52a58eea47b072', 7876741n),
    feesPpm: [100, 500, 1000, 2000, 3000, 10000, 20000],
  },
  // Its pools call hyperswapV3SwapCallback.
  venue('hyperswap-v3', 'uniswapV3', '0xb1c0fa0b789320044a6f623cfe5ebda9562602e3', 11648n),
  venue('hybra-v3', 'uniswapV3', '0x2dc0ec0f0db8baf250ecccf268d7dfbf59346e5e', 6523521n),
  venue('laminar-v3', 'uniswapV3', '0x40059a6f242c3de0e639693973004921b04d96ad', 592235n),
  {
    ...venue('ultrasolid-v3', 'uniswapV3', '0xd883a0b7889475d362cea8fdf588266a3da554a1', 10742640n),
    toConfirm: [CALLBACK],
  },
  {
    ...venue('hypertrade-v3', 'uniswapV3', '0x1cd8363dfada19911f745ba984fce02b42c943bf', 20255136n),
    toConfirm: [CALLBACK],
  },
  {
    ...venue('turbo', 'uniswapV3', '0xc72d2695a203696243aa3edd6cc98e43262e007e', 36463669n),
    toConfirm: [CALLBACK],
  },
  {
    ...venue('hyperlynx-v3', 'uniswapV3', '0x418cb4e449869e97db45586ebd9350e1d0424f95', 38231735n),
    toConfirm: [CALLBACK],
  },
  {
    ...venue('noxa-v3', 'uniswapV3', '0x0742d64925e4c78cb1baffce2fa1dceba8cf133c', 10002856n),
    toConfirm: [CALLBACK],
  },
  // A fork of PancakeSwap V3.
  {
    ...venue('upheaval-v3', 'uniswapV3', '0x2566163ea012c9e67c1c7080e0a073f20b548030', 4584580n),
    feesPpm: [100, 500, 2500, 10000],
    extraGas: 19_000,
  },
  {
    ...venue('kittenswap-cl', 'uniswapV3', '0x2e08f5ff603e4343864b14599caedb19918bdcaf', 2033100n),
    tickSpacings: [1, 10, 50, 100, 200, 2000],
    feeSource: 'swapFeeModule',
    extraGas: GAS_OF_GAUGES,
    toConfirm: ['which fee module its factory uses', 'its tick spacings'],
  },
  {
    ...venue('hybra-v4', 'uniswapV3', '0x32b9da73215255d50d84feb51540b75acc1324c2', 16715971n),
    tickSpacings: [1, 10, 50, 100, 200, 2000],
    feeSource: 'swapFeeModule',
    extraGas: GAS_OF_GAUGES,
    toConfirm: [
      'the fee module with its secondsAgo and caps',
      'that no trader has a discount: such a trader would receive more than quoted',
      CALLBACK,
    ],
  },
  {
    ...venue('ramses-v3', 'uniswapV3', '0x07e60782535752be279929e2dffdd136db2e6b45', 18149975n),
    tickSpacings: [1, 5, 10, 50, 100, 200],
    feeSource: 'currentFee',
    extraGas: GAS_OF_GAUGES,
    toConfirm: ['fee() against currentFee()', 'the topic of Mint', CALLBACK],
  },
  {
    ...venue(
      'kittenswap-algebra',
      'algebraIntegral',
      '0x5f95e92c338e6453111fc55ee66d4aafcce661a7',
      11022081n,
    ),
    toConfirm: [PLUGIN],
  },
  {
    ...venue('gliquid', 'algebraIntegral', '0x10253594a832f967994b44f33411940533302acb', 4347220n),
    toConfirm: [PLUGIN],
  },
  {
    ...venue('nest-cl', 'algebraIntegral', '0xf77bd082c627aa54591cf2f2eaa811fd1ab3b1f3', 17877130n),
    toConfirm: [PLUGIN],
  },
  {
    ...venue(
      'hx-finance',
      'algebraIntegral',
      '0x41ba59415ec75ac4242dd157f2a7a282f1e75652',
      8953647n,
    ),
    toConfirm: [PLUGIN],
  },
  {
    ...venue('hypercat', 'algebraIntegral', '0x1d9dcf8238daf2e078ff639a5ded6b518bf3e585', 4548782n),
    toConfirm: [PLUGIN],
  },
  {
    ...venue('hyperswap-v2', 'camelot', '0x724412c00059bf7d6ee7d4a1d0d5cd4de3ea1c48', 10935n),
    toConfirm: ['that its pairs are Camelot pairs: FEE_DENOMINATOR(), both fees in getReserves()'],
  },
  {
    ...venue('kittenswap-v1', 'solidly', '0xda12f450580a4cc485c3b501bab7b0b3cbc3b31b', 28543n),
    variant: 'solidly',
  },
  {
    ...venue('ramses-v2', 'solidly', '0xd0a07e160511c40ccd5340e94660e9c9c01b0d27'),
    variant: 'ramses',
    toConfirm: ['that the pair reports its fee in parts per million'],
  },
  {
    ...venue('curve-ng', 'curveStableSwap', '0x604388bb1159afd21eb5191ce22b4decdee2ae22'),
    toConfirm: [RATES],
  },
  {
    ...venue('curve-twocrypto-ng', 'curveCrypto', '0xc9fe0c63af9a39402e8a5514f9c43af0322b665f'),
    toConfirm: [VERSION],
  },
  {
    ...venue('curve-tricrypto-ng', 'curveCrypto', '0x5702bdb1ec244704e3cbbaae11a0275ae5b07499'),
    toConfirm: [VERSION],
  },
  {
    ...venue('hyperbrick', 'liquidityBook', '0x4a1efb00b4ad1751fc870c6125d917c3f1586600'),
    toConfirm: [HOOKS],
  },
  // The vault of Balancer, which registers the pools of all factories.
  {
    ...venue('balancer-v3', 'balancerV3', '0xba1333333333a1ba1108e8412f11850a5c319ba9', 6132445n),
    toConfirm: [FORMULAS],
  },
  // A vault of Balancer V2, which registers the pools of all factories.
  {
    ...venue('gaming-dex', 'balancerV2', '0x2c0b37305f77309d0bd04fa75848da2cbb5c4b90', 33401847n),
    toConfirm: [FORMULAS_V2],
  },
  // Stake Exchanges of Valantis: each exchange is a venue with one pool.
  {
    ...venue('stex-khype', 'stex', '0xbf747d2959f03332dbd25249db6f00f62c6cb526'),
    toConfirm: [MODULES, GAS_OF_PROXIES],
  },
  {
    ...venue('stex-sthype', 'stex', '0x39694eff3b02248929120c73f90347013aec834d'),
    toConfirm: [MODULES, GAS_OF_PROXIES, TO_THE_WEI],
  },
  // Kinetiq's staking manager, which only buys its token back here: why it sells none is in hyperEvmUnserved.
  {
    ...venue('kinetiq-khype', 'instantUnstake', '0x393d0b87ed38fc779fd9611144ae649ba6082109'),
    pairs: [[KHYPE, WHYPE]],
    toConfirm: [UNSTAKING],
  },
  // Priced from HyperCore's order book. Its pools can be upgraded, and one with kHYPE was emptied
  // through its oracle, so only pairs that the price guard covers are served.
  {
    ...venue('liquidcore', 'ladder', '0x625ac1d165c776121a52ff158e76e3544b4a0b8b'),
    pairs: pairsOf([WHYPE, USDC, USDT0]),
    // Its price moves by 20 ppm a block while the book stands still.
    haircutPpm: 100,
    toConfirm: [
      'that getPoolForPair() of its router returns the zero address for a pair without a pool',
      'which estimate function its pools have',
      'that a swap takes the whole amount in by an approval of the pool',
    ],
  },
  // Vaults of MetaMorpho: each is a venue.
  lending('felix-usdc', '0x8a862fd6c12f9ad34c9c2ff45ab2b6712e8cea27'),
  lending('felix-usdt0', '0xfc5126377f0efc0041c0969ef9ba903ce67d151e'),
  lending('felix-usde', '0x835febf893c6dddee5cf762b0f8e31c5b06938ab'),
  lending('felix-hype', '0x2900abd73631b2f60747e687095537b673c06a76'),
  lending('felix-usdhl', '0x9c59a9389d8f72de2cdaf1126f36ea4790e2275e'),
  pair('upheaval-v2', '0x98e19a533fadb2c9853983772e4e7aa09a1478e0', 3000),
  pair('hyperlynx-v2', '0x11cd396f814bd31eba7969c1b27a7c347785951f', 3000),
  pair('noxa-v2', '0xec4a56061d86955d0df883efb2e5791d99ea71f2', 3000),
]

function pair(id: string, factory: Address, feePpm: number): Venue {
  return { ...venue(id, 'uniswapV2', factory), feePpm, toConfirm: [FEE_OF_ONE_REGISTRY] }
}

function lending(id: string, vault: Address): Venue {
  return {
    ...{ ...venue(id, 'ladder', vault), protocol: 'vault' },
    toConfirm: ['that its unlent assets can be redeemed at once', 'the gas of a deposit'],
  }
}

function pairsOf(tokens: readonly Address[]): NonNullable<Venue['pairs']> {
  return tokens.flatMap((a, i) => tokens.slice(i + 1).map((b) => [a, b] as const))
}
