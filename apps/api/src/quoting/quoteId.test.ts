import { createHash } from 'node:crypto'
import { stringify } from '@braid-swap/core'
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

  it('are lower-case base32 of a SHA-256', () => {
    const { chainId, block, wrappedNative, tokens } = { ...frozenSnapshot, tokens: [] }
    const empty = { chainId, block, wrappedNative, tokens, pools: [] }
    const bytes = createHash('sha256').update(stringify(empty)).digest()
    const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const base32 = (bits.match(/.{1,5}/g) ?? [])
      .map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
      .join('')
    expect(snapshotIdOf({ ...frozenSnapshot, tokens: [], pools: [] })).toBe(`s1_${base32}`)
  })
})
