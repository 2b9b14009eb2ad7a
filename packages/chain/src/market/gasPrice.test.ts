// Which base fees of a node are believed, what the next block costs, and when a place in it costs more.
import { Refusal } from '@braid-swap/worlds/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../chains/createClient.js'
import type { Header } from '../reads/headers.js'
import { type ScriptedNode, startScriptedNode } from '../testing/scriptedNode.js'
import type { Client } from '../transport/client.js'
import { type GasPrices, gasPricesAfter, gasPricesOf } from './gasPrice.js'

const SMALL = 3_000_000n
const GWEI = 1_000_000_000n

let node: ScriptedNode
let client: Client
/** The tips of the newest blocks that the node remembers. */
let tips: readonly bigint[] | undefined

beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  tips = []
  node.tamper = ({ method }, honest) => {
    if (method !== 'eth_feeHistory') return honest()
    if (!tips) throw new Refusal(-32601, 'no history')
    return { reward: tips.map((tip) => [`0x${tip.toString(16)}`]) }
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  node.stop()
})

type Told = Partial<Pick<Header, 'number' | 'baseFee' | 'gasUsed' | 'gasLimit'>>

const after = (told: Told, before?: GasPrices) => {
  const header = { number: 1n, gasUsed: SMALL / 2n, gasLimit: SMALL, ...told } as Header
  return gasPricesAfter(client, header, { ...(before && { before }), smallGasLimit: SMALL })
}
const histories = () => node.asked.filter(({ method }) => method === 'eth_feeHistory')

/** The prices after each of `count` blocks that follow EIP-1559, all full or all empty. */
async function follow(start: GasPrices, count: number, gasUsed: bigint) {
  const seen: GasPrices[] = [start]
  for (let i = 0; i < count; i++) {
    const before = seen.at(-1)!
    seen.push(
      await after({ number: before.number + 1n, baseFee: before.predicted, gasUsed }, before),
    )
  }
  return seen
}

describe('the base fee of the next block', () => {
  it('is believed through 57 full blocks, from 0.1 to 82 gwei', async () => {
    const start = await after({ baseFee: GWEI / 10n, gasUsed: SMALL })
    const seen = await follow(start, 57, SMALL)
    for (const prices of seen) expect(prices).not.toHaveProperty('fault')
    expect(seen.at(-1)!.baseFee).toBeGreaterThan(82n * GWEI)
    expect(seen.at(-1)!.next).toBe((seen.at(-1)!.baseFee * 9n) / 8n)
  })

  it('is believed down to 7 wei in empty blocks, and up again from there', async () => {
    const seen = await follow(await after({ baseFee: 1000n, gasUsed: 0n }), 100, 0n)
    for (const prices of seen) expect(prices).not.toHaveProperty('fault')
    expect(seen.at(-1)!.next).toBe(7n)
    const up = await follow(seen.at(-1)!, 20, SMALL)
    for (const prices of up) expect(prices).not.toHaveProperty('fault')
  })

  it.each([
    ['a full block', SMALL, 1125n],
    ['a block at its target', SMALL / 2n, 1000n],
    ['an empty block', 0n, 875n],
    ['a block that is three quarters full', (SMALL * 3n) / 4n, 1062n],
  ])('follows from %s', async (_, gasUsed, next) => {
    const before = await after({ baseFee: 1000n })
    expect((await after({ number: 2n, baseFee: 1000n, gasUsed }, before)).next).toBe(next)
  })

  it('is not predicted below a floor that the chain keeps', async () => {
    let prices = await after({ baseFee: 1000n, gasUsed: 0n })
    for (let number = 2n; number < 5n; number++) {
      prices = await after({ number, baseFee: 1000n, gasUsed: 0n }, prices)
      expect(prices.next).toBe(1000n)
    }
  })

  it('is that of the block itself where the node does not tell the gas used', async () => {
    const header = { number: 1n, baseFee: 1000n, gasLimit: SMALL } as Header
    expect(await gasPricesAfter(client, header, { smallGasLimit: SMALL })).toMatchObject({
      ...{ next: 1000n, fullness: [] },
    })
  })

  it('is the node’s gas price on a chain without base fees', async () => {
    const header = { number: 1n, gasLimit: SMALL } as Header
    const { next } = await gasPricesAfter(client, header, { smallGasLimit: SMALL })
    expect(next).toBe(107n)
  })

  it('is not that of a big block', async () => {
    const before = await after({ baseFee: 1000n })
    const big = { number: 2n, baseFee: 50_000n, gasLimit: 30_000_000n }
    expect(await after(big, before)).toBe(before)
  })
})

