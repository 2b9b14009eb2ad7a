// Asks the chain whether venues pay what core says: swaps of each through the executor, simulated at the market's block
// by a payer whose balance is a state override, or without a payer (`askDirectly.ts`). Shows a wrong fee, formula,
// callback or decimals, and a proxy that changed, whatever the family.

import {
  type Address,
  encodeProgram,
  encodeRouterCall,
  type Hex,
  type Pool,
  toHex,
} from '@braid-swap/core'
import type { RpcStateOverride } from 'viem'
import { auditPools } from '../market/auditPools.js'
import type { Market } from '../market/market.js'
import type { Venue } from '../pools/venue.js'
import { wordAt } from '../reads/abiWords.js'
import type { CallResult } from '../reads/call.js'
import { type Header, readHeader } from '../reads/headers.js'
import { createReader, multicallOf } from '../reads/multicall.js'
import { findHoldingSlots } from '../reads/stateOverrides.js'
import { type Client, hasRateLimit, profilesOf } from '../transport/client.js'
import { type Answer, askDirectly } from './askDirectly.js'
import type { PriceGuard } from './priceGuard.js'
import { type Question, questionsOf } from './trialQuestions.js'
import { afterVerdict, isDue, isServed, PROOFS, type Trial, type Verdict } from './venueTrials.js'

/** The contracts through which swaps are simulated; the executor knows the families of all pools. */
type CalledContracts = { readonly router: Address; readonly executor: Address }

/** What trials need beside the market. */
export type TrialTerms = CalledContracts & {
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

/**
 * Asks some venues with one swap each, or with all swaps of pools that are named, in one request beside those for the
 * storage of new tokens. A venue without a pool that can be asked says so. Throws as the node does.
 */
export async function tryVenues(
  client: Client,
  market: Market,
  {
    venues,
    turns = 1,
    ...terms
  }: TrialTerms & {
    readonly venues: readonly string[]
    readonly header: Header
    /** Questions to each venue, as if asked in so many rounds. */
    readonly turns?: number
    readonly named?: ReadonlySet<Hex>
  },
): Promise<Market> {
  const { trials = [] } = market
  const wanted = new Set(venues)
  const asked = trials.filter(({ venue }) => wanted.has(venue))
  if (asked.length === 0 || market.snapshot.block.hash !== terms.header.hash) {
    return market
  }
  const { named = new Set() } = terms
  const questions = Array.from({ length: turns }, (_, i) => {
    const later = asked.map((trial) => ({ ...trial, turn: trial.turn + i }))
    return questionsOf(market, later, { ...terms, named })
  })
  const verdicts = await askAll(client, questions.flat(), { market, ...terms })
  const next = new Map(
    asked.map((trial) => {
      const byTurn = questions.map((all) => all.filter((one) => one.trial.venue === trial.venue))
      const told = byTurn.map((own) => own.flatMap((one) => verdicts.get(one) ?? []))
      const isAsked = byTurn.some((own) => own.length > 0)
      const after = isAsked ? afterTurns(trial, told, terms.header.number) : unasked(trial)
      return [trial.venue, after] as const
    }),
  )
  return { ...market, trials: trials.map((trial) => next.get(trial.venue) ?? trial) }
}

/** The trial of a venue that no pool can prove: what is known against it stays, or else this is why it waits. */
function unasked(trial: Trial): Trial {
  return isServed(trial) ? trial : { reason: 'no pool with liquidity to try yet', ...trial }
}

/** Kinds of verdicts; of several in one turn, the first of these counts. */
const GRAVITY: readonly Verdict['kind'][] = ['less', 'refused', 'undecided', 'agrees']

/** The trial after the verdicts of each turn; those after one that does not agree were not the next to be asked. */
function afterTurns(trial: Trial, turns: readonly (readonly Verdict[])[], block: bigint): Trial {
  let next = trial
  for (const all of turns) {
    const worst = GRAVITY.flatMap((kind) => all.find((one) => one.kind === kind) ?? [])[0]
    if (worst) next = afterVerdict(next, worst, block)
    if (worst?.kind !== 'agrees') break
  }
  return next
}

/**
 * Asks the venues that are due in a round, and those of pools for whose change there is a sign. The pools in doubt are
 * read again before, because a state that is no longer the chain's is no fault of the venue.
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
    /** Pools that a log, or a swap that failed, names. */
    readonly signs: ReadonlySet<Hex>
  },
): Promise<Market> {
  const signed = market.snapshot.pools.filter(({ id }) => of.signs.has(id))
  const signedVenues = new Set(signed.map(({ venue }) => venue))
  const isAsked = (trial: Trial) =>
    isDue(trial, of.round, of.isLimited) || (!trial.isFixed && signedVenues.has(trial.venue))
  const due = market.trials?.filter(isAsked) ?? []
  if (due.length === 0) return market
  const ids = due.flatMap(({ doubted }) => doubted ?? [])
  const read = ids.length > 0 ? (await auditPools(client, market, { ...of, ids })).market : market
  const { block } = read.snapshot
  const header = block.hash === of.header.hash ? of.header : await readHeader(client, block.number)
  const venues = due.map(({ venue }) => venue)
  return tryVenues(client, read, { ...of, venues, named: of.signs, header })
}

