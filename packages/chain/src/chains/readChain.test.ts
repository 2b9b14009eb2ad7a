import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { hyperEvm } from './hyperevm.js'
import { BadChainError, chainSchema, checkChain, knownChains, readChain } from './readChain.js'

const least = {
  ...{ id: 31_337, name: 'Own', rpcUrl: 'http://127.0.0.1:8545', venues: [] },
  native: { symbol: 'OWN', name: 'Own' },
  wrapped: { address: `0x${'Ab'.repeat(20)}`, symbol: 'WOWN', name: 'Wrapped Own' },
  blocks: [{ name: 'plain', gasLimit: 20_000_000, everyMs: 2_000 }],
}
const linesOf = (value: unknown) => {
  try {
    checkChain(value)
    return []
  } catch (error) {
    return (error as BadChainError).lines
  }
}

describe('a chain', () => {
  it('is HyperEVM unless another is named', () => {
    expect(readChain()).toBe(hyperEvm)
    expect(readChain('hyperevm')).toBe(hyperEvm)
  })

  it('of a file needs ten facts, and has the others by default', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'braid-chain-')), 'own.json')
    writeFileSync(file, JSON.stringify(least))
    const chain = readChain(file)
    expect(chain).toMatchObject({
      ...{ id: 31_337, fee: 'eip1559', multicall3: hyperEvm.multicall3, permit2: hyperEvm.permit2 },
      ...{ wrapped: { address: `0x${'ab'.repeat(20)}`, decimals: 18 }, usdTokens: [] },
    })
  })

  it('may begin from a known one, and a record is a file as it is', () => {
    const $schema = './chain.schema.json'
    const like = { like: 'hyperevm', rpcUrl: 'https://own.test', explorer: null, $schema }
    expect(checkChain(like)).toEqual({ ...hyperEvm, rpcUrl: like.rpcUrl, explorer: undefined })
    for (const record of knownChains.values()) expect(checkChain(record)).toEqual(record)
  })

  it.each<readonly [string, object, RegExp]>([
    ['a missing fact', { ...least, wrapped: undefined }, /^wrapped: /],
    ['an unknown one', { ...least, explorers: [] }, /explorers/],
    ['an address', { ...least, hubs: ['0x12'] }, /^hubs\.0: must be 0x and 40 hex digits$/],
    ['a venue', { ...least, venues: [{ id: 'a' }] }, /^venues: 0\.family: is missing$/],
    ['another Permit2', { ...least, permit2: least.wrapped.address }, /the router calls no other/],
    ['another fee', { ...least, fee: 'layered' }, /another layer is not modelled/],
    ['no blocks', { ...least, blocks: [] }, /^blocks: /],
    ['a chain with a layer', { ...least, id: 8453 }, /^Base is not served: a part of its fee/],
    ['what is no object', [], /object/],
    ['a stranger to be like', { like: 'atlantis' }, /hyperevm/],
  ])('with %s wrong is refused with a line', (_, value, line) => {
    expect(linesOf(value)).toContainEqual(expect.stringMatching(line))
  })

  it.each(['base', 'Arbitrum One', 'op-mainnet', '/absent.json', 'atlantis'])(
    '%s is refused by name',
    (named) => {
      expect(() => readChain(named)).toThrow(BadChainError)
    },
  )

  it('in a file with a missing comma is told from a missing file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'braid-chain-')), 'own.json')
    expect(() => readChain(file)).toThrow(/neither a known chain .* nor a file$/)
    writeFileSync(file, '{ "id": 7 "name": "own" }')
    expect(() => readChain(file)).toThrow(/own\.json is not JSON: /)
  })

  it('has the schema in docs', async () => {
    const file = fileURLToPath(new URL('../../../../docs/chain.schema.json', import.meta.url))
    await expect(`${JSON.stringify(chainSchema(), null, 2)}\n`).toMatchFileSnapshot(file)
  })
})
