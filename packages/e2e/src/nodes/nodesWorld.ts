// A devnet with a block a second and its trader, and what the API needs to follow it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '@braid-swap/api'
import { type Devnet, startDevnet } from '@braid-swap/devnet'

/** The chain that all rows share. */
export type NodesWorld = {
  readonly devnet: Devnet
  /** A folder for the states that processes save. */
  readonly folder: string
  readonly apiKey: string
  /** The environment of the API, without its node and its venues. */
  readonly environment: Readonly<Record<string, string>>
  /** Milliseconds from the timestamp of a block until the chain had it. */
  readonly delayMsOf: (block: bigint) => number
  readonly stop: () => Promise<void>
}

const BLOCK_MS = 1_000
const SWAPS_PER_BLOCK = 2
/** Blocks after the creation of the last pool, more than some nodes keep. */
const QUIET_BLOCKS = 400
/** A request has a limit of time. */
const MINED_AT_ONCE = 50
/** Blocks with trades before the first row: after the jump of the clock each pool's first trade is a special one. */
const TRADED_BLOCKS = 200
/** Answers are run at their own block, a few seconds after it. */
const KEPT_STATES = 256
/** Of a sampler, four samples a second with two requests each. */
const LIMITS = { rate: 1_000, burst: 1_000 }

/** Starts the chain; pools beyond those of the market, up to so many, have no trades. */
export async function openNodesWorld(pools = 0): Promise<NodesWorld> {
  const devnet = await startDevnet({ keptStates: KEPT_STATES, pools })
  const folder = await mkdtemp(join(tmpdir(), 'braid-nodes-'))
  const keysFile = join(folder, 'keys.json')
  const { key } = await createKey(keysFile, { label: 'nodes', ...LIMITS })
  // Only a node that keeps few blocks makes these matter, and no such node has many pools here.
  const quietBlocks = pools === 0 ? QUIET_BLOCKS : 0
  for (let i = 0; i < quietBlocks; i += MINED_AT_ONCE) {
    await devnet.client.mine({ blocks: MINED_AT_ONCE })
  }
  const mining = await mineByTheClock(devnet)
  return {
    ...{ devnet, folder, apiKey: key },
    environment: {
      ...{ BRAID_ROUTER: devnet.router, BRAID_KEYS_FILE: keysFile },
    },
    delayMsOf: mining.delayMsOf,
    stop: async () => {
      await mining.stop()
      await devnet.stop()
      await rm(folder, { recursive: true })
    },
  }
}

async function tradeBlock(devnet: Devnet): Promise<void> {
  await devnet.trade(SWAPS_PER_BLOCK)
  await devnet.arbitrage()
  await devnet.mine()
}

/** Trades and mines a block a second from now on, with timestamps of the machine's clock. */
async function mineByTheClock(devnet: Devnet): Promise<{
  readonly delayMsOf: NodesWorld['delayMsOf']
  readonly stop: () => Promise<void>
}> {
  const now = () => BigInt(Math.floor(Date.now() / 1_000))
  await devnet.client.setNextBlockTimestamp({ timestamp: now() - BigInt(TRADED_BLOCKS) })
  for (let i = 0; i < TRADED_BLOCKS; i++) await tradeBlock(devnet)
  await devnet.client.removeBlockTimestampInterval()
  await devnet.client.setNextBlockTimestamp({ timestamp: now() })
  const stopping = new AbortController()
  const { signal } = stopping
  const delaysMs = new Map<bigint, number>()
  const run = async () => {
    for (let nextMs = performance.now(); !signal.aborted; ) {
      await tradeBlock(devnet)
      const { number, timestamp } = await devnet.client.getBlock()
      delaysMs.set(number, Date.now() - Number(timestamp) * 1_000)
      nextMs = Math.max(nextMs + BLOCK_MS, performance.now())
      // Only the signal makes this sleep fail.
      await sleep(nextMs - performance.now(), undefined, { signal }).catch(() => {})
    }
  }
  const ended = run()
  return {
    // A block may be served before the chain's own clock is read.
    delayMsOf: (block) => delaysMs.get(block) ?? 0,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
