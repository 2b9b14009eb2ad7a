// Prices of HyperCore's order books, from precompiles that a test writes.
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { readHeader } from '../reads/headers.js'
import { words } from '../testing/loaderAnswers.js'
import { type ScriptedNode, startScriptedNode } from '../testing/scriptedNode.js'
import type { Client } from '../transport/client.js'
import { readPrices } from './orderBooks.js'

const precompileAt = (last: number): Address => toHex(last, 20)
const [PAIRS, TOKENS, PRICES] = [0x80b, 0x80c, 0x80e].map(precompileAt) as [
  Address,
  Address,
  Address,
]
const [hype, btc, usdc] = [0xa, 0xb, 0xc].map((i) => toHex(i, 20)) as [Address, Address, Address]
/** Spot pair 107 and 142, of the tokens 150 and 197. */
const books = [
  { token: hype, asset: 10_107 },
  { token: btc, asset: 10_142 },
]

let node: ScriptedNode
let client: Client
/** Bid and offer by asset, base and quote token by pair, and size decimals by token. */
let prices: Map<number, readonly [number, number]>
let pairs: Map<number, readonly [number, number]>
let sizes: Map<number, number>

beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  prices = new Map([
    [10_107, [39_990_000, 40_010_000]],
    [10_142, [1_000_000_000, 1_000_000_000]],
  ])
  pairs = new Map([
    [107, [150, 0]],
    [142, [197, 0]],
  ])
  sizes = new Map([
    [150, 2],
    [197, 5],
  ])
  node.mine(({ contracts }) => {
    const put = (at: Address, answer: (argument: number) => Hex | undefined) =>
      contracts.set(at, (data) => answer(Number(data)))
    put(PRICES, (asset) => {
      const own = prices.get(asset)
      return own && words(...own)
    })
    put(PAIRS, (pair) => {
      const own = pairs.get(pair)
      return own && words(32, 96, ...own)
    })
    put(TOKENS, (token) => {
      const size = sizes.get(token)
      return size === undefined ? undefined : words(32, 0, 0, 0, 0, 0, size, 0, 0)
    })
    return []
  })
})
afterEach(() => node.stop())

const read = async () =>
  readPrices(client, { books, units: [usdc] }, await readHeader(client, 'latest'))
const pricesOf = async () => Object.fromEntries((await read()) ?? [])
const HYPE = { bid: 39.99, offer: 40.01 }
const BTC = { bid: 1_000_000, offer: 1_000_000 }
const USDC = { bid: 1, offer: 1 }

it('are of a whole token in units, by the decimals of its sizes, which are read once', async () => {
  expect(await pricesOf()).toEqual({ [usdc]: USDC, [hype]: HYPE, [btc]: BTC })
  const calls = () => node.asked.filter(({ method }) => method === 'eth_call').length
  expect(calls()).toBe(3)
  prices.set(10_107, [20_000_000, 20_000_000])
  expect((await pricesOf())[hype]).toEqual({ bid: 20, offer: 20 })
  expect(calls()).toBe(4)
})

it.each([
  ['does not answer', () => prices.delete(10_107)],
  ['has no bid', () => prices.set(10_107, [0, 40_010_000])],
  ['has no offer', () => prices.set(10_107, [39_990_000, 0])],
  ['has a bid above its offer', () => prices.set(10_107, [40_010_001, 40_010_000])],
  ['is of an unknown pair', () => pairs.delete(107)],
  ['is not quoted in USDC', () => pairs.set(107, [150, 1])],
  ['is of an unknown token', () => sizes.delete(150)],
])('have none of a book that %s', async (_, change) => {
  change()
  expect(await pricesOf()).toEqual({ [usdc]: USDC, [hype]: undefined, [btc]: BTC })
})

it('are unknown where no book answers', async () => {
  prices.clear()
  expect(await read()).toBeUndefined()
  node.undo(1)
  node.mine()
  expect(await read()).toBeUndefined()
})
