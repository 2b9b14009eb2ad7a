import type { Hex } from '@braid-swap/core'
import fc from 'fast-check'
import {
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeFunctionResult,
  multicall3Abi,
  RpcRequestError,
} from 'viem'
import { expect, it } from 'vitest'
import { viemChainOf } from '../chains/chainRecord.js'
import { hyperEvm as record } from '../chains/hyperevm.js'
import type { Client } from '../transport/client.js'

const hyperEvm = viemChainOf(record)

import { callData, wordAt } from './abiWords.js'
import { createReader, hasBurned } from './multicall.js'

const TOKEN = `0x${'70'.repeat(20)}` as const

/** A node that answers each call with its argument and refuses batches above its limit. */
function limitedNode(limit: () => number) {
  const sizes: number[] = []
  const refused: number[] = []
  const request = async ({ params }: { readonly params: readonly [{ readonly data: Hex }] }) => {
    const { data } = params[0]
    const { args } = decodeFunctionData({ abi: multicall3Abi, data })
    const calls = args![0] as readonly { readonly target: Hex; readonly callData: Hex }[]
    const size = calls.filter(({ target }) => target === TOKEN).length
    sizes.push(size)
    if (size > limit()) {
      refused.push(size)
      const error = { code: -32_008, message: 'Response is too big' }
      throw new RpcRequestError({ body: {}, error, url: 'http://127.0.0.1' })
    }
    const result = calls.map(({ target, callData: asked }) => ({
      success: true,
      returnData:
        target === TOKEN ? (`0x${asked.slice(10)}` as const) : (`0x${'01'.repeat(32)}` as const),
    }))
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
  }
  const client: Client = createPublicClient({
    chain: hyperEvm,
    transport: custom({ request } as never, { retryCount: 0 }),
  })
  return { client, sizes, refused }
}

const callsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ to: TOKEN, data: callData('0x12345678', i) }))

async function readAll(client: Client, count: number) {
  const answers = await createReader(client, 'latest')(callsOf(count))
  expect(answers.map(({ data }) => Number(wordAt(data, 0)))).toEqual(
    callsOf(count).map((_, i) => i),
  )
}

it('keeps the order of answers at any batch limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 400 }),
      fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 3 }),
      async (limit, counts) => {
        const { client } = limitedNode(() => limit)
        for (const count of counts) await readAll(client, count)
      },
    ),
    { numRuns: 15, endOnFailure: true },
  )
})

it('shares the learned batch size between readers', async () => {
  const { client, refused } = limitedNode(() => 300)
  await readAll(client, 1_000)
  expect(refused.length).toBeGreaterThan(0)
  refused.length = 0
  // Four full batches of 250: too few to try a larger one.
  for (let i = 0; i < 3; i++) await readAll(client, 1_000)
  expect(refused).toEqual([])
})

it('grows again when the limit of the node grows', async () => {
  let limit = 40
  const { client, sizes } = limitedNode(() => limit)
  await readAll(client, 2_000)
  expect(sizes.at(-1)).toBeLessThanOrEqual(40)
  limit = 5_000
  for (let i = 0; i < 4; i++) await readAll(client, 3_000)
  expect(sizes.at(-1)).toBe(1_000)
})

it('sends no more calldata at once than public nodes take', async () => {
  const { client, sizes } = limitedNode(() => 1_000)
  const long = (bytes: number) => ({ to: TOKEN, data: `0x${'12'.repeat(bytes)}` as const })
  const read = createReader(client, 'latest')
  // Each call takes 192 bytes more.
  const [half, most] = [128 * 1024 - 192, 256 * 1024 - 192]
  await read([long(half), long(half), long(half)])
  expect(sizes.splice(0)).toEqual([2, 1])
  await read([long(half), long(half + 1), long(4)])
  expect(sizes.splice(0)).toEqual([1, 2])
  // A longer one goes alone.
  await read([long(most), long(4), long(most + 1), long(4)])
  expect(sizes.splice(0)).toEqual([1, 1, 1, 1])
})

it('is an error on a chain without Multicall3', async () => {
  const { contracts: _, ...chain } = hyperEvm
  const transport = custom({ request: async () => '0x' })
  const client = createPublicClient({ chain, transport }) as unknown as Client
  const read = createReader(client, 'latest')
  await expect(read(callsOf(1))).rejects.toMatchObject({ code: 'NO_MULTICALL' })
})

it('keeps no more than a thousand of the calls that burned all gas, the newest', async () => {
  const answer = encodeFunctionResult({
    ...{ abi: multicall3Abi, functionName: 'aggregate3' },
    result: [0, 1, 2, 3, 4].map((i) => ({
      ...{ success: i !== 3, returnData: i === 3 ? '0x' : (`0x${'01'.repeat(32)}` as const) },
    })),
  })
  const transport = custom({ request: async () => answer } as never, { retryCount: 0 })
  const client: Client = createPublicClient({ chain: hyperEvm, transport })
  const calls = callsOf(1_001)
  for (const call of calls) await createReader(client, 'latest')([call])
  expect(calls.filter((call) => hasBurned(client, call))).toEqual(calls.slice(1))
})
