import { afterEach, expect, test } from 'vitest'
import { type Devnet, type DevnetOptions, startDevnet } from '../devnet.js'

let devnet: Devnet | undefined

afterEach(() => devnet?.stop())

const fast = { mining: 'interval', blockTimeMs: 20 } as const satisfies DevnetOptions

test('interval mining makes blocks at the time of the wall clock', async () => {
  devnet = await startDevnet(fast)
  const start = await devnet.client.getBlockNumber()
  const block = await blockAt(devnet, start + 5n)
  expect(block.transactions).toEqual([])
  const now = BigInt(Math.floor(Date.now() / 1000))
  // Blocks under a second apart may run ahead by at most a second each.
  expect(block.timestamp).toBeGreaterThan(now - 60n)
  expect(block.timestamp).toBeLessThanOrEqual(now + 60n)
})

test('the trader trades in every block until it is stopped', async () => {
  devnet = await startDevnet(fast)
  devnet.startTrader({ swapsPerBlock: 3 })
  const first = await devnet.client.getBlockNumber()
  // The block that is being mined now may have started earlier.
  for (let number = first + 2n; number < first + 6n; number++) {
    const { transactions } = await blockAt(devnet, number)
    // Three swaps of the trader, then those of the arbitrageur.
    expect(transactions.length).toBeGreaterThanOrEqual(3)
    for (const hash of transactions) {
      const { status } = await devnet.client.getTransactionReceipt({ hash })
      expect(status).toBe('success')
    }
  }
  devnet.stopTrader()
  const stopped = await devnet.client.getBlockNumber()
  expect((await blockAt(devnet, stopped + 3n)).transactions).toEqual([])
})

test('an exit of the node is reported once, and stop still works', async () => {
  const errors: unknown[] = []
  const reported = new Promise<unknown>((resolve) => {
    const onError = (error: unknown) => {
      errors.push(error)
      if (isCoded(error, 'CHAIN_DIED')) resolve(error)
    }
    void startDevnet({ ...fast, onError }).then((started) => {
      devnet = started
      process.kill(started.pid, 'SIGKILL')
    })
  })
  await reported
  await devnet?.stop()
  expect(errors.filter((error) => isCoded(error, 'CHAIN_DIED'))).toHaveLength(1)
})

function isCoded(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function blockAt({ client }: Devnet, blockNumber: bigint) {
  // Ends with the test's own timeout if the block never comes.
  while ((await client.getBlockNumber()) < blockNumber);
  return client.getBlock({ blockNumber })
}
