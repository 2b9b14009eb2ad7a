// Checks the assumptions about a chain and its venues against a node, for `braid doctor`: the venue
// data is from public registries, and only the chain can confirm it.

import type { Address, Snapshot } from '@braid-swap/core'
import { findPools } from '../market/findPools.js'
import { loadSnapshot } from '../market/loadMarket.js'
import type { SetAside } from '../market/market.js'
import type { Finding } from '../pools/check.js'
import { examinePool } from '../pools/index.js'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import { readHeader } from '../reads/headers.js'
import { multicallOf } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'

/** Gas limit of a small block, as Hyperliquid documents it. */
const SMALL_BLOCK_GAS = 3_000_000n

/** If the newest block is older, the node lags or the chain has halted. */
const MAX_HEAD_AGE_SECONDS = 60

/**
 * Checks the assumptions about the chain itself. `nowMs`: unix milliseconds on this process's
 * clock.
 */
export async function examineChain(
  client: Client,
  { wrappedNative, nowMs }: { readonly wrappedNative: Address; readonly nowMs: number },
): Promise<readonly Finding[]> {
  const chainId = Number(await client.request({ method: 'eth_chainId' }))
  const head = await readHeader(client, 'latest')
  const parent = head.number > 0n ? await readHeader(client, head.number - 1n) : head
  const gasLimit = head.gasLimit < parent.gasLimit ? head.gasLimit : parent.gasLimit
  const age = Math.round(nowMs / 1000) - Number(head.timestamp)
  const finding = (check: string, found: string, assumed: string, holds: boolean): Finding => ({
    ...{ subject: 'chain', check, found, assumed, holds },
  })
  const { id } = client.chain
  return [
    finding('chain id', `${chainId}`, `${id}`, chainId === id),
    finding(
      'age of the newest block',
      `${age} s`,
      `at most ${MAX_HEAD_AGE_SECONDS} s`,
      age <= MAX_HEAD_AGE_SECONDS,
    ),
    finding(
      'gas limit of a small block',
      `${gasLimit}`,
      `at least ${SMALL_BLOCK_GAS}`,
      gasLimit >= SMALL_BLOCK_GAS,
    ),
    await codeFinding(client, multicallOf(client), { subject: 'chain', check: 'Multicall3' }),
    await codeFinding(client, wrappedNative, { subject: 'chain', check: 'wrapped native token' }),
  ]
}

/** Pools of a venue that are read and checked, of those found. */
const SAMPLE = 3

/** The findings about a venue, and a snapshot of a few of its pools if any was found. */
export type Examined = {
  readonly findings: readonly Finding[]
  readonly snapshot?: Snapshot
}

/**
 * Checks the assumptions about a venue: its factory is one of its family, and its pools between
 * these tokens can be read and behave as their family does.
 */
export async function examineVenue(
  client: Client,
  venue: Venue,
  {
    tokens,
    wrappedNative,
  }: { readonly tokens: readonly Address[]; readonly wrappedNative: Address },
): Promise<Examined> {
  const subject = venue.id
  const factory = await codeFinding(client, venue.factory, { subject, check: 'factory' })
  if (!factory.holds) return { findings: [factory] }
  const { pools, setAside } = await findPools(client, { venues: [venue], tokens })
  const answers: Finding = {
    ...{ subject, check: 'factory answers as a', assumed: venue.family },
    found: setAside.length === 0 ? venue.family : 'something else',
    holds: setAside.length === 0,
  }
  const among = `among ${tokens.length} tokens`
  const count: Finding = {
    ...{ subject, check: `pools ${among}`, found: `${pools.length}`, assumed: 'some' },
    ...(setAside.length === 0 && pools.length > 0 && { holds: true }),
  }
  const sample = pools.slice(0, SAMPLE)
  if (sample.length === 0) return { findings: [factory, answers, count] }
  const market = await loadSnapshot(client, { pools: sample, wrappedNative })
  const asked = await Promise.all(sample.map((ref) => examinePool(client, ref)))
  const reads = readFinding(subject, sample, market.setAside)
  return {
    findings: [factory, answers, count, reads, ...merge(asked)],
    snapshot: market.snapshot,
  }
}

/** Reasons that say nothing about the venue: the pool is empty, or a token is broken. */
const isPlain = (code: string) =>
  ['POOL_NOT_INITIALISED', 'POOL_EMPTY'].includes(code) || code.startsWith('TOKEN_')

function readFinding(
  subject: string,
  sample: readonly PoolRef[],
  setAside: readonly SetAside[],
): Finding {
  const reasons = setAside.map(({ code, message }) =>
    isPlain(code) ? code : `${code}: ${message}`,
  )
  const read = `${sample.length - setAside.length} of ${sample.length}`
  return {
    ...{ subject, check: 'pools read', assumed: 'all' },
    found: [read, ...new Set(reasons)].join('; '),
    holds: setAside.every(({ code }) => isPlain(code)),
  }
}

/** Removes duplicate findings, so that a check on which all pools agree is one row. */
function merge(lists: readonly (readonly Finding[])[]): readonly Finding[] {
  const distinct = new Map(lists.flat().map((finding) => [JSON.stringify(finding), finding]))
  return [...distinct.values()].sort((a, b) => (a.check < b.check ? -1 : 1))
}

async function codeFinding(
  client: Client,
  address: Address,
  { subject, check }: Pick<Finding, 'subject' | 'check'>,
): Promise<Finding> {
  const code = (await client.getCode({ address })) ?? '0x'
  const bytes = (code.length - 2) / 2
  return {
    ...{ subject, check: `${check} ${address}`, assumed: 'a contract' },
    found: bytes === 0 ? 'no code' : `${bytes} bytes of code`,
    holds: bytes > 0,
  }
}
