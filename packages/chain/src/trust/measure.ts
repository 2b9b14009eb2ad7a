// The one way in which anything is measured: a swap of one pool through the executor, simulated at a block and held
// against core's quote. Shows a wrong fee, formula, callback or decimals, and a proxy that changed, of any family.
//
// Nobody may tell a measurement from a swap of a caller, or bend one: sender, payer and receiver are random addresses,
// gas has its price, what the payer holds is a state override, and a token that may lie has a request to itself, in
// which it can speak of nothing but its own pool.

import {
  type Address,
  encodeProgram,
  encodeRouterCall,
  type Hex,
  type Pool,
} from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { RpcStateOverride } from 'viem'
import type { PoolRef } from '../pools/loader.js'
import { wordAt } from '../reads/abiWords.js'
import type { Call, CallResult } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import { createReader } from '../reads/multicall.js'
import { payingTerms, randomAddress } from '../reads/payingCalls.js'
import { findLayouts, type Layout } from '../reads/stateOverrides.js'
import { type Client, mayOverride } from '../transport/client.js'
import { memoryOf } from '../transport/memory.js'
import { type Answer, type AskedSwap, askDirectly } from './askDirectly.js'
import { proxyOfMulticall, resultsOf, together, wordOrNone } from './nestedCalls.js'

/** What is asked: a swap of one pool, and what core says that it pays. */
export type Question = AskedSwap

/** What a measurement found. Only `less` and `refused` speak against a pool, and against nothing else. */
export type Finding =
  | { readonly kind: 'agrees' }
  | { readonly kind: 'less' | 'refused' | 'outOfGas' | 'undecided'; readonly reason: string }

/** True for what speaks against the pool that was asked. */
export const isAgainst = ({ kind }: Finding): boolean => kind === 'less' || kind === 'refused'

/** The contracts through which swaps are simulated; the executor knows the families of all pools. */
export type CalledContracts = { readonly router: Address; readonly executor: Address }

/** What measurements need beside the questions. */
export type Terms = CalledContracts & {
  /** Tokens whose code cannot lie. Anybody can make another one, and a pool of it. Absent: all. */
  readonly trusted?: ReadonlySet<Address> | undefined
}

type Place = Terms & {
  readonly header: Header
  /** Pools that may be read again, and those that may lend, where nobody can pay. */
  readonly pools: readonly PoolRef[]
  readonly lenders: readonly Pool[]
}

/** Output above core's that is no fault: moving fees fall between blocks, in parts per million. */
const MORE_PPM = 100n
const FAR_DEADLINE = 2n ** 40n
/** Returns the gas that is left. */
const METER: Hex = '0x5a5f5260205ff3'
/** A swap that fails after it used all but this part of the gas is taken to lack gas: a few calls keep a 64th each. */
const UNUSED = 4n

/**
 * The findings of questions at a block; `undefined` where an answer from another block says nothing. Questions of
 * which no payer can pay are asked of the pools themselves. Throws as the node does.
 */
export async function measure<Q extends Question>(
  client: Client,
  questions: readonly Q[],
  place: Place,
): Promise<ReadonlyMap<Q, Finding | undefined>> {
  const { header } = place
  const isPaid = mayOverride(client)
  const runs = await Promise.all(questions.map((one) => (isPaid ? runOf(client, one, place) : one)))
  const payable = runs.filter((run): run is Run<Q> => 'call' in run)
  const others = questions.filter((one) => !payable.some(({ question }) => question === one))
  const refs = new Map(place.pools.map((ref) => [ref.id, ref]))
  const [answers, direct] = await Promise.all([
    runAll(client, payable, place),
    others.length > 0 ? askDirectly(client, others, { ...place, refs }) : [],
  ])
  return new Map([
    ...payable.map(({ question }) => [question, judge(question, answers.get(question)!, header)]),
    ...others.map((question, i) => {
      const reason = `pool ${question.pool.id} cannot be asked on this node`
      const answer = direct[i]
      return [question, answer ? judge(question, answer, header) : { kind: 'undecided', reason }]
    }),
  ] as [Q, Finding | undefined][])
}

/** A question as a call, and the state overrides by which somebody can pay it. */
type Run<Q> = {
  readonly question: Q
  readonly call: Call
  readonly token: Address
  readonly stateDiff: Readonly<Record<Hex, Hex>>
  readonly code: RpcStateOverride
}

