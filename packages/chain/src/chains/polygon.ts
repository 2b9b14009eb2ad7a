// Polygon PoS, for quotes: swaps wait for a router.

import { type ChainRecord, unknownForms, unreportedFee, usualChain, venue } from './chainRecord.js'

const WPOL = '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270'
const USDC = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const BRIDGED_USDC = '0x2791bca1f2de4661ed88a30c99a7a9449aa84174'
const USDT = '0xc2132d05d31c914a87c6611c10748aeb04b58e8f'
const DAI = '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063'
const WETH = '0x7ceb23fd6bc0add59e62ac25578270cff1b9f619'
const WBTC = '0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6'

const UNISWAP_V2 = '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c'
const UNISWAP_V3 = '0x1f98431c8ad98523631ae4a59f267346ea31f984'
const UNISWAP_V4 = '0x67366782805870060151383f4bbff9dab53e5cd6'
const QUICK_V2 = '0x5757371414417b8c6caad45baef941abc7d3ab32'
const QUICK_V3 = '0x411b0facc3489691f28ad58c47006af5e3ab3a28'
const SUSHI_V2 = '0xc35dadb65012ec5796536bd9864ed8773abc74c4'
const SUSHI_V3 = '0x917933899c6a5f8e37f31e19f92cdbff7e8ff0e2'
const STABLE_NG = '0x1764ee18e8b3cca4787249ceb249356192594585'
const TWOCRYPTO_NG = '0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f'
const TRICRYPTO_NG = '0xc1b393efef38140662b91441c6710aa704973228'
const BALANCER_V2 = '0xba12222222228d8ba445958a75a0704d566bf2c8'

/** Polygon PoS. Its addresses are from the registries in `sources` and were not read on the chain here. */
export const polygon: ChainRecord = {
  ...usualChain,
  id: 137,
  name: 'Polygon',
  native: { symbol: 'POL', name: 'POL', decimals: 18 },
  wrapped: { address: WPOL, symbol: 'WPOL', name: 'Wrapped POL', decimals: 18 },
  hubs: [WPOL, USDC, BRIDGED_USDC, USDT, DAI, WETH, WBTC],
  usdTokens: [USDC, USDT, BRIDGED_USDC, DAI],
  venues: [
    { ...venue('quickswap-v2', 'uniswapV2', QUICK_V2, 4931779n), feePpm: 3000, ...unreportedFee },
    {
      ...{ ...venue('sushiswap-v2', 'uniswapV2', SUSHI_V2), feePpm: 3000 },
      toConfirm: [...unreportedFee.toConfirm, 'its factory, which third parties state'],
    },
    { ...venue('uniswap-v2', 'uniswapV2', UNISWAP_V2), feePpm: 3000, ...unreportedFee },
    venue('uniswap-v3', 'uniswapV3', UNISWAP_V3, 22757547n),
    venue('sushiswap-v3', 'uniswapV3', SUSHI_V3, 41024971n),
    venue('quickswap-v3', 'algebraV1', QUICK_V3, 32610688n),
    { ...venue('uniswap-v4', 'uniswapV4', UNISWAP_V4, 66980384n), wrappedNative: WPOL },
    { ...venue('curve-ng', 'curveStableSwap', STABLE_NG), ...unknownForms },
    { ...venue('curve-twocrypto-ng', 'curveCrypto', TWOCRYPTO_NG), ...unknownForms },
    { ...venue('curve-tricrypto-ng', 'curveCrypto', TRICRYPTO_NG), ...unknownForms },
    { ...venue('balancer-v2', 'balancerV2', BALANCER_V2, 15832990n), ...unknownForms },
  ],
  blocks: [{ name: 'plain', gasLimit: 45_000_000, everyMs: 2_000 }],
  explorer: { name: 'PolygonScan', url: 'https://polygonscan.com' },
  rpcUrl: 'https://polygon.drpc.org',
  sources: [
    'docs.uniswap.org: v2, v3 and v4 deployments',
    'docs.algebra.finance: AlgebraFactory',
    'github.com/curvefi/curve-js: factories',
    'npm @balancer-labs/v2-deployments',
    'github.com/DefiLlama/DefiLlama-Adapters: QuickSwap, SushiSwap V3, first blocks',
    'github.com/bgd-labs/aave-address-book: tokens',
    'github.com/wevm/viem: node, explorer, block time',
  ],
}
