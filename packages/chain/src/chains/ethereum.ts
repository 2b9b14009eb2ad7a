// Ethereum, for quotes: swaps wait for a router.

import { type ChainRecord, unknownForms, unreportedFee, usualChain, venue } from './chainRecord.js'

const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const DAI = '0x6b175474e89094c44da98b954eedeac495271d0f'
const WBTC = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'

const UNISWAP_V2 = '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f'
const UNISWAP_V3 = '0x1f98431c8ad98523631ae4a59f267346ea31f984'
const UNISWAP_V4 = '0x000000000004444c5dc75cb358380d2e3de08a90'
const PANCAKE_V2 = '0x1097053fd2ea711dad45caccc45eff7548fcb362'
const PANCAKE_V3 = '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'
const SUSHI_V2 = '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac'
const SUSHI_V3 = '0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f'
const STABLE_NG = '0x6a8cbed756804b16e05e741edabd5cb544ae21bf'
const TWOCRYPTO_NG = '0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f'
const TRICRYPTO_NG = '0x0c0e5f2ff0ff18a3be9b835635039256dc4b4963'
const BALANCER_V2 = '0xba12222222228d8ba445958a75a0704d566bf2c8'
const BALANCER_V3 = '0xba1333333333a1ba1108e8412f11850a5c319ba9'

/** Ethereum. Its addresses are from the registries in `sources` and were not read on the chain here. */
export const ethereum: ChainRecord = {
  ...usualChain,
  id: 1,
  name: 'Ethereum',
  native: { symbol: 'ETH', name: 'Ether', decimals: 18 },
  wrapped: { address: WETH, symbol: 'WETH', name: 'Wrapped Ether', decimals: 18 },
  hubs: [WETH, USDC, USDT, DAI, WBTC],
  usdTokens: [USDC, USDT, DAI],
  venues: [
    { ...venue('uniswap-v2', 'uniswapV2', UNISWAP_V2), feePpm: 3000, ...unreportedFee },
    { ...venue('sushiswap-v2', 'uniswapV2', SUSHI_V2), feePpm: 3000, ...unreportedFee },
    { ...venue('pancakeswap-v2', 'uniswapV2', PANCAKE_V2), feePpm: 2500, ...unreportedFee },
    venue('uniswap-v3', 'uniswapV3', UNISWAP_V3, 12369621n),
    venue('sushiswap-v3', 'uniswapV3', SUSHI_V3, 16955547n),
    {
      ...venue('pancakeswap-v3', 'uniswapV3', PANCAKE_V3, 16950686n),
      ...{ feesPpm: [100, 500, 2500, 10000], extraGas: 19_000 },
    },
    { ...venue('uniswap-v4', 'uniswapV4', UNISWAP_V4, 21688329n), wrappedNative: WETH },
    { ...venue('curve-ng', 'curveStableSwap', STABLE_NG, 18427841n), ...unknownForms },
    { ...venue('curve-twocrypto-ng', 'curveCrypto', TWOCRYPTO_NG, 18867338n), ...unknownForms },
    { ...venue('curve-tricrypto-ng', 'curveCrypto', TRICRYPTO_NG), ...unknownForms },
    { ...venue('balancer-v2', 'balancerV2', BALANCER_V2, 12272146n), ...unknownForms },
    { ...venue('balancer-v3', 'balancerV3', BALANCER_V3, 21332121n), ...unknownForms },
  ],
  blocks: [{ name: 'plain', gasLimit: 60_000_000, everyMs: 12_000 }],
  explorer: { name: 'Etherscan', url: 'https://etherscan.io' },
  rpcUrl: 'https://ethereum.reth.rs/rpc',
  sources: [
    'docs.uniswap.org: v2, v3 and v4 deployments',
    'developer.pancakeswap.finance: v2 and v3 addresses',
    'npmjs.com: @sushiswap/core',
    'docs.curve.finance and github.com/curvefi/curve-js: factories',
    'npm @balancer-labs/v2-deployments',
    'github.com/DefiLlama/DefiLlama-Adapters: SushiSwap V3, Balancer V3, first blocks',
    'github.com/wevm/viem: node, explorer, block time',
  ],
}
