import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { countSetAside, type SetAside } from './setAside.js'

it('counts what is set aside by its reason', () => {
  const codes = ['POOL_EMPTY', 'TOKEN_STUCK', 'POOL_EMPTY', 'VENUE_UNREADABLE'] as const
  const setAside = codes.map(
    (code, i): SetAside => ({
      ...{ id: toHex(i, 20), venue: 'venue', code, message: '' },
    }),
  )
  expect(countSetAside(setAside)).toEqual({ POOL_EMPTY: 2, TOKEN_STUCK: 1, VENUE_UNREADABLE: 1 })
  expect(countSetAside([])).toEqual({})
})
