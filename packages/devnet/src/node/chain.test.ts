import { SINGLETON_FACTORY } from '@braid-swap/contracts'
import { NATIVE } from '@braid-swap/core'
import { encodeFunctionData, getCreate2Address, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { erc20Abi, wrappedNativeAbi } from '../abis.js'
import { createToken, createTokens } from '../market/tokens.js'
import { type Chain, startChain } from './chain.js'
import { BASE_FEE, BIG_BLOCK_GAS, type Call } from './transactions.js'

let chain: Chain

beforeAll(async () => {
  chain = await startChain()
})

afterAll(() => chain.stop())

test('it is chain 999, with blocks of 30M gas one second apart', async () => {
  expect(await chain.client.getChainId()).toBe(999)
  const before = await chain.client.getBlock()
  await chain.mine(3)
  const after = await chain.client.getBlock()
  expect(after.number - before.number).toBe(3n)
  expect(after.timestamp - before.timestamp).toBe(3n)
  expect(after.gasLimit).toBe(BIG_BLOCK_GAS)
})

test('the accounts are the well-known development accounts, with their keys', () => {
  expect(chain.accounts).toHaveLength(10)
  expect(chain.accounts[2]?.address).toBe('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')
  for (const { address, privateKey } of chain.accounts) {
    expect(privateKeyToAccount(privateKey).address.toLowerCase()).toBe(address)
  }
})

test('WHYPE has its name and wraps and unwraps', async () => {
  const owner = chain.accounts[5]!.address
  const whype = { address: chain.wrappedNative, abi: erc20Abi } as const
  const read = await chain.client.multicall({
    allowFailure: false,
    contracts: [
      { ...whype, functionName: 'name' },
      { ...whype, functionName: 'symbol' },
      { ...whype, functionName: 'decimals' },
    ],
  })
  expect(read).toEqual(['Wrapped HYPE', 'WHYPE', 18])
  const call = { from: owner, to: chain.wrappedNative, gas: 100_000n }
  const deposit = encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' })
  await chain.execute([{ ...call, label: 'wrap', data: deposit, value: 5n }])
  expect(await balanceOf(chain.wrappedNative, owner)).toBe(5n)
  const withdraw = encodeFunctionData({
    abi: wrappedNativeAbi,
    functionName: 'withdraw',
    args: [2n],
  })
  await chain.execute([{ ...call, label: 'unwrap', data: withdraw }])
  expect(await balanceOf(chain.wrappedNative, owner)).toBe(3n)
  expect(await chain.client.getBalance({ address: chain.wrappedNative })).toBe(3n)
})

test('the singleton factory creates at the CREATE2 address', async () => {
  // Creation code that returns one zero byte of runtime code.
  const initCode = '60015ff3'
  const { data } = await chain.client.call({
    to: SINGLETON_FACTORY,
    data: `0x${'00'.repeat(32)}${initCode}`,
  })
  // keccak256(0xff ++ factory ++ salt ++ keccak256(initCode)), last 20 bytes: EIP-1014.
  const expected = getCreate2Address({
    from: SINGLETON_FACTORY,
    salt: `0x${'00'.repeat(32)}`,
    bytecode: `0x${initCode}`,
  })
  expect(data).toBe(expected.toLowerCase())
})

test('a token has the requested address, name, symbol and decimals', async () => {
  const address = '0x1234567890123456789012345678901234567890'
  const [stated, derived] = await createTokens(chain, [
    { symbol: 'AAA', name: 'Token A', decimals: 6, address },
    { symbol: 'A-very-long-symbol-of-more-than-31-bytes', name: 'B', decimals: 24 },
  ])
  expect(stated?.address).toBe(address)
  const token = { address: derived!.address, abi: erc20Abi } as const
  expect(await chain.client.readContract({ ...token, functionName: 'decimals' })).toBe(24)
  expect(await chain.client.readContract({ ...token, functionName: 'symbol' })).toBe(
    derived?.symbol,
  )
})

test('fund adds any token, WHYPE and HYPE', async () => {
  const to = chain.accounts[6]!.address
  const { address } = await createToken(chain, { symbol: 'F', name: 'Funded', decimals: 8 })
  const native = await chain.client.getBalance({ address: to })
  for (const token of [address, chain.wrappedNative, NATIVE]) {
    await chain.fund(to, token, 10n)
    await chain.fund(to, token, 7n)
  }
  expect(await balanceOf(address, to)).toBe(17n)
  expect(await balanceOf(chain.wrappedNative, to)).toBe(17n)
  expect((await chain.client.getBalance({ address: to })) - native).toBe(17n)
})

test('fund rejects an address without code', async () => {
  const nothing = '0x00000000000000000000000000000000000000aa'
  await expect(chain.fund(chain.deployer, nothing, 1n)).rejects.toMatchObject({
    code: 'UNKNOWN_NAME',
    details: { kind: 'token', got: nothing },
  })
})

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

function balanceOf(address: `0x${string}`, owner: `0x${string}`): Promise<bigint> {
  return chain.client.readContract({
    address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  })
}
