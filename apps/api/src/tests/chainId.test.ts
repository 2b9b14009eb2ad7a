import { describe, expect, it } from 'vitest'
import { USDC } from '../testing/frozenMarket.js'
import { useFrozenApi } from '../testing/useFrozenApi.js'
import type { ErrorBody } from '../wire/responses.js'

const api = useFrozenApi()

const get = (path: string) => api.get<ErrorBody>(path)

describe('interface 2.1, chainId', () => {
  it('999 is the only value: another integer is CHAIN_NOT_SUPPORTED', async () => {
    const { status, body } = await get('/swap/v1/1/quote')
    expect([status, body.code]).toEqual([404, 'CHAIN_NOT_SUPPORTED'])
    expect(body.details).toEqual({ supported: '999' })
    expect((await get(`/1/tokens/${USDC}`)).body.code).toBe('CHAIN_NOT_SUPPORTED')
  })

  it.each(['-1', '0', '1000', '-999', '9'.repeat(40)])(
    '%s is an integer: CHAIN_NOT_SUPPORTED',
    async (chain) => {
      const { status, body } = await get(`/swap/v1/${chain}/quote`)
      expect([status, body.code]).toEqual([404, 'CHAIN_NOT_SUPPORTED'])
    },
  )

  it.each(['abc', '-', '-0', '9.99', '0x3e7'])('%s is INVALID_CHAIN_ID', async (chain) => {
    const { status, body } = await get(`/swap/v1/${chain}/quote`)
    expect([status, body.code]).toEqual([400, 'INVALID_CHAIN_ID'])
  })
})
