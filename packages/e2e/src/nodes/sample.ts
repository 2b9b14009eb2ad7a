// One look at a running API as a user and a load balancer see it: is it ready, how old is its market,
// and does the node itself pay what an answer promises.
import { type Address, NATIVE } from '@braid-swap/core'
import type { Random } from '@braid-swap/devnet'
import { blockAt, hex, Refusal, upstreamAt } from '@braid-swap/worlds/node'
import type { NodesWorld } from './nodesWorld.js'

/** What `/readyz` says. */
export type Readiness = {
  readonly isReady: boolean
  readonly code: string | null
  readonly message: string | null
  readonly blockNumber: string | null
  readonly stateAgeMs: number | null
}

/** An answer of `/swap`, run on the node at the block that it was made of. */
export type CheckedSwap =
  | { readonly refusal: string }
  | {
      readonly block: bigint
      readonly isWrong: boolean
      /** How much more the calldata pays than the answer says; absent if it reverts. */
      readonly errorBp?: number
    }

/** One look at the API. */
export type Sample = Readiness & {
  /** How long ago the chain had the block of its market; absent without a market. */
  readonly ageMs?: number
  readonly swap?: CheckedSwap
}

/** An API to look at, and the chain that it follows. */
export type Sampled = {
  readonly world: Pick<NodesWorld, 'devnet' | 'apiKey' | 'delayMsOf'>
  readonly url: string
  /** The tokens that are bought. */
  readonly tokens: readonly Address[]
  readonly random: Random
}

type SwapAsked = Omit<Sampled, 'world'> & { readonly world: Pick<NodesWorld, 'devnet' | 'apiKey'> }

/** Tenths of a HYPE. */
const MAX_TENTHS = 300
const TENTH = 10n ** 17n
/** Enough for a swap to run on a market that differs a lot from the answer's. */
const SLIPPAGE = '50'

/** Asks an API once. */
export async function takeSample(sampled: Sampled): Promise<Sample> {
  const readiness = await readinessOf(sampled)
  const { stateAgeMs, blockNumber, isReady } = readiness
  const delayMs = blockNumber === null ? 0 : sampled.world.delayMsOf(BigInt(blockNumber))
  return {
    ...readiness,
    ...(stateAgeMs !== null && { ageMs: Math.max(0, stateAgeMs - delayMs) }),
    ...(isReady && { swap: await checkSwap(sampled) }),
  }
}

/** A busy machine may be late to see that the other side ended an idle connection. */
const OWN_CONNECTION = { connection: 'close' }

async function readinessOf({ url }: Sampled): Promise<Readiness> {
  const response = await fetch(`${url}/readyz`, { headers: OWN_CONNECTION })
  return { isReady: response.ok, ...((await response.json()) as Omit<Readiness, 'isReady'>) }
}

type SwapBody = {
  readonly code?: string
  readonly dstAmount: string
  readonly tx: { readonly to: string; readonly data: string; readonly value: string }
}

/** Asks for a swap of some HYPE into a random token, and runs it. */
export async function checkSwap({ world, url, tokens, random }: SwapAsked): Promise<CheckedSwap> {
  const { devnet, apiKey } = world
  const query = new URLSearchParams({
    ...{ src: NATIVE, dst: random.pick(tokens) },
    amount: `${TENTH * BigInt(1 + Math.floor(random.next() * MAX_TENTHS))}`,
    slippage: SLIPPAGE,
  })
  const response = await fetch(`${url}/swap/v1/${devnet.chainId}/swap?${query}`, {
    headers: { ...OWN_CONNECTION, apikey: apiKey },
  })
  const body = (await response.json()) as SwapBody
  if (!response.ok) return { refusal: body.code ?? `${response.status}` }
  const block = BigInt(response.headers.get('x-block-number')!)
  const paid = await paidBy(world, body, block)
  const promised = BigInt(body.dstAmount)
  if (paid === undefined) return { block, isWrong: true }
  const errorBp = Number(((paid - promised) * 1_000_000n) / promised) / 100
  return { block, isWrong: paid !== promised, errorBp }
}

/** What the calldata pays on the node in the block after, which is what it was built for; undefined if it reverts. */
async function paidBy(
  { devnet }: SwapAsked['world'],
  { tx }: SwapBody,
  block: bigint,
): Promise<bigint | undefined> {
  const call = {
    from: devnet.wallet.address,
    to: tx.to,
    data: tx.data,
    value: hex(BigInt(tx.value)),
  }
  const ask = upstreamAt(devnet.rpcUrl)
  const { timestamp } = (await blockAt(ask, Number(block)))!
  // Moving fees are quoted for the time of the next block.
  const seconds = BigInt(devnet.record.blocks[0]!.everyMs / 1_000)
  const next = { time: hex(BigInt(timestamp as string) + seconds) }
  try {
    const answer = await ask('eth_call', [call, hex(block), {}, next])
    return BigInt((answer as string).slice(0, 66))
  } catch (error) {
    if (error instanceof Refusal && /revert/i.test(error.message)) return undefined
    throw error
  }
}
