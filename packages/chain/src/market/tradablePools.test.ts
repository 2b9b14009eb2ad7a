import { NATIVE, type Pool } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { wrapPool } from './loadMarket.js'
import { splitUsable } from './tradablePools.js'

const [USD, WRAPPED] = [toHex(2, 20), toHex(0x55, 20)]
const pair = (tokens: Pool['tokens'] & readonly [Pool['id'], Pool['id']]): Pool => ({
  ...{ family: 'uniswapV2', id: toHex(1, 20), venue: 'test', tokens },
  ...{ reserves: [10n ** 18n, 10n ** 18n], feePpm: 3000 },
})

it('sets a pool aside that names the placeholder of the native token, but not the wrap', () => {
  const wrap = wrapPool(WRAPPED, 'HYPE')
  const { pools, setAside } = splitUsable([wrap, pair([USD, NATIVE])], [])
  expect(pools).toEqual([wrap])
  expect(setAside).toMatchObject([{ id: toHex(1, 20), code: 'POOL_FORM_UNKNOWN' }])
  expect(splitUsable([pair([USD, WRAPPED])], []).setAside).toEqual([])
})
