// Is a swap mined within six blocks, and at the network's price, while others fill every block and pay for places?
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import { createBraid } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { createRandom, type Devnet, startDevnet } from '@braid-swap/devnet'
import { numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'

const SWAPS = 12
/** More than a block of 3M gas has room for. */
const OFFERS = 30
const OFFER_GAS = 140_000n
const SENDERS = 300
/** Tips are up to this, in wei for each gas. */
const MOST_TIP = 4e8
/** Code that runs until its gas is used. */
const ENDLESS = '0x5b5f56'
/** The blocks that `maxFeePerGas` has room for. */
const MOST_BLOCKS = 6n

let devnet: Devnet
let api: DevnetApi
let sent = 0
/** Many, because those of one sender wait for each other. */
const senders = Array.from({ length: SENDERS }, (_, i) => toHex(0x5e4d_0000 + i, 20))
const random = createRandom(1)

beforeAll(async () => {
  devnet = await startDevnet({ order: 'fees' })
  for (const address of senders) await devnet.client.setBalance({ address, value: 10n ** 24n })
  const venues = devnet.venues.filter(({ id }) => id === 'devnet-v2a')
  api = await startDevnetApi({ devnet, venues, pollMs: 20 })
})
afterAll(async () => {
  await api?.stop()
  await devnet?.stop()
})

/** Mines a block in which there is no room for all who pay, and waits until it is served. */
async function mineFull(): Promise<void> {
  const { client } = devnet
  const price = await client.getGasPrice()
  for (let i = 0; i < OFFERS; i++) {
    const from = senders[sent++ % SENDERS]!
    const tip = BigInt(Math.floor(random.next() * MOST_TIP))
    const fees = { maxFeePerGas: 2n * price + tip, maxPriorityFeePerGas: tip }
    const [gas, most, own] = [OFFER_GAS, ...Object.values(fees)].map((wei) => numberToHex(wei!))
    const tx = { from, data: ENDLESS, gas, maxFeePerGas: most, maxPriorityFeePerGas: own }
    await client.request({ method: 'eth_sendTransaction', params: [tx] } as never)
  }
  await devnet.mine()
  await api.catchUp()
}

it(`mines ${SWAPS} swaps sent by meta.fees, and each pays the base fee and its tip`, async () => {
  const { client, wallet, tokens } = devnet
  const braid = createBraid({ url: api.url, apiKey: api.apikey })
  const account = privateKeyToAccount(wallet.privateKey)
  const dst = tokens.find(({ symbol }) => symbol === 'USDC')!.address
  const order = { src: NATIVE, dst, amount: 10n ** 17n } as const
  const hasTip = async () => {
    await mineFull()
    return (await braid.quote({ ...order, includeMeta: true })).meta.priorityFee !== undefined
  }
  await expect.poll(hasTip, { timeout: 60_000 }).toBe(true)
  const tips: bigint[] = []
  for (let i = 0; i < SWAPS; i++) {
    const from = wallet.address
    const { tx, meta } = await braid.swap({ ...order, from, slippage: 50, includeMeta: true })
    const { to, data, value, gas } = tx
    const nonce = await client.getTransactionCount({ address: from })
    const serializedTransaction = await account.signTransaction({
      ...{ type: 'eip1559', chainId: 999, nonce, to, data, value, gas, ...meta.fees! },
    })
    const sentAt = await client.getBlockNumber()
    const hash = await client.sendRawTransaction({ serializedTransaction })
    const receiptNow = () => client.getTransactionReceipt({ hash }).catch(() => undefined)
    let receipt = await receiptNow()
    for (let block = 0n; block < MOST_BLOCKS && !receipt; block++) {
      await mineFull()
      receipt = await receiptNow()
    }
    expect(receipt?.status).toBe('success')
    const { blockNumber, effectiveGasPrice } = receipt!
    expect(blockNumber - sentAt).toBeLessThanOrEqual(MOST_BLOCKS)
    const { baseFeePerGas } = await client.getBlock({ blockNumber })
    const tip = meta.fees!.maxPriorityFeePerGas
    expect(effectiveGasPrice).toBe(baseFeePerGas! + tip)
    tips.push(tip)
  }
  // While blocks are full, a place costs something.
  expect(tips.filter((tip) => tip === 0n)).toEqual([])
  const { baseFeePerGas } = await client.getBlock()
  expect(baseFeePerGas).toBeGreaterThan(10n ** 8n * 4n)
})
