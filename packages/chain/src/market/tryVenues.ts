// Asks the chain whether venues pay what core says: one swap of each through the executor, simulated at the market's
// block by a payer whose balance is a state override. Shows a wrong fee, formula, callback or decimals, and a proxy
// that changed, whatever the family.

import {
  type Address,
  type Direction,
  encodeProgram,
  encodeRouterCall,
  getAmountOut,
  type Hex,
  type Pool,
  toHex,
} from '@braid-swap/core'
import type { RpcStateOverride } from 'viem'
import type { Venue } from '../pools/venue.js'
import { wordAt } from '../reads/abiWords.js'
import type { CallResult } from '../reads/call.js'
import { type Header, readHeader } from '../reads/headers.js'
import { createReader, multicallOf } from '../reads/multicall.js'
import { findHoldingSlots } from '../reads/stateOverrides.js'
import { type Client, profilesOf } from '../transport/client.js'
import { auditPools } from './auditPools.js'
import type { Market } from './market.js'
import type { PriceGuard } from './priceGuard.js'
import { afterVerdict, isDue, isServed, PROOFS, type Trial, type Verdict } from './venueTrials.js'

/** What trials need beside the market. */
export type TrialTerms = {
  /** Swaps are simulated through it. */
  readonly router: Address
  /**
   * Tokens whose code cannot lie: only pools of these can set a venue aside. Anybody can make another token, and a
   * pool of it that pays less. Absent: all.
   */
  readonly trusted?: ReadonlySet<Address> | undefined
}

/** Output above core's that is no fault of a venue: moving fees fall between blocks, in parts per million. */
const MORE_PPM = 100n
/** The receiver; nobody has code there. */
const NOBODY: Address = '0xb4a1db4a1db4a1db4a1db4a1db4a1db4a1db4a1d'
const FAR_DEADLINE = 2n ** 40n
const UNTRIED: Verdict = {
  kind: 'untried',
  reason: 'no node honours state overrides, so no swap can be simulated: it serves untried',
}

type Question = {
  readonly trial: Trial
  readonly pool: Pool
  readonly direction: Direction
  readonly amountIn: bigint
  readonly quoted: bigint
  /** True if a token of the pool may lie: it can prove a venue that is not served, and accuse none. */
  readonly isWeak: boolean
}

/**
 * Asks some venues with one swap each, in one request beside those for the storage of new tokens. A venue without
 * a pool that can be asked stays as it is. Throws as the node does.
 */
export async function tryVenues(
  client: Client,
  market: Market,
  { venues, header, ...terms }: TrialTerms & { venues: readonly string[]; header: Header },
): Promise<Market> {
  const { trials = [] } = market
  const wanted = new Set(venues)
  const asked = trials.filter(({ venue }) => wanted.has(venue))
  if (asked.length === 0 || market.snapshot.block.hash !== header.hash) {
    return market
  }
  const profiles = profilesOf(client)
  if (profiles.length > 0 && profiles.every(({ overrides }) => overrides !== 'honoured')) {
    const said = asked.map((trial) => afterVerdict(trial, UNTRIED, header.number))
    return replaced(market, new Map(said.map((trial) => [trial.venue, trial])))
  }
  const questions = questionsOf(market, asked, terms)
  const verdicts = await askAll(client, questions, { header, router: terms.router })
  const next = new Map<string, Trial>()
  for (const [i, { trial }] of questions.entries()) {
    const verdict = verdicts[i]
    if (verdict) next.set(trial.venue, afterVerdict(trial, verdict, header.number))
  }
  return replaced(market, next)
}

/**
 * Asks the venues that are due in a round. The pools in doubt are read again before, because a state that is no
 * longer the chain's is no fault of the venue.
 */
