import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import type { PageToken } from '../format.js'
import { readHeld, sortPicks } from './pickOrder.js'

const token = (n: number, more: Partial<PageToken> = {}): PageToken => ({
  ...{ address: toHex(n, 20), symbol: `T${n}`, name: '', decimals: 6, verified: true },
  ...{ sellPriceUsd: 1, ...more },
})
const tokens = [token(1), token(2), token(3), token(4, { verified: false }), token(5)]
const common = [token(3).address]
const numbers = (sorted: readonly PageToken[]) => sorted.map(({ address }) => Number(address))

it('held tokens are first by worth, then common ones, then the rest as it was', () => {
  const held = new Map<Address, bigint>([
    [token(2).address, 1n],
    [token(5).address, 7n],
    // Sent by a stranger.
    [token(4).address, 9n],
  ])
  expect(numbers(sortPicks(tokens, { common, held }))).toEqual([5, 2, 3, 1, 4])
  expect(numbers(sortPicks(tokens, { common, held: new Map() }))).toEqual([3, 1, 2, 4, 5])
})

it('reads what is held of verified tokens, and survives a node that fails', async () => {
  const asked: number[] = []
  const balanceOf = async (address: Address) => {
    asked.push(Number(address))
    if (address === token(1).address) throw new Error('gone')
    return address === token(2).address ? 5n : 0n
  }
  const held = await readHeld(tokens, { common, balanceOf })
  expect([...held]).toEqual([[token(2).address, 5n]])
  expect(asked).toEqual([3, 1, 2, 5])
  expect(await readHeld(tokens, { common, balanceOf: undefined })).toEqual(new Map())
})
