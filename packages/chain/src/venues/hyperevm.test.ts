import { expect, it } from 'vitest'
import { hyperEvmVenues } from './hyperevm.js'

it('lists each venue once, by a lower-case factory', () => {
  const ids = hyperEvmVenues.map(({ id }) => id)
  const factories = hyperEvmVenues.map(({ factory }) => factory)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(factories).size).toBe(factories.length)
  for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+$/)
  for (const factory of factories) expect(factory).toMatch(/^0x[0-9a-f]{40}$/)
})

it('states a fee where the pools do not tell it', () => {
  for (const { family, feePpm } of hyperEvmVenues) {
    expect(feePpm !== undefined).toBe(family === 'uniswapV2')
  }
})