describe('a base fee that cannot follow', () => {
  it.each([
    ['above', 1427n],
    ['below', 668n],
  ])('is refused %s what three steps of an eighth allow', async (_, baseFee) => {
    const before = await after({ baseFee: 1000n })
    const { fault, ...prices } = await after({ number: 2n, baseFee }, before)
    expect(prices).toEqual(before)
    expect(fault).toMatchObject({ code: 'GAS_PRICE_ABSURD', details: { got: `${baseFee}` } })
    expect(fault!.message).toContain('669 to 1426 wei')
  })

  it('is believed at the bounds', async () => {
    const before = await after({ baseFee: 1000n })
    for (const baseFee of [669n, 1426n]) {
      expect(await after({ number: 2n, baseFee }, before)).toMatchObject({ baseFee })
    }
  })

  it('ends with the first header that follows from the last believed one', async () => {
    const before = await after({ baseFee: 1000n })
    const refused = await after({ number: 2n, baseFee: 100_000n }, before)
    expect(refused).toHaveProperty('fault')
    const next = await after({ number: 3n, baseFee: 1125n }, refused)
    expect(next).toMatchObject({ baseFee: 1125n })
    expect(next).not.toHaveProperty('fault')
  })

  it('is believed after a minute of blocks, as after a change of the chain’s rules', async () => {
    const before = await after({ baseFee: 1000n })
    const refused = await after({ number: 59n, baseFee: 10n ** 15n }, before)
    expect(refused).toHaveProperty('fault')
    expect(await after({ number: 60n, baseFee: 10n ** 15n }, refused)).toMatchObject({
      baseFee: 10n ** 15n,
    })
  })
})

describe('the tip', () => {
  const full = (number: bigint, before?: GasPrices) =>
    after({ number, baseFee: 1000n, gasUsed: SMALL }, before)

  it('is nothing while blocks have room, and then nobody is asked', async () => {
    tips = [500n]
    const before = await after({ baseFee: 1000n, gasUsed: (SMALL * 8n) / 10n })
    expect(await after({ number: 2n, baseFee: 1000n }, before)).toMatchObject({ tip: 0n })
    expect(histories()).toEqual([])
  })

  it('is the median of what a percentile of recent full blocks paid', async () => {
    tips = [100n, 900n, 300n]
    expect(await full(1n)).toMatchObject({ tip: 300n })
    expect(histories().map(({ params }) => params)).toEqual([['0xa', 'latest', [60]]])
  })

  it('is cut at twenty times the base fee', async () => {
    tips = [10n ** 18n]
    const { tip, next } = await full(1n)
    expect(tip).toBe(20n * next)
  })

  it('is read again after ten seconds, and not before', async () => {
    const nowMs = performance.now()
    let waitedMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs + waitedMs)
    tips = [100n]
    const first = await full(1n)
    tips = [200n]
    waitedMs = 9_999
    const second = await full(2n, first)
    expect(second.tip).toBe(100n)
    waitedMs = 10_000
    expect((await full(3n, second)).tip).toBe(200n)
  })

  it('is nothing where the node keeps no history, and the last one if it fails later', async () => {
    tips = undefined
    expect(await full(1n)).toMatchObject({ tip: 0n })
    tips = [100n]
    const first = await full(1n)
    tips = undefined
    expect(await full(2n, { ...first, tipReadAtMs: Number.NEGATIVE_INFINITY })).toMatchObject({
      tip: 100n,
    })
  })
})

it('takes a snapshot’s block for the start', async () => {
  const block = { number: 7n, gasPrice: 110n, priorityFee: 10n }
  const before = gasPricesOf(block as Parameters<typeof gasPricesOf>[0])
  expect(before).toMatchObject({ number: 7n, baseFee: 100n, next: 100n, tip: 10n })
  expect(await after({ number: 8n, baseFee: 112n }, before)).not.toHaveProperty('fault')
})