export async function tryDue(
  client: Client,
  market: Market,
  of: TrialTerms & {
    readonly venues: readonly Venue[]
    readonly guard?: PriceGuard | undefined
    readonly header: Header
    readonly round: number
    readonly isLimited: boolean
  },
): Promise<Market> {
  const due = market.trials?.filter((trial) => isDue(trial, of.round, of.isLimited)) ?? []
  if (due.length === 0) return market
  const ids = due.flatMap(({ doubted }) => doubted ?? [])
  const read = ids.length > 0 ? (await auditPools(client, market, { ...of, ids })).market : market
  const { block } = read.snapshot
  const header = block.hash === of.header.hash ? of.header : await readHeader(client, block.number)
  return tryVenues(client, read, { ...of, venues: due.map(({ venue }) => venue), header })
}

/**
 * Asks at the market's own block until the venues that agree are in answers, so that a start waits for no further
 * block. Returns the market as it is if its block is no longer on the chain.
 */
export async function tryAtOnce(
  client: Client,
  market: Market,
  terms: TrialTerms,
): Promise<Market> {
  let tried = market
  const { block } = market.snapshot
  const header = await readHeader(client, block.number)
  for (let i = 0; i < PROOFS && header.hash === block.hash; i++) {
    const isFirst = i === 0
    // What was served before is asked once, because a contract may have changed meanwhile.
    const venues = (tried.trials ?? []).flatMap(({ venue, state, isFixed, doubted }) => {
      const isNew = state === 'shadow' && doubted === undefined
      const isAsked = isFirst ? state !== 'quarantined' : isNew
      return isAsked && !isFixed ? [venue] : []
    })
    tried = await tryVenues(client, tried, { ...terms, venues, header })
  }
  return tried
}

function replaced(market: Market, next: ReadonlyMap<string, Trial>): Market {
  if (next.size === 0) return market
  return { ...market, trials: market.trials!.map((trial) => next.get(trial.venue) ?? trial) }
}

function questionsOf(
  { snapshot }: Market,
  trials: readonly Trial[],
  { trusted }: Pick<TrialTerms, 'trusted'>,
): readonly Question[] {
  const byVenue = new Map<string, Pool[]>(trials.map(({ venue }) => [venue, []]))
  for (const pool of snapshot.pools) byVenue.get(pool.venue)?.push(pool)
  const isTrusted = (token: Address) => trusted?.has(token) ?? true
  return trials.flatMap((trial) => {
    const pools = byVenue.get(trial.venue)!
    const sound = pools.filter(({ tokens }) => tokens.every(isTrusted))
    const isWeak = sound.length === 0
    const swaps = swapsOf(isWeak ? pools : sound).filter(
      ({ pool, direction }) => !isWeak || isTrusted(pool.tokens[direction.out]!),
    )
    if (swaps.length === 0 || (isWeak && isServed(trial))) return []
    const { pool, direction } = swaps[trial.turn % swaps.length]!
    const lap = Math.floor(trial.turn / swaps.length)
    const amount = amountOf(pool, direction, lap)
    return amount ? [{ trial, pool, direction, isWeak, ...amount }] : []
  })
}

/** The swaps in the order in which they are asked: each pool once, in changing directions, before any pool twice. */
function swapsOf(pools: readonly Pool[]) {
  const ways = pools.map(({ tokens }) => {
    const sides = [...tokens.keys()]
    return sides.flatMap((i) => sides.flatMap((out) => (out === i ? [] : [{ in: i, out }])))
  })
  const laps = Math.max(0, ...ways.map(({ length }) => length))
  return Array.from({ length: laps }, (_, lap) =>
    pools.flatMap((pool, k) => {
      const all = ways[k]!
      return lap < all.length ? [{ pool, direction: all[(lap + k) % all.length]! }] : []
    }),
  ).flat()
}

/** Powers of ten that are tried as amounts. */
const DIGITS = 30
/** The least output: below it a fee of a hundredth of a per cent does not show. */
const LEAST_OUT = 100_000n

/** The largest round amount at which the price has moved little; a smaller one at later laps. */
function amountOf(pool: Pool, direction: Direction, lap: number) {
  const asked: { readonly amountIn: bigint; readonly quoted: bigint }[] = []
  let best = 0n
  for (let digits = 0; digits < DIGITS; digits++) {
    const amountIn = 10n ** BigInt(digits)
    const quoted = getAmountOut(pool, direction, amountIn)
    const rate = (quoted * 10n ** 30n) / amountIn
    if (rate * 5n < best * 4n) break
    if (rate > best) best = rate
    if (quoted > 0n) asked.push({ amountIn, quoted })
  }
  const exact = asked.filter(({ quoted }) => quoted >= LEAST_OUT)
  const usable = exact.length > 0 ? exact : asked.slice(-1)
  return usable.at(-1 - (lap % Math.min(3, usable.length)))
}

