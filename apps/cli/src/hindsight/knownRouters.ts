// Routers of other aggregators, by the addresses that they or public lists of routers publish.

import type { Address } from '@braid-swap/core'

const NAMES: ReadonlyMap<Address, string> = new Map([
  ['0xcce7452db4392b40aa0e1592a7c486e13bf69654', 'AKKA'],
  ['0x744489ee3d540777a66f2cf297479745e0852f7a', 'LiquidSwap MultiHopRouter'],
  ['0x4212a77e4533eca49643d7b731f5fb1b2782fe94', 'HyperBloom'],
  ['0x74cddb25b3f230200b28d79ce85c43991648954a', 'HyperBloom (old)'],
  ['0x980b9271a33c4b31214301fae584b18dbb9731ec', 'HyperFlow'],
  ['0x0fbe14a7cd24adb08575d67bd39d2290a12126b0', 'HyperFlow (2)'],
  ['0xe95f6eaeae1e4d650576af600b33d9f7e5f9f7fd', 'GlueX'],
  ['0x6ec7612828b776cc746fe0ee5381cc93878844f7', 'GlueX (old)'],
  ['0x5fbd1b5aa82d09359c05428647871fe9add3f411', 'Ooga Booga'],
  ['0x6131b5fae19ea4f9d964eac0408e4408b66337b5', 'KyberSwap'],
  ['0x6352a56caadc4f1e25cd6c75970fa768a3304e64', 'OpenOcean'],
  ['0xac4c6e212a361c968f1725b4d055b47e63f80b75', 'Sushi RedSnwapper'],
  ['0x3ced11c610556e5292fbc2e75d68c3899098c14c', 'Sushi RouteProcessor'],
  ['0x2cef6a4cbbee140ed790d1cd0bb59d45a76a0754', 'Eisen'],
  ['0xf75584ef6673ad213a685a1b58cc0330b8ea22cf', 'Enso'],
  ['0xbbbbbbb520d69a9775e85b458c58c648259fad5f', 'Bebop'],
  ['0xbeb0b0623f66be8ce162ebdfa2ec543a522f4ea6', 'Bebop JAM'],
  ['0xe4609ab5f4c268c42ba470fbcbb9b9abf895f1a5', 'Hypertrade aggregator'],
  ['0x956df8424b556f0076e8abf5481605f5a791cc7f', 'Fly (Magpie)'],
  ['0x20f6ee51340adeed01a59b0e65cb3703f3dc860c', 'Fly (Magpie) 2'],
  ['0x0a0758d937d1059c356d4714e57f5df0239bce1a', 'LI.FI Diamond'],
  ['0xb6abde9e515780cce12dd06b71c074d13dc68178', 'LI.FI DEX aggregator'],
  ['0x0000000000001ff3684f28c67538d4d072c22734', '0x AllowanceHolder'],
  ['0x094aabf518b483713fc920ecf8af0922f8e51efd', 'dexr'],
  ['0x463e176246c4ff727153a8b98381531df1b66b80', 'Kyo event router'],
])

/** The name of a router of another aggregator; `undefined` if it is not known. */
export const nameOfRouter = (router: Address | undefined) => router && NAMES.get(router)