/**
 * Asks at the market's own block until the venues that agree are in answers, so that a start waits for no further
 * block. What was served before is asked once, because a contract may have changed meanwhile; with a rate limit in the
 * rounds that follow. Returns the market as it is if its block is no longer on the chain.
 */
export async function tryAtOnce(
  client: Client,
  market: Market,
  terms: TrialTerms,
): Promise<Market> {
  const { trials = [], snapshot } = market
  const free = trials.filter(({ state, isFixed }) => state !== 'quarantined' && !isFixed)
  const named = (all: readonly Trial[]) => all.map(({ venue }) => venue)
  const isLimited = hasRateLimit(client)
  const served = isLimited ? [] : named(free.filter(isServed))
  const fresh = named(free.filter((trial) => !isServed(trial)))
  if (served.length + fresh.length === 0) return market
  const header = await readHeader(client, snapshot.block.number)
  const asked = await tryVenues(client, market, { ...terms, header, venues: served })
  return tryVenues(client, asked, { ...terms, header, venues: fresh, turns: PROOFS })
}

/** The verdicts on questions; none where the node's answer from another block says nothing. */
async function askAll(
  client: Client,
  questions: readonly Question[],
  {
    market,
    header,
    ...contracts
  }: CalledContracts & { readonly market: Market; readonly header: Header },
): Promise<ReadonlyMap<Question, Verdict | undefined>> {
  const profiles = profilesOf(client)
  const isPaid = profiles.length === 0 || profiles.some(({ overrides }) => overrides === 'honoured')
  const overrides = isPaid ? await overridesFor(client, questions, contracts.router) : {}
  const isPayable = ({ pool, direction }: Question) =>
    Object.hasOwn(overrides, pool.tokens[direction.in]!)
  const payable = questions.filter(isPayable)
  const others = questions.filter((question) => !isPayable(question))
  const read = createReader(client, header, overrides)
  const place = {
    ...{ header, refs: new Map(market.pools.map((ref) => [ref.id, ref])) },
    lenders: lendersOf(market),
  }
  const [results, answers] = await Promise.all([
    readApart(payable, (some) => read(some.map((one) => callOf(one, contracts)))),
    others.length > 0 ? askDirectly(client, others, place) : [],
  ])
  return new Map([
    ...payable.map((one) => [one, judge(one, answerOf(results.get(one)!), header)] as const),
    ...others.map((one, i) => [one, judgeDirect(one, answers[i], header)] as const),
  ])
}

function judgeDirect(
  question: Question,
  answer: Answer | undefined,
  header: Header,
): Verdict | undefined {
  if (answer) return judge(question, answer, header)
  return { kind: 'undecided', reason: `pool ${question.pool.id} cannot be asked on this node` }
}

