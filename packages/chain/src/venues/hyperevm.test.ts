import { expect, it } from 'vitest'
import { loadedFamilies } from '../pools/index.js'
import { hyperEvmHubs, hyperEvmVenues } from './hyperevm.js'
import { hyperEvmGuard } from './hyperevmGuard.js'
import { hyperEvmUnserved } from './hyperevmUnserved.js'

const all = [
  ...hyperEvmVenues.map(({ id, factory }) => ({ id, contract: factory })),
  ...hyperEvmUnserved,
]

it('lists each venue once, served or not, by a lower-case contract', () => {
  const ids = all.map(({ id }) => id)
  const contracts = all.flatMap(({ contract }) => contract ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(contracts).size).toBe(contracts.length)
  for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+$/)
  for (const contract of [...contracts, ...hyperEvmHubs]) {
    expect(contract).toMatch(/^0x[0-9a-f]{40}$/)
  }
})

it('lists the fifty-odd deployments of public registries, with a reason for each not served', () => {
  expect(all.length).toBeGreaterThan(50)
  for (const { why } of hyperEvmUnserved) expect(why).toMatch(/^[a-z].{15,}[^.]$/)
})

it('has venues of known families only', () => {
  for (const { family } of hyperEvmVenues) expect(loadedFamilies).toContain(family)
})

it('states a fee if the pools do not report it, and lists it for confirmation', () => {
  for (const { family, feePpm, toConfirm } of hyperEvmVenues) {
    expect(feePpm !== undefined).toBe(family === 'uniswapV2')
    if (feePpm !== undefined) expect(toConfirm).toHaveLength(1)
  }
})

it('states the fee source if pools are found by their tick spacing', () => {
  for (const { tickSpacings, feeSource, feesPpm } of hyperEvmVenues) {
    expect(tickSpacings === undefined).toBe(feeSource === undefined)
    if (tickSpacings) expect(feesPpm).toBeUndefined()
  }
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
