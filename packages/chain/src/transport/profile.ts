// The abilities of one endpoint, found by a few requests. Nodes of a chain differ in what they keep, in
// what they ignore without an error, and in what they refuse.

import type { Hex } from '@braid-swap/core'
import { numberToHex } from 'viem'
import { isPassing, rpcErrorOf } from './rpcErrors.js'

/** What an endpoint does with requests that nodes treat differently. */
export type EndpointProfile = {
  /** A call at an earlier block: answered from it, from the newest one without an error, or refused. */
  readonly pastState: 'pinned' | 'latest' | 'refused'
  /** State overrides of `eth_call`. */
  readonly overrides: 'honoured' | 'ignored' | 'refused'
  /** The most gas that a call has; the request is refused or clamped above it. */
  readonly callGas: bigint
  /** Blocks that one `eth_getLogs` may span, as its refusal says; absent: more than the probe asked. */
  readonly logRange?: number
  /** Blocks known to be kept; absent: the first one is served. */
  readonly history?: bigint
}

/** Sends one request to the endpoint. */
export type AskEndpoint = (method: string, params: readonly unknown[]) => Promise<unknown>

/** The gas of a batch of calls where the endpoint allows it. */
export const MAX_CALL_GAS = 30_000_000n
/** Gas tried in turn after a refusal. */
const LESS_GAS = [10_000_000n, 5_000_000n, 3_000_000n, 2_000_000n]
/** Blocks of the range of logs that is tried. */
const LOG_RANGE = 10_000n
/** Depths at which blocks are looked for if the first one is not served. */
const DEPTHS = [1_000_000n, 100_000n, 10_000n, 1_000n, 100n]
/** Distance of the earlier block that a call is pinned to. */
const PAST = 100n

/** Returns the block's number, whatever the caller. */
const BLOCK_NUMBER: Hex = '0x435f5260205ff3'
/** Returns the gas left at its start. */
const GAS_LEFT: Hex = '0x5a5f5260205ff3'
/** Code that returns 1, for an account without code. */
const ONE: Hex = '0x60015f5260205ff3'
const NOBODY = '0x00000000000000000000000000000000000b4a1e'

/**
 * Probes an endpoint with six requests; more only where it refuses. Throws what the endpoint
 * throws if it does not answer at all.
 */
export async function probeEndpoint(
  ask: AskEndpoint,
  { isRangeKnown }: { readonly isRangeKnown: boolean },
): Promise<EndpointProfile> {
  const head = BigInt((await ask('eth_blockNumber', [])) as Hex)
  const [pastState, overrides, callGas, logRange, history] = await Promise.all([
    pastStateOf(ask, head),
    overridesOf(ask),
    callGasOf(ask),
    isRangeKnown ? undefined : logRangeOf(ask, head),
    historyOf(ask, head),
  ])
  return {
    ...{ pastState, overrides, callGas },
    ...(logRange !== undefined && { logRange }),
    ...(history !== undefined && { history }),
  }
}

/** The answer, or the refusal in its place; anything else is thrown. */
async function tried(request: Promise<unknown>): Promise<unknown> {
  try {
    return await request
  } catch (error) {
    if (!rpcErrorOf(error) || isPassing(error)) throw error
    return error
  }
}

async function pastStateOf(ask: AskEndpoint, head: bigint): Promise<EndpointProfile['pastState']> {
  const past = head > PAST ? head - PAST : 0n
  const answer = await tried(ask('eth_call', [{ data: BLOCK_NUMBER }, numberToHex(past)]))
  if (answer instanceof Error) return 'refused'
  return BigInt(answer as Hex) === past ? 'pinned' : 'latest'
}

async function overridesOf(ask: AskEndpoint): Promise<EndpointProfile['overrides']> {
  const answer = await tried(
    ask('eth_call', [{ to: NOBODY, data: '0x' }, 'latest', { [NOBODY]: { code: ONE } }]),
  )
  if (answer instanceof Error) return 'refused'
  return answer === '0x' ? 'ignored' : 'honoured'
}

async function callGasOf(ask: AskEndpoint): Promise<bigint> {
  for (const gas of [MAX_CALL_GAS, ...LESS_GAS]) {
    const call = { data: GAS_LEFT, gas: numberToHex(gas) }
    const answer = await tried(ask('eth_call', [call, 'latest']))
    if (answer instanceof Error) continue
    const left = BigInt(answer as Hex)
    // Creation and calldata use a little; much less means that the node lowered the gas.
    return left > (gas * 9n) / 10n ? gas : left
  }
  return LESS_GAS.at(-1)!
}

/** Nobody logs at this address, so that the answer is small whatever the range. */
async function logRangeOf(ask: AskEndpoint, head: bigint): Promise<number | undefined> {
  const fromBlock = head > LOG_RANGE ? head - LOG_RANGE : 0n
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(head) }
  const answer = await tried(ask('eth_getLogs', [{ address: NOBODY, ...range }]))
  if (!(answer instanceof Error)) return undefined
  const [, limit] = /range\D*(\d+)/i.exec(rpcErrorOf(answer)!.details) ?? []
  return limit === undefined ? undefined : Number(limit)
}

async function historyOf(ask: AskEndpoint, head: bigint): Promise<bigint | undefined> {
  const isServed = async (number: bigint) => {
    const block = await tried(ask('eth_getBlockByNumber', [numberToHex(number), false]))
    return block !== null && !(block instanceof Error)
  }
  if (await isServed(head > 0n ? 1n : 0n)) return undefined
  let missing = head
  for (const depth of DEPTHS) {
    if (depth >= head) continue
    if (await isServed(head - depth)) return deepest(depth, missing, (at) => isServed(head - at))
    missing = depth
  }
  return 0n
}

/** The deepest block served between one that is and one that is not, to a tenth. */
async function deepest(
  served: bigint,
  missing: bigint,
  isServed: (depth: bigint) => Promise<boolean>,
): Promise<bigint> {
  if (served === DEPTHS[0] || missing - served <= served / 10n) return served
  const middle = (served + missing) / 2n
  return (await isServed(middle))
    ? deepest(middle, missing, isServed)
    : deepest(served, middle, isServed)
}
