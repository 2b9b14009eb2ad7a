import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey, type RunningApi, startApi } from '@braid-swap/api'
import { hyperEvmGuard, type Venue } from '@braid-swap/chain'
import { createRandom, type Devnet, type Random, startDevnet } from '@braid-swap/devnet'
import { type Ask, createAsk, paths } from './ask.js'
import { addDoubles } from './doubles.js'
import { type Replays, startReplays } from './replays.js'

/**
 * A devnet with manual mining and, unless told otherwise, doubles in addition to its pools, the API that follows it on a
 * port, and a user with a key.
 */
export type World = {
  readonly devnet: Devnet
  /** The venues of the devnet and of the doubles. */
  readonly venues: readonly Venue[]
  readonly api: RunningApi
  readonly ask: Ask
  readonly replays: Replays
  readonly random: Random
  /** Draws the amounts that orders are rescaled to, so that the orders do not depend on them. */
  readonly scales: Random
  /** Resolves with the number of the newest block when the API has it. */
  readonly catchUp: () => Promise<bigint>
  readonly stop: () => Promise<void>
}

const POLL_MS = 10
/** No state is too old and no search too long, so that results do not depend on the wall clock. */
const NEVER_MS = 600_000

/** Starts everything, by default with the doubles; all random choices follow from the seed. */
export async function startWorld(seed: number, { hasDoubles = true } = {}): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'braid-e2e-'))
  const devnet = await startDevnet({ seed })
  const doubles = hasDoubles ? await addDoubles(devnet) : []
  const keysFile = join(folder, 'keys.json')
  const { key } = await createKey(keysFile, { label: 'e2e', rate: 1_000, burst: 10_000 })
  const { router, rpcUrl } = devnet
  const venues = [...devnet.venues, ...doubles]
  const api = await startApi({
    ...{ rpcUrls: [rpcUrl], keysFile, router, venues, port: 0, pollMs: POLL_MS },
    // The checker solves over every token, and its pools' rates and prices move as they like.
    ...{ intermediates: 'all', rateSources: 'all', guard: { ...hyperEvmGuard, maxOffBps: 0 } },
    ...{
      maxStateAgeMs: NEVER_MS,
      checksBlockTime: false,
      nodeTimeoutMs: NEVER_MS,
    },
    maxRequestMs: NEVER_MS,
    logLevel: 'error',
  })
  await api.ready
  const catchUp = async () => {
    const number = await devnet.client.getBlockNumber()
    const seen = () => api.market.current()?.graph.snapshot.block.number
    while (seen() !== number) await sleep(POLL_MS / 2)
    return number
  }
  const save = async (snapshotId: string) => {
    const url = `${api.url}${paths.snapshot}?snapshotId=${snapshotId}`
    return (await fetch(url, { headers: { apikey: key } })).text()
  }
  const replays = await startReplays({ rpcUrl, maxStateAgeMs: NEVER_MS, save })
  const stop = async () => {
    await replays.stop()
    await api.stop()
    await devnet.stop()
    await rm(folder, { recursive: true })
  }
  const ask = createAsk(api.url, key)
  const random = createRandom(seed, 2)
  const scales = createRandom(seed, 3)
  return { devnet, venues, api, ask, replays, random, scales, catchUp, stop }
}
