// Searches the past of a chain that the test writes: in parts, resumed, and cut where nodes forget.
import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { readHeader } from '../reads/headers.js'
import {
  createPair,
  FACTORY,
  pairAt,
  pairVenue,
  type ScriptedNode,
  sample,
  sampledAt,
  sampledVenue,
  startScriptedNode,
  TOKENS,
} from '../testing/scriptedNode.js'
import { type Client, learnProfiles } from '../transport/client.js'
import { findPools } from './findPools.js'
import { discoverAll, type SearchPart, searchPools } from './searchPools.js'

/** A venue whose pairs only the factory's logs name. */
const logged = { ...pairVenue, id: 'logged', family: 'uniswapV3' as const }
const E18 = 10n ** 18n
const PAIRS = [0, 1].map(pairAt)

let node: ScriptedNode
let client: Client
beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  node.mine(...PAIRS.map((id) => createPair(id, [TOKENS[0]!, TOKENS[1]!], [E18, E18])))
  node.mine(sample(sampledAt(0), 1_500n))
})
afterEach(() => node.stop())

async function search(options: Omit<Parameters<typeof searchPools>[1], 'to'>) {
  const parts: SearchPart[] = []
  const to = await readHeader(client, 'latest')
  for await (const part of searchPools(client, { ...options, to })) parts.push(part)
  return parts
}
const idsOf = (parts: readonly Pick<SearchPart, 'refs'>[]) =>
  parts.map(({ refs }) => refs.map(({ id }) => id))
const ranges = () =>
  node.asked.flatMap(({ method, params }) => {
    if (method !== 'eth_getLogs') return []
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    return [[Number(fromBlock), Number(toBlock)]]
  })

describe('a search', () => {
  it('asks the lists first and then the logs, in parts of a thousand blocks', async () => {
    for (let i = 0; i < 1_200; i++) node.mine()
    const late = { ...logged, fromBlock: 500n }
    const parts = await search({ venues: [sampledVenue, late] })
    expect(idsOf(parts)).toEqual([[sampledAt(0)], []])
    expect(parts.map(({ left }) => left)).toEqual([703n, 0n])
    expect(ranges()).toEqual([[500, 1_202]])
    expect(parts.at(-1)!.searched).toEqual({ sampled: 1_203n, logged: 1_203n })
  })

  it('resumes where it was, and asks a factory again that did not answer', async () => {
    const first = await search({ venues: [pairVenue] })
    expect(idsOf(first)).toEqual([PAIRS])
    node.mine(createPair(pairAt(2), [TOKENS[0]!, TOKENS[2]!], [E18, E18]))
    const { searched } = first.at(-1)!
    node.asked.length = 0
    expect(idsOf(await search({ venues: [pairVenue], searched }))).toEqual([[pairAt(2)]])
    expect(ranges()).toEqual([[3, 3]])
    const mute = { ...pairVenue, id: 'mute', factory: toHex(0xdead, 20) as Address }
    const [part] = await search({ venues: [mute] })
    expect(part!.setAside).toMatchObject([{ id: mute.factory, code: 'VENUE_UNREADABLE' }])
    expect(part!.searched).toEqual({})
  })

  it('names the venues whose first blocks no node keeps, and begins where one does', async () => {
    for (let i = 0; i < 40; i++) node.mine()
    const rest = { pastState: 'pinned', overrides: 'honoured', callGas: 1n } as const
    learnProfiles(client, [{ ...rest, history: 10n }])
    const [part] = await search({ venues: [logged, pairVenue] })
    expect(part!.setAside).toMatchObject([{ id: FACTORY, code: 'HISTORY_NOT_KEPT' }])
    expect(part!.setAside[0]!.message).toContain('no block before 32')
    expect(ranges()).toEqual([[32, 42]])
  })

  it('of the blocks after one that is known asks for their logs alone, and otherwise for all', async () => {
    node.mine(createPair(pairAt(2), [TOKENS[0]!, TOKENS[2]!], [E18, E18]))
    const to = await readHeader(client, 'latest')
    const { refs } = await discoverAll(client, { venues: [pairVenue], searchedTo: 2n }, to)
    expect(refs.map(({ id }) => id)).toEqual([pairAt(2)])
    const all = await discoverAll(client, { venues: [pairVenue] }, to)
    expect(all.refs).toHaveLength(3)
    const mute = { ...pairVenue, id: 'mute', factory: toHex(0xdead, 20) as Address }
    const found = await discoverAll(client, { venues: [mute] }, to)
    expect(found).toMatchObject({ refs: [], setAside: [{ code: 'VENUE_UNREADABLE' }] })
  })

  it('fails with the error of the node', async () => {
    node.tamper = ({ method }, honest) => {
      if (method === 'eth_getLogs') throw new Refusal(-32603, 'no')
      return honest()
    }
    await expect(search({ venues: [logged] })).rejects.toThrow()
  })
})

it('finds the pools between tokens, and all of a venue that cannot be asked by tokens', async () => {
  node.mine(createPair(pairAt(2), [TOKENS[2]!, TOKENS[3]!], [E18, E18]))
  const mute = { ...pairVenue, id: 'mute', factory: toHex(0xdead, 20) as Address }
  const found = await findPools(client, {
    ...{ venues: [pairVenue, sampledVenue, mute], tokens: [TOKENS[1]!, TOKENS[0]!, TOKENS[3]!] },
  })
  expect(found.pools.map(({ id }) => id)).toEqual([sampledAt(0), PAIRS[0]])
  expect(found.searchedTo).toBe(3n)
  expect(found.setAside).toMatchObject([{ id: mute.factory, code: 'VENUE_UNREADABLE' }])
})

it.each([
  ['more than an address', `0x${'01'.repeat(32)}`],
  ['less than a word', '0x01'],
  ['two words', `0x${'00'.repeat(64)}`],
] as const)('finds no pool between tokens where the factory answers %s', async (_, answer) => {
  node.mine(({ contracts }) => {
    contracts.set(FACTORY, () => answer)
    return []
  })
  const found = await findPools(client, { venues: [pairVenue], tokens: TOKENS })
  expect(found.pools).toEqual([])
  expect(found.setAside).toMatchObject([{ id: FACTORY, code: 'VENUE_UNREADABLE' }])
})

it('asks for each pair of tokens once, however they are written', async () => {
  const upper = TOKENS[0]!.toUpperCase().replace('X', 'x') as Address
  const tokens = [TOKENS[1]!, TOKENS[0]!, upper]
  const found = await findPools(client, { venues: [pairVenue], tokens })
  expect(found.pools).toMatchObject([{ id: PAIRS[0], tokens: [TOKENS[0], TOKENS[1]] }])
})
