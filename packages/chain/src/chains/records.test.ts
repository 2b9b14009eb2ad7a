import { describe, expect, it } from 'vitest'
import { loadedFamilies } from '../loaders/loaders.js'
import { hyperEvm } from './hyperevm.js'
import { knownChains } from './readChain.js'

const { hubs: hyperEvmHubs, venues: hyperEvmVenues, guard: hyperEvmGuard } = hyperEvm
const { unserved: hyperEvmUnserved } = hyperEvm

describe.each([...knownChains])('the record of %s', (_, { venues, unserved, hubs, ...record }) => {
  it('lists each venue once, served or not, by a lower-case contract', () => {
    const all = [...venues.map(({ id, factory }) => ({ id, contract: factory })), ...unserved]
    const ids = all.map(({ id }) => id)
    const contracts = all.flatMap(({ contract }) => contract ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(contracts).size).toBe(contracts.length)
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+$/)
    for (const contract of [...contracts, ...hubs, ...record.usdTokens]) {
      expect(contract).toMatch(/^0x[0-9a-f]{40}$/)
    }
  })

  it('has venues of known families only, and its own wrapped token where one is named', () => {
    for (const { family, wrappedNative } of venues) {
      expect(loadedFamilies).toContain(family)
      expect([undefined, record.wrapped.address]).toContain(wrappedNative)
      expect(wrappedNative !== undefined).toBe(family === 'uniswapV4')
    }
    expect(hubs[0]).toBe(record.wrapped.address)
  })

  it('states a fee if the pools do not report it, and lists it for confirmation', () => {
    for (const { family, feePpm, toConfirm } of venues) {
      expect(feePpm !== undefined).toBe(family === 'uniswapV2')
      if (feePpm !== undefined) expect(toConfirm?.[0]).toMatch(/^the fee, which /)
    }
  })

  it('states the fee source if pools are found by their tick spacing', () => {
    for (const { tickSpacings, feeSource, feesPpm } of venues) {
      expect(tickSpacings === undefined).toBe(feeSource === undefined)
      if (tickSpacings) expect(feesPpm).toBeUndefined()
    }
  })

  it('says where its facts are from', () => {
    expect(record.sources.length).toBeGreaterThan(2)
  })
})

it('lists the fifty-odd deployments of public registries, with a reason for each not served', () => {
  expect(hyperEvmVenues.length + hyperEvmUnserved.length).toBeGreaterThan(50)
  for (const { why } of hyperEvmUnserved) expect(why).toMatch(/^[a-z].{15,}[^.]$/)
})

it('serves pools that can be upgraded by an allow-list, with a haircut, and none with kHYPE', () => {
  const kHype = '0xfd739d4e423301ce9385c1fb8850539d657c296d'
  expect(hyperEvmHubs).toContain(kHype)
  const { pairs, haircutPpm } = hyperEvmVenues.find(({ id }) => id === 'liquidcore')!
  const { books, units } = hyperEvmGuard
  const guarded = [...books.map(({ token }) => token), ...units]
  expect(pairs).toHaveLength(3)
  for (const token of pairs!.flat()) expect(guarded).toContain(token)
  expect(pairs!.flat()).not.toContain(kHype)
  expect(haircutPpm).toBeGreaterThanOrEqual(100)
})

it('serves no staking contract, and says that the executor would keep a remainder', () => {
  for (const id of ['kinetiq-khype-staking', 'behype']) {
    const { contract, why } = hyperEvmUnserved.find((one) => one.id === id)!
    expect(why).toMatch(/multiples of 10\^10.*remainder/)
    expect(hyperEvmVenues.map(({ factory }) => factory)).not.toContain(contract)
  }
})
