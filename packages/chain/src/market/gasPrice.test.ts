// The gas price of a node that may be wrong, and how long it is believed.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Header } from '../reads/headers.js'
import { Refused, type ScriptedNode, startScriptedNode } from '../testing/scriptedNode.js'
import { type Client, createClient } from '../transport/client.js'
import { type GasPrices, gasPriceAt } from './gasPrice.js'

let node: ScriptedNode
let client: Client
/** What the node asks for, and the base fees that it remembers. */
let price: number
let history: readonly number[] | undefined

beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  price = 110
  history = [100, 100, 100, 999]
  node.tamper = ({ method }, honest) => {
    if (method === 'eth_gasPrice') return `0x${price.toString(16)}`
    if (method !== 'eth_feeHistory') return honest()
    if (!history) throw new Refused(-32601, 'no history')
    return { baseFeePerGas: history.map((fee) => `0x${fee.toString(16)}`) }
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  node.stop()
})

const at = (baseFee: bigint | undefined, before?: GasPrices) =>
  gasPriceAt(client, { ...(baseFee !== undefined && { baseFee }) } as Header, before)
const asked = () => node.asked.filter(({ method }) => method === 'eth_gasPrice').length

describe('the price above the base fee', () => {
  it('is read again after a minute, and not before', async () => {
    const nowMs = performance.now()
    let waitedMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs + waitedMs)
    const first = await at(100n)
    expect(first).toMatchObject({ gasPrice: 110n, gasPrices: { tip: 10n } })
    price = 150
    waitedMs = 59_999
    const second = await at(120n, first.gasPrices)
    expect(second).toMatchObject({ gasPrice: 130n, gasPrices: { tip: 10n } })
    expect(asked()).toBe(1)
    waitedMs = 60_000
    const third = await at(120n, second.gasPrices)
    expect(third).toMatchObject({ gasPrice: 150n, gasPrices: { tip: 30n } })
    waitedMs = 119_999
    expect(await at(100n, third.gasPrices)).toMatchObject({ gasPrice: 130n })
    expect(asked()).toBe(2)
  })

  it('is nothing where the node asks for less than the base fee, or has none', async () => {
    expect(await at(120n)).toMatchObject({ gasPrice: 110n, gasPrices: { tip: 0n } })
    const { gasPrices } = await at(undefined)
    expect(gasPrices).toMatchObject({ tip: 0n, baseFees: [100n, 100n, 100n] })
    await at(undefined, gasPrices)
    expect(asked()).toBe(3)
  })
})

describe('base fees', () => {
  it('are those of the last hundred blocks, without the next one’s', async () => {
    const first = await at(105n)
    expect(first.gasPrices.baseFees).toEqual([100n, 100n, 100n, 105n])
    const histories = node.asked.filter(({ method }) => method === 'eth_feeHistory')
    expect(histories.map(({ params }) => params)).toEqual([['0x64', 'latest', []]])
    let { gasPrices } = first
    for (let i = 0; i < 100; i++) gasPrices = (await at(BigInt(200 + i), gasPrices)).gasPrices
    expect(gasPrices.baseFees).toEqual(Array.from({ length: 100 }, (_, i) => BigInt(200 + i)))
  })

  it('refuse a price of more than twenty times their median, and take it in its place', async () => {
    history = [10, 30, 20, 999]
    price = 400
    expect(await at(undefined)).not.toHaveProperty('fault')
    price = 401
    const refused = await at(undefined)
    expect(refused.gasPrice).toBe(20n)
    expect(refused.fault).toMatchObject({
      ...{ code: 'GAS_PRICE_ABSURD', details: { got: '401', median: '20' } },
    })
    expect(refused.fault!.message).toContain('401 wei, more than 20 times')
  })

  it('refuse nothing where there are none', async () => {
    price = 1_000_000
    for (const none of [undefined, [999]]) {
      history = none
      const { gasPrice, fault } = await at(undefined)
      expect([gasPrice, fault]).toEqual([1_000_000n, undefined])
    }
  })
})
