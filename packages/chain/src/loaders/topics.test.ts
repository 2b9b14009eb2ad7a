import { expect, it } from 'vitest'
import { loaders } from './loaders.js'

// The topics that deployed contracts emit, to catch a typo in an event signature.
const SYNC = '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1'
const SYNC_256 = '0xcf2aa50876cdfbb541206f89af0ee78d44a2abf8d328e37fa4917f982149848a'
const SOLIDLY_PAIR_CREATED = '0xc4805696c66d7cf352fc1d6bb633ad5ee82f6cb577c453024b6e0eb8306c6fc9'
const VELODROME_POOL_CREATED = '0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e'
const VELODROME_SWAP = '0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b'
const PAIR_CREATED = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9'
const V2_SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'
const SWAP = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const PANCAKE_SWAP = '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83'
const RAMSES_MINT = '0xd78218c0d304e8893cb3200abe394bbc8d5b7804d9c51f236df9fdcf481d02d3'
const SLIPSTREAM_POOL_CREATED = '0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2'
const GROW = '0xac49e518f90a358f652e4400164f05a5d8f7e35e7747279bc3a93dbf584e125a'
const MINT = '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde'
const BURN = '0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c'
const INITIALIZE = '0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95'
const SET_FEE_PROTOCOL = '0x973d8d92bb299f4af6ce49b52a8adb85ae46b9f214c4c4fc06ac77401237b133'
const POOL_CREATED = '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118'
const V4_SWAP = '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f'
const MODIFY_LIQUIDITY = '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'
const V4_INITIALIZE = '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438'
const PROTOCOL_FEE_UPDATED = '0xe9c42593e71f84403b84352cd168d693e2c9fcd1fdbcc3feb21d92b43e6696f9'
const SWAP_OF_1_2_0 = '0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79'
const SWAP_FEE = '0x9443903d84c9719611bd4bba871daaf18a3950d00d5d78b1a2fa701f76df54ff'
const FEE = '0x598b9f043c813aa6be3426ca60d1c65d17256312890be5118dab55b0775ebe2a'
const BURN_OF_1_2_0 = '0x932214d4a69c27c086643126ed97c32681da179064c678836c173f99bd13ca01'
const PLUGIN = '0x27a3944eff2135a57675f17e72501038982b73620d01f794c72e93d61a3932a2'
const PLUGIN_CONFIG = '0x3a6271b36c1b44bd6a0a0d56230602dc6919b7c17af57254306fadf5fee69dc3'
const COMMUNITY_FEE = '0x3647dccc990d4941b0b05b32527ef493a98d6187b20639ca2f9743f3b55ca5e1'
const TICK_SPACING = '0x01413b1d5d4c359e9a0daa7909ecda165f6e8c51fe2ff529d74b22a5a7c02645'
const ALGEBRA_POOL = '0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db'
const BINS_SWAP = '0xad7d6f97abf51ce18e17a38f4d70e975be9c0708474987bb3e26ad21bd93ca70'
const DEPOSITED_TO_BINS = '0x87f1f9dcf5e8089a3e00811b6a008d8f30293a3da878cb1fe8c90ca376402f8a'
const WITHDRAWN_FROM_BINS = '0xa32e146844d6144a22e94c586715a1317d58a8aa3581ec33d040113ddcb24350'
const CUSTOM_POOL = '0x8a5f030f5fc13b04a1e4ef7c47177e3d76b0e80e1d9be9843db37caa5b7b9b8f'

it('uses the topics that are on chain', () => {
  const { uniswapV2, uniswapV3 } = loaders
  expect(uniswapV2.topics).toEqual([SYNC])
  expect(uniswapV2.ignoredTopics).toContain(V2_SWAP)
  expect(uniswapV2.creationTopics).toEqual([PAIR_CREATED])
  expect(uniswapV3.topics).toEqual([SWAP, PANCAKE_SWAP, MINT, RAMSES_MINT, BURN, INITIALIZE, GROW])
  expect(uniswapV3.replacingTopics).toEqual([SWAP, PANCAKE_SWAP])
  expect(uniswapV3.ignoredTopics).toContain(SET_FEE_PROTOCOL)
  expect(uniswapV3.creationTopics).toEqual([POOL_CREATED, SLIPSTREAM_POOL_CREATED])

  const { uniswapV4 } = loaders
  expect(uniswapV4.topics).toEqual([V4_SWAP, MODIFY_LIQUIDITY, PROTOCOL_FEE_UPDATED])
  expect(uniswapV4.replacingTopics).toEqual([V4_SWAP])
  expect(uniswapV4.creationTopics).toEqual([V4_INITIALIZE])

  const { camelot, solidly } = loaders
  expect(camelot.topics[0]).toBe(SYNC)
  expect(camelot.creationTopics).toEqual([PAIR_CREATED])
  expect(solidly.topics).toEqual([SYNC_256, SYNC])
  expect(solidly.creationTopics).toEqual([
    ...[SOLIDLY_PAIR_CREATED, VELODROME_POOL_CREATED, PAIR_CREATED],
  ])
  for (const swap of [V2_SWAP, VELODROME_SWAP]) expect(solidly.ignoredTopics).toContain(swap)

  const { algebraIntegral } = loaders
  expect(algebraIntegral.topics).toEqual([
    ...[SWAP, SWAP_OF_1_2_0, SWAP_FEE, FEE, MINT, BURN, BURN_OF_1_2_0, INITIALIZE],
    ...[PLUGIN, PLUGIN_CONFIG],
  ])
  expect(algebraIntegral.replacingTopics).toEqual([SWAP, SWAP_OF_1_2_0, FEE])
  for (const topic of [COMMUNITY_FEE, TICK_SPACING]) {
    expect(algebraIntegral.ignoredTopics).toContain(topic)
  }
  expect(algebraIntegral.creationTopics).toEqual([ALGEBRA_POOL, CUSTOM_POOL])

  const { liquidityBook } = loaders
  expect(liquidityBook.topics).toEqual([BINS_SWAP, DEPOSITED_TO_BINS, WITHDRAWN_FROM_BINS])

  const { algebraV1 } = loaders
  expect(algebraV1.topics).toEqual([SWAP, FEE, MINT, BURN, INITIALIZE])
  expect(algebraV1.ignoredTopics).toContain(TICK_SPACING)
  expect(algebraV1.creationTopics).toContain(ALGEBRA_POOL)
})
