import { type Address, NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import { type ListedToken, nativeToken, resolveToken } from './tokens.js'

const other = (n: number, symbol: string): ListedToken => ({
  ...{ address: toHex(n, 20) as Address, symbol, name: symbol, decimals: 18 },
})

describe('a symbol', () => {
  it.each(['HYPE', 'hype', 'native'])('%s is the native token beside worthless ones', (text) => {
    const tokens = [other(1, 'HYPE'), other(2, 'hype'), nativeToken(), other(3, 'native')]
    expect(resolveToken(text, tokens).address).toBe(NATIVE)
  })

  it('is the token that the user listed, also in other letters', () => {
    const mine = { ...other(1, 'USD₮0'), isListed: true } as const
    const tokens = [other(2, 'USDT0'), mine, other(3, 'usdt0'), nativeToken()]
    for (const text of ['USDT0', 'usdt0']) expect(resolveToken(text, tokens)).toBe(mine)
  })

  it.each([
    ['two listed ones', true],
    ['two others', undefined],
  ])('is ambiguous of %s', (_, isListed) => {
    const tokens = [1, 2].map((n) => ({ ...other(n, 'DUP'), ...(isListed && { isListed }) }))
    expect(() => resolveToken('DUP', tokens)).toThrow(
      expect.objectContaining({ code: 'AMBIGUOUS_TOKEN' }),
    )
  })
})
