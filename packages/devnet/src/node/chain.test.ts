import { numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from './chain.js'
import { BASE_FEE, BIG_BLOCK_GAS, type Call } from './transactions.js'

let chain: Chain

beforeAll(async () => {
  chain = await startChain()
})

afterAll(() => chain.stop())

test('the base fee follows the gas of small blocks, has a floor, and stays there in big ones', async () => {
  const baseFee = async () => (await chain.client.getBlock()).baseFeePerGas!
  const fill = async (gas: bigint) => {
    for (let block = 0; block < 3; block++) await chain.execute([burn(gas, 'stop')])
    await chain.mine()
    return baseFee()
  }
  expect(await fill(BIG_BLOCK_GAS - 10_000n)).toBe(BASE_FEE)
  const gasLimit = 3_000_000n
  await chain.client.setBlockGasLimit({ gasLimit })
  const top = await fill(gasLimit - 10_000n)
  expect(Number(top) / Number(BASE_FEE)).toBeCloseTo(1.125 ** 3, 1)
  expect(await chain.client.getGasPrice()).toBe((top * 7n + 7n) / 8n)
  await chain.mine(5)
  expect(await baseFee()).toBe(BASE_FEE)
  expect(await chain.client.getGasPrice()).toBe(BASE_FEE)
  await chain.client.setBlockGasLimit({ gasLimit: BIG_BLOCK_GAS })
  await chain.mine()
})

test('a place in a full block goes to the higher offer, where the chain says so', async () => {
  const auction = await startChain({ order: 'fees' })
  try {
    const [, first, second] = auction.accounts.map(({ address }) => address)
    const [cheap, dear] = await Promise.all(
      [
        { from: first!, tip: 1n },
        { from: second!, tip: 2n },
      ].map(({ from, tip }) =>
        auction.client.request({
          method: 'eth_sendTransaction',
          params: [
            {
              ...{ from, to: from, gas: numberToHex(21_000n) },
              maxFeePerGas: numberToHex(BASE_FEE * 2n + tip),
              maxPriorityFeePerGas: numberToHex(tip),
            },
          ],
        }),
      ),
    )
    await auction.mine()
    expect((await auction.client.getBlock()).transactions).toEqual([dear, cheap])
  } finally {
    await auction.stop()
  }
})

test('transactions that exceed one block are mined in order over several', async () => {
  const before = await chain.client.getBlockNumber()
  const calls = Array.from({ length: 7 }, (_, i) => ({
    ...burn(i % 2 === 0 ? 12_000_000n : 100_000n, 'stop'),
    label: `${i}`,
  }))
  const receipts = await chain.execute(calls)
  const positions = receipts.map(
    (receipt) => Number(receipt.blockNumber - before) * 1000 + receipt.transactionIndex,
  )
  expect(positions).toEqual([...positions].sort((a, b) => a - b))
  expect(await chain.client.getBlockNumber()).toBe(before + 2n)
})

test('a failed transaction throws an error with its label', async () => {
  await expect(
    chain.execute([{ ...burn(100_000n, 'fail'), label: 'doomed' }]),
  ).rejects.toMatchObject({
    code: 'TRANSACTION_REVERTED',
    details: { label: 'doomed', gas: '100000' },
  })
})

test('a transaction that the node drops throws an error with its label', async () => {
  // The limit is smaller from the next block on, which the packing cannot know.
  await chain.client.setBlockGasLimit({ gasLimit: 10_000_000n })
  const doomed = { ...burn(100_000n, 'stop'), label: 'doomed' }
  await expect(
    chain.execute([burn(9_000_000n, 'stop'), burn(9_000_000n, 'stop'), doomed]),
  ).rejects.toMatchObject({ code: 'TRANSACTION_STUCK', details: { pending: 1, first: 'doomed' } })
  await chain.client.setBlockGasLimit({ gasLimit: BIG_BLOCK_GAS })
  await chain.mine()
})

/** Creation code that spends most of its gas on hashing, then stops or fails. */
function burn(gas: bigint, end: 'stop' | 'fail'): Call {
  return {
    label: 'burn',
    from: chain.accounts[7]!.address,
    data: end === 'stop' ? LOOP : '0xfe',
    gas,
  }
}

// JUMPDEST; loop while gas > 30,000; STOP.
const LOOP = '0x5b5a6175301060005700'
