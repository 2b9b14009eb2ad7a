import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import { type ChainRecord, hyperEvm, type Venue } from '@braid-swap/chain'
import { createRandom, type Devnet, type Random, startDevnet } from '@braid-swap/devnet'
import { type Ask, createAsk } from './ask.js'
import { addDoubles } from './doubles.js'

/**
 * A devnet with manual mining and doubles in addition to its pools, the API that follows it on a port, and a user with a
 * key.
 */
export type World = {
  readonly devnet: Devnet
  /** The venues of the devnet and of the doubles. */
  readonly venues: readonly Venue[]
  readonly api: DevnetApi
  readonly ask: Ask
  readonly random: Random
  /** Draws the amounts that orders are rescaled to, so that the orders do not depend on them. */
  readonly scales: Random
  /** Resolves when the API has the newest block. */
  readonly catchUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** No state is too old and no search too long, so that results do not depend on the wall clock. */
const NEVER_MS = 600_000

/** Starts everything on a devnet of a chain; all random choices follow from the seed. */
export async function startWorld(seed: number, record: ChainRecord = hyperEvm): Promise<World> {
  const devnet = await startDevnet({ seed, record })
  const venues = [...devnet.venues, ...(await addDoubles(devnet))]
  const api = await startDevnetApi({
    ...{ devnet, chain: record, venues, pollMs: 10, logLevel: 'error' },
    ...{ usdTokens: record.usdTokens, wrappedNative: record.wrapped.address },
    // The checker solves over every token, and its pools' rates and prices move as they like.
    ...{ intermediates: 'all', rateSources: 'all', guard: { ...record.guard, maxOffBps: 0 } },
    ...{ maxStateAgeMs: NEVER_MS, nodeTimeoutMs: NEVER_MS, maxRequestMs: NEVER_MS },
  })
  const { url, apikey, catchUp } = api
  const stop = async () => {
    await api.stop()
    await devnet.stop()
  }
  const [random, scales] = [createRandom(seed, 2), createRandom(seed, 3)]
  return {
    ...{ devnet, venues, api, ask: createAsk(url, apikey, record.id), random, scales },
    catchUp,
    stop,
  }
}