/** Reads the swaps of a pool in requests of their own, because within one, the second finds what the first left. */
async function readApart(
  questions: readonly Question[],
  read: (some: readonly Question[]) => Promise<readonly CallResult[]>,
): Promise<ReadonlyMap<Question, CallResult>> {
  const seen = new Map<Pool, number>()
  const turns = questions.map(({ pool }) => {
    const turn = seen.get(pool) ?? 0
    seen.set(pool, turn + 1)
    return turn
  })
  const results = new Map<Question, CallResult>()
  for (let turn = 0; turns.includes(turn); turn++) {
    const some = questions.filter((_, i) => turns[i] === turn)
    const answers = await read(some)
    for (const [i, question] of some.entries()) results.set(question, answers[i]!)
  }
  return results
}

/** Pools that may lend, those of venues in answers first: no other is chosen while one of these has the token. */
function lendersOf({ snapshot, trials = [] }: Market): readonly Pool[] {
  const isOut = new Set(trials.filter((trial) => !isServed(trial)).map(({ venue }) => venue))
  const served = snapshot.pools.filter(({ venue }) => !isOut.has(venue))
  return served.length > 1 ? served : snapshot.pools
}

/** State overrides by which the payer holds what the swaps take, of tokens whose storage is known. */
async function overridesFor(client: Client, questions: readonly Question[], router: Address) {
  const totals = new Map<Address, bigint>()
  for (const { pool, direction, amountIn } of questions) {
    const token = pool.tokens[direction.in]!
    totals.set(token, (totals.get(token) ?? 0n) + amountIn)
  }
  const overrides: RpcStateOverride = {}
  for (const [token, total] of totals) {
    const owner = multicallOf(client)
    const slots = await slotsOf(client, { token, owner, spender: router })
    const value = toHex(total, 32)
    if (slots) overrides[token] = { stateDiff: Object.fromEntries(slots.map((at) => [at, value])) }
  }
  return overrides
}

function answerOf({ success, data, seen }: CallResult): Answer {
  const paid = success && data.length === 66 ? wordAt(data, 0) : undefined
  return { paid, seen: seen ? [seen] : [] }
}

function callOf({ pool, direction, amountIn }: Question, { router, executor }: CalledContracts) {
  const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
  const program = encodeProgram([{ pool, direction, share: 0 }], { tokenIn, tokenOut })
  const data = encodeRouterCall({
    ...{ tokenIn, amountIn, tokenOut, minAmountOut: 1n, receiver: NOBODY },
    ...{ deadline: FAR_DEADLINE, executor, program },
  })
  // HyperCore's values are there only at the newest block.
  return { to: router, data, ...(pool.sampledAt !== undefined && { isLatest: true as const }) }
}

/**
 * Compares what a swap paid with core's quote. Some nodes answer from their newest block only: an answer from another
 * block than the quote's proves the venue if it is the same, and says nothing if it differs.
 */
function judge(
  { pool, amountIn, quoted, isWeak }: Question,
  { paid, seen }: Answer,
  { number, parentHash }: Header,
): Verdict | undefined {
  const what = `pool ${pool.id} at ${amountIn} in`
  const most = quoted + (quoted * MORE_PPM) / 1_000_000n + 1n
  // A sampled pool is quoted below its rate on purpose.
  const isSame = paid !== undefined && (paid <= most || pool.sampledAt !== undefined)
  if (isSame && paid >= quoted) return { kind: 'agrees' }
  if (seen.some((one) => one.number !== number || one.parentHash !== parentHash)) return undefined
  if (paid === undefined) return { kind: 'refused', reason: `${what}: the swap is refused` }
  if (paid > quoted) {
    return { kind: 'undecided', reason: `${what}: pays ${paid}, more than ${quoted}` }
  }
  const reason = `${what}: pays ${paid} instead of ${quoted}`
  return isWeak ? { kind: 'refused', reason } : { kind: 'less', reason, pool: pool.id }
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