/** The verdict on each question; `undefined` if the node answered from another block. */
async function askAll(
  client: Client,
  questions: readonly Question[],
  { header, router }: { readonly header: Header; readonly router: Address },
): Promise<readonly (Verdict | undefined)[]> {
  const payer = multicallOf(client)
  const totals = new Map<Address, bigint>()
  for (const { pool, direction, amountIn } of questions) {
    const token = pool.tokens[direction.in]!
    totals.set(token, (totals.get(token) ?? 0n) + amountIn)
  }
  const overrides: RpcStateOverride = {}
  for (const [token, total] of totals) {
    const slots = await slotsOf(client, { token, owner: payer, spender: router })
    const value = toHex(total, 32)
    if (slots) overrides[token] = { stateDiff: Object.fromEntries(slots.map((at) => [at, value])) }
  }
  const isPayable = ({ pool, direction }: Question) =>
    Object.hasOwn(overrides, pool.tokens[direction.in]!)
  const payable = questions.filter(isPayable)
  const read = createReader(client, header, overrides)
  const answers = payable.length > 0 ? await read(payable.map((one) => callOf(one, router))) : []
  return questions.map((question) => {
    if (isPayable(question)) return judge(question, answers[payable.indexOf(question)]!, header)
    const token = question.pool.tokens[question.direction.in]!
    return { kind: 'undecided', reason: `the storage of token ${token} is not known` }
  })
}

function callOf({ pool, direction, amountIn }: Question, router: Address) {
  const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
  const program = encodeProgram([{ pool, direction, share: 0 }], { tokenIn, tokenOut })
  const data = encodeRouterCall({
    ...{ tokenIn, amountIn, tokenOut, minAmountOut: 1n, receiver: NOBODY },
    ...{ deadline: FAR_DEADLINE, program },
  })
  // HyperCore's values are there only at the newest block.
  return { to: router, data, ...(pool.sampledAt !== undefined && { isLatest: true as const }) }
}

/** Compares what a swap paid with core's quote at the same block. */
function judge(
  { pool, amountIn, quoted, isWeak }: Question,
  { success, data, seen }: CallResult,
  header: Header,
): Verdict | undefined {
  if (seen && (seen.number !== header.number || seen.parentHash !== header.parentHash)) {
    return undefined
  }
  const what = `pool ${pool.id} at ${amountIn} in`
  if (!success || data.length !== 66) {
    return { kind: 'refused', reason: `${what}: the swap is refused (${data.slice(0, 10)})` }
  }
  const paid = wordAt(data, 0)
  if (paid < quoted) {
    const reason = `${what}: pays ${paid} instead of ${quoted}`
    return isWeak ? { kind: 'refused', reason } : { kind: 'less', reason, pool: pool.id }
  }
  const most = quoted + (quoted * MORE_PPM) / 1_000_000n + 1n
  // A sampled pool is quoted below its rate on purpose.
  if (paid <= most || pool.sampledAt !== undefined) return { kind: 'agrees' }
  return { kind: 'undecided', reason: `${what}: pays ${paid}, more than ${quoted}` }
}

// By client: the slots of the payer in each token. A search takes two requests.
const known = new WeakMap<Client, Map<string, Promise<readonly Hex[] | undefined>>>()

function slotsOf(client: Client, place: Parameters<typeof findHoldingSlots>[1]) {
  const own = known.get(client) ?? new Map<string, Promise<readonly Hex[] | undefined>>()
  known.set(client, own)
  const key = `${place.token} ${place.spender}`
  const before = own.get(key)
  if (before) return before
  const found = findHoldingSlots(client, place)
  own.set(key, found)
  found.catch(() => own.delete(key))
  return found
}
