import { createHash } from 'node:crypto'
import { stringify } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import { frozenSnapshot } from '../testing/frozenMarket.js'
import { quoteIdOf, snapshotIdOf } from './quoteId.js'

const request = { endpoint: 'quote', params: { src: '0x1', amount: 5n } }

describe('identities', () => {
  it('do not depend on object identity or the order of pools, tokens and parameters', () => {
    const copy = {
      ...structuredClone(frozenSnapshot),
      pools: structuredClone(frozenSnapshot.pools).toReversed(),
      tokens: frozenSnapshot.tokens.toReversed(),
    }
    expect(snapshotIdOf(copy)).toBe(snapshotIdOf(frozenSnapshot))
    const swapped = { endpoint: 'quote', params: { amount: 5n, src: '0x1', includeGas: undefined } }
    expect(quoteIdOf(copy, swapped)).toBe(quoteIdOf(frozenSnapshot, request))
  })

  it('change with one wei of a reserve, the block, the endpoint or a parameter', () => {
    const [, first, ...rest] = frozenSnapshot.pools
    if (first?.family !== 'uniswapV2') throw new Error('the second pool is a V2 pool')
    const moved = { ...first, reserves: [first.reserves[0] + 1n, first.reserves[1]] as const }
    const later = { ...frozenSnapshot.block, number: 124n }
    const ids = [
      quoteIdOf(frozenSnapshot, request),
      quoteIdOf({ ...frozenSnapshot, pools: [frozenSnapshot.pools[0]!, moved, ...rest] }, request),
      quoteIdOf({ ...frozenSnapshot, block: later }, request),
      quoteIdOf(frozenSnapshot, { ...request, endpoint: 'swap' }),
      quoteIdOf(frozenSnapshot, { ...request, params: { ...request.params, amount: 6n } }),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('change with the members of a list, but not with their order', () => {
    const idWith = (...names: string[]) =>
      quoteIdOf(frozenSnapshot, { ...request, params: { includeProtocols: new Set(names) } })
    expect(idWith('a', 'b')).toBe(idWith('b', 'a'))
    expect(idWith('a')).not.toBe(idWith('b'))
  })

  it('of a market are made from the whole text, whatever is cached', () => {
    const { chainId, block, wrappedNative } = frozenSnapshot
    const byId = (a: Readonly<{ id: string }>, b: Readonly<{ id: string }>) =>
      a.id < b.id ? -1 : 1
    const pools = [...frozenSnapshot.pools]
      .sort(byId)
      .map((pool) => [pool.id, snapshotDigest(stringify(pool))])
    const tokens = [...frozenSnapshot.tokens].sort((a, b) => (a.address < b.address ? -1 : 1))
    const text = stringify({ chainId, block, wrappedNative, tokens, pools })
    expect(snapshotIdOf({ ...frozenSnapshot })).toBe(`s1_${snapshotDigest(text)}`)
    expect(snapshotIdOf({ ...frozenSnapshot })).toBe(`s1_${snapshotDigest(text)}`)
  })

  it('are lower-case base32 of a SHA-256', () => {
    const { chainId, block, wrappedNative, tokens } = { ...frozenSnapshot, tokens: [] }
    const empty = { chainId, block, wrappedNative, tokens, pools: [] }
    expect(snapshotIdOf({ ...frozenSnapshot, tokens: [], pools: [] })).toBe(
      `s1_${snapshotDigest(stringify(empty))}`,
    )
  })
})

/** Base32 of the SHA-256 of a text, computed another way. */
function snapshotDigest(text: string): string {
  const bytes = createHash('sha256').update(text).digest()
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}