/** The run of a question; the question itself if the storage of its token is not known. */
async function runOf<Q extends Question>(
  client: Client,
  question: Q,
  { router, executor }: CalledContracts,
): Promise<Run<Q> | Q> {
  const { pool, direction, amountIn } = question
  const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
  const layouts = await layoutsOf(client, tokenIn, router)
  if (!layouts) return question
  const [payer, receiver, meter] = [randomAddress(), randomAddress(), randomAddress()]
  const data = encodeRouterCall({
    ...{ tokenIn, amountIn, tokenOut, minAmountOut: 1n, receiver, deadline: FAR_DEADLINE },
    ...{
      executor,
      program: encodeProgram([{ pool, direction, share: 0 }], { tokenIn, tokenOut }),
    },
  })
  const gasLeft: Call = { to: meter, data: '0x' }
  const slots = layouts.map((layout, i) => layout([payer, router].slice(0, i + 1)))
  const value = toHex(amountIn, 32)
  return {
    question,
    call: {
      ...{ to: payer, data: together([gasLeft, { to: router, data }, gasLeft]), mayFail: true },
      // HyperCore's values are there only at the newest block.
      ...(pool.sampledAt !== undefined && { isLatest: true as const }),
    },
    token: tokenIn,
    stateDiff: Object.fromEntries(slots.map((slot) => [slot, value])),
    code: { [payer]: { code: proxyOfMulticall(client) }, [meter]: { code: METER } },
  }
}

type Metered = Answer & {
  /** True if it failed and the gas was used up. */
  readonly isStarved: boolean
}

/**
 * Runs in few requests. The runs of one pool are in requests of their own, because within one, the second finds what
 * the first left; so is each run with a token that may lie, and each that lacks gas beside others.
 */
async function runAll<Q extends Question>(
  client: Client,
  runs: readonly Run<Q>[],
  { header, trusted }: Place,
): Promise<ReadonlyMap<Q, Metered>> {
  const answers = new Map<Q, Metered>()
  const ask = async (some: readonly Run<Q>[]) => {
    const read = createReader(client, header, payingTerms(client, header, overridesOf(some)))
    const results = await read(some.map(({ call }) => call))
    for (const [i, { question }] of some.entries()) answers.set(question, metered(results[i]!))
  }
  const isStrange = ({ question }: Run<Q>) =>
    trusted !== undefined && question.pool.tokens.some((token) => !trusted.has(token))
  const batches: Run<Q>[][] = runs.filter(isStrange).map((run) => [run])
  const turns = new Map<Pool, number>()
  const sound: Run<Q>[][] = []
  for (const run of runs.filter((one) => !isStrange(one))) {
    const turn = turns.get(run.question.pool) ?? 0
    turns.set(run.question.pool, turn + 1)
    sound[turn] = [...(sound[turn] ?? []), run]
  }
  for (const batch of [...sound, ...batches]) await ask(batch)
  const crowded = sound.filter(({ length }) => length > 1).flat()
  for (const run of crowded) if (answers.get(run.question)!.isStarved) await ask([run])
  return answers
}

function overridesOf(runs: readonly Run<unknown>[]): RpcStateOverride {
  const all: RpcStateOverride = {}
  for (const { token, stateDiff, code } of runs) {
    Object.assign(all, code)
    all[token] = { stateDiff: { ...all[token]?.stateDiff, ...stateDiff } }
  }
  return all
}

function metered({ data, seen }: CallResult): Metered {
  const [before, swap, after] = resultsOf(data)
  const [had, left] = [before, after].map((one) => one && wordOrNone(one.returnData))
  const isPaid = swap?.success && swap.returnData.length === 66
  return {
    paid: isPaid ? wordAt(swap.returnData, 0) : undefined,
    seen: seen ? [seen] : [],
    isStarved: !swap?.success && (!had || !left || left < had / UNUSED),
  }
}

/**
 * Compares what a swap paid with core's quote. Some nodes answer from their newest block only: an answer from another
 * block than the quote's agrees if it is the same, and says nothing if it differs.
 */
function judge(
  { pool, amountIn, quoted }: Question,
  answer: Answer | Metered,
  { number, parentHash }: Header,
): Finding | undefined {
  const { paid, seen } = answer
  const what = `pool ${pool.id} at ${amountIn} in`
  const most = quoted + (quoted * MORE_PPM) / 1_000_000n + 1n
  // A sampled pool is quoted below its rate on purpose.
  const isSame = paid !== undefined && (paid <= most || pool.sampledAt !== undefined)
  if (isSame && paid >= quoted) return { kind: 'agrees' }
  if (seen.some((one) => one.number !== number || one.parentHash !== parentHash)) return undefined
  if (paid === undefined) {
    return 'isStarved' in answer && answer.isStarved
      ? { kind: 'outOfGas', reason: `${what}: needs more gas than a call of the node has` }
      : { kind: 'refused', reason: `${what}: the swap is refused` }
  }
  if (paid > quoted) {
    return { kind: 'undecided', reason: `${what}: pays ${paid}, more than ${quoted}` }
  }
  return { kind: 'less', reason: `${what}: pays ${paid} instead of ${quoted}` }
}

/** Where each token keeps what it counts. A search takes two requests. */
const noLayouts = () => new Map<Address, Promise<readonly Layout[] | undefined>>()

function layoutsOf(client: Client, token: Address, spender: Address) {
  const own = memoryOf(client, noLayouts)
  const before = own.get(token)
  if (before) return before
  const found = findLayouts(client, { token, owner: randomAddress(), spender })
  own.set(token, found)
  found.catch(() => own.delete(token))
  return found
}
