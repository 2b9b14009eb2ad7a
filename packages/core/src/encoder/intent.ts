import { checkNames, requireFields } from '../checkNames.js'
import { type Fee, lessFee, textOfFee } from '../fee.js'
import { type Address, type Hex, NATIVE, wrappedOf } from '../hex.js'
import { calledContract, encodeSwap, type Pool } from '../pools/index.js'
import { type PlannedHop, replay } from '../replay.js'
import type { Snapshot } from '../snapshot.js'
import { decodeRouterCall, type RouterCall } from './calldata.js'
import { leastOut } from './leastRate.js'
import { type DecodedProgram, decodeProgram } from './program.js'
import { faultsOfProgram } from './programFaults.js'
import { receiverFault, type SystemAddresses } from './receiver.js'
import { nativeValueOf, type SwapCall } from './swapCall.js'

/**
 * Decoded calldata of the router, and its faults independent of any order. The payer is always the
 * sender of the transaction; calldata cannot name another payer.
 */
export type Intent = {
  readonly call: RouterCall
  readonly hops: DecodedProgram['hops']
  /** The integrator's fee that the program pays, if it pays one. */
  readonly fee?: Fee
  /** Reasons why the router would revert or the caller would lose; empty for every swap built here. */
  readonly faults: readonly string[]
}

/** The contracts that a call may go to, if known; none of them may be the receiver. */
export type CalledContracts = {
  readonly router?: Address | undefined
  readonly executors?: readonly Address[] | undefined
  /** Addresses of the chain itself, where what is paid is lost. */
  readonly systemAddresses?: readonly SystemAddresses[] | undefined
}

type Compared = Pick<
  RouterCall,
  'tokenIn' | 'tokenOut' | 'amountIn' | 'minAmountOut' | 'receiver' | 'deadline'
>

/**
 * The expected fields of the calldata, amounts in wei; an absent field is not checked. The zero
 * address as receiver means the sender. If `sender` is given, it equals the zero address. Without
 * `fee`, no integrator may be paid.
 */
export type ExpectedFields = Partial<
  Pick<RouterCall, 'tokenIn' | 'tokenOut' | 'amountIn' | 'minAmountOut' | 'receiver' | 'deadline'>
> & {
  readonly sender?: Address
  readonly fee?: Fee | undefined
}

/** The swap that a transaction should be, and the contracts that it may go to. */
export type ExpectedSwap = CalledContracts & {
  readonly router: Address
  /** The executors whose code is known; the call names one of them. */
  readonly executors: readonly Address[]
  readonly wrappedNative: Address
  readonly wanted: ExpectedFields
}

/** The result of comparing one field. */
export type Check = {
  readonly name: string
  readonly got: string
  readonly wanted: string
  readonly isOk: boolean
}

/** Decodes router calldata. Throws BAD_CALLDATA, BAD_PROGRAM. */
export function readIntent(
  calldata: Hex,
  wrappedNative: Address,
  contracts: CalledContracts = {},
): Intent {
  const call = decodeRouterCall(calldata)
  const ends = endsOf(call, wrappedNative)
  const { hops, fee } = decodeProgram(call.program, ends)
  const faults = [
    ...faultsOfCall(call),
    ...faultsOfReceiver(call, { wrappedNative, ...contracts }),
    ...faultsOfFee(fee, call, { wrappedNative, ...contracts }),
    ...faultsOfProgram(call.program, hops, { ...ends, wrappedNative, fee }),
    ...faultsOfHops(hops, ends),
  ]
  return { call, hops, ...(fee && { fee }), faults }
}

/** What may be wanted, and the other fields of a call, which are not compared. */
const WANTED: Readonly<Record<keyof ExpectedFields | keyof RouterCall, true>> = {
  ...{ tokenIn: true, tokenOut: true, amountIn: true, minAmountOut: true, receiver: true },
  ...{ deadline: true, sender: true, fee: true, executor: true, program: true, payment: true },
}

/**
 * Compares an intent with the expected fields. A higher floor and an earlier deadline are accepted;
 * all other fields must be equal. A swap without hops only wraps or unwraps the native token, which
 * is 1:1 at any block, so a lower floor than its amount is never accepted. A fee must be the wanted
 * one or lower, and go to the same recipient.
 */
export function checkIntent({ call, hops, fee }: Intent, wanted: ExpectedFields): readonly Check[] {
  checkNames('wanted', wanted, WANTED)
  const checks: Check[] = []
  const floor = wanted.minAmountOut
  const isRaised = floor !== undefined && hops.length === 0 && floor < call.amountIn
  const expected = isRaised ? { ...wanted, minAmountOut: call.amountIn } : wanted
  const check = (name: keyof Compared, isOk: (want: bigint, got: bigint) => boolean) => {
    const want = expected[name]
    if (want === undefined) return
    const got = call[name]
    checks.push({ name, got: `${got}`, wanted: `${want}`, isOk: isOk(BigInt(want), BigInt(got)) })
  }
  const equal = (want: bigint, got: bigint) => want === got
  const senderIfZero = (receiver: bigint) => receiver || BigInt(wanted.sender ?? 0n)
  for (const name of ['tokenIn', 'tokenOut', 'amountIn'] as const) check(name, equal)
  check('receiver', (want, got) => senderIfZero(want) === senderIfZero(got))
  check('minAmountOut', (want, got) => got >= want)
  check('deadline', (want, got) => got <= want)
  if (fee || wanted.fee) {
    const texts = { got: textOfFee(fee), wanted: textOfFee(wanted.fee) }
    checks.push({ name: 'fee', ...texts, isOk: isFeeWithin(fee, wanted.fee) })
  }
  return checks
}

function isFeeWithin(fee: Fee | undefined, wanted: Fee | undefined): boolean {
  if (!fee) return true
  const isSame = fee.of === wanted?.of && BigInt(fee.recipient) === BigInt(wanted.recipient)
  return isSame && fee.ppm <= wanted.ppm
}

/**
 * The names of all fields in which a transaction differs from the expected swap through `router`, and
 * the faults of its calldata; empty if there are none. Works offline and does not trust the builder of
 * the transaction. Throws BAD_CALLDATA, BAD_PROGRAM.
 *
 * @example
 * const wanted = { tokenIn, amountIn, minAmountOut }
 * const wrong = findMismatches(tx, { router, executors, wrappedNative, wanted })
 */
export function findMismatches(tx: SwapCall, expected: ExpectedSwap): readonly string[] {
  requireFields('tx', tx, ['to', 'data', 'value'])
  const { to, data, value } = tx
  requireFields('expected', expected, ['router', 'wrappedNative', 'wanted'])
  const intent = readIntent(data, expected.wrappedNative, expected)
  const wrong = checkIntent(intent, expected.wanted).filter(({ isOk }) => !isOk)
  return [
    ...wrong.map(({ name }) => name),
    ...intent.faults,
    ...(value === nativeValueOf(intent.call) ? [] : ['value']),
    ...(to.toLowerCase() === expected.router.toLowerCase() ? [] : ['to']),
    ...(isOneOf(expected.executors, intent.call.executor) ? [] : ['executor']),
  ]
}

/** JavaScript may leave the list out; then no address is known. */
function isOneOf(known: readonly Address[] | undefined, address: Address): boolean {
  return known?.some((one) => one.toLowerCase() === address) ?? false
}

/** The output of a replay in wei, or the reason why there is none. */
export type ReplayedIntent = { readonly amountOut: bigint } | { readonly why: string }

/**
 * Replays the decoded program on a snapshot. Returns what the receiver gets in wei, or the reason why
 * there is none: a pool is not in the snapshot, is called in another way, pays less than its hop's least rate, or
 * the swap would revert otherwise.
 */
export function replayIntent(intent: Intent, snapshot: Snapshot): ReplayedIntent {
  const { call, hops, fee } = intent
  const planned = hopsOnMarket(intent, snapshot)
  if ('why' in planned) return planned
  const ends = endsOf(call, snapshot.wrappedNative)
  if (ends.tokenIn === ends.tokenOut) return { amountOut: call.amountIn }
  const paidFirst = fee?.of === 'tokenIn' ? fee : undefined
  const paidLast = fee?.of === 'tokenOut' ? fee : undefined
  const replayed = replay(planned, {
    ...ends,
    amountIn: lessFee(call.amountIn, paidFirst),
  })
  if (!replayed) return { why: 'the swap would revert there' }
  const low = replayed.route.findIndex(({ amountIn, amountOut }, i) => {
    const { leastRate } = hops[i]!
    return leastRate !== undefined && amountOut < leastOut(leastRate, amountIn)
  })
  if (low >= 0) return { why: `hop ${low + 1} would pay less than its least rate` }
  return { amountOut: lessFee(replayed.amountOut, paidLast) }
}

/** The hops of a program with the pools of a snapshot, or the reason why one of them is not there. */
export function hopsOnMarket(
  { hops }: Pick<Intent, 'hops'>,
  snapshot: Snapshot,
): readonly PlannedHop[] | { readonly why: string } {
  const planned: PlannedHop[] = []
  for (const { pool: id, tokenIn, tokenOut, share, families: names, swap } of hops) {
    const known = snapshot.pools.filter(
      (one) => names.includes(one.family) && calledContract(one) === id,
    )
    // A manager keeps many pools; the bytes of the swap tell them apart.
    const pool = known.find((one) => sellsBy(one, { tokenIn, tokenOut, swap })) ?? known[0]
    if (!pool) return { why: `no ${names.join(' or ')} pool ${id} in the snapshot` }
    const direction = { in: pool.tokens.indexOf(tokenIn), out: pool.tokens.indexOf(tokenOut) }
    if (direction.in < 0 || direction.out < 0) {
      return { why: `pool ${id} does not trade ${tokenIn} for ${tokenOut}` }
    }
    const wanted = encodeSwap(pool, direction)
    if (wanted !== swap) return { why: `pool ${id} needs another call: wanted ${wanted}` }
    planned.push({ pool, direction, share })
  }
  return planned
}

/** Returns whether these bytes are those of a swap between two tokens through this pool. */
function sellsBy(
  pool: Pool,
  hop: { readonly tokenIn: Address; readonly tokenOut: Address; readonly swap: Hex },
): boolean {
  const direction = { in: pool.tokens.indexOf(hop.tokenIn), out: pool.tokens.indexOf(hop.tokenOut) }
  const isTraded = direction.in >= 0 && direction.out >= 0
  return isTraded && encodeSwap(pool, direction) === hop.swap
}

/** The two ends of the program: the order's tokens, wrapped. */
function endsOf({ tokenIn, tokenOut }: RouterCall, wrappedNative: Address) {
  return {
    tokenIn: wrappedOf(tokenIn, wrappedNative),
    tokenOut: wrappedOf(tokenOut, wrappedNative),
  }
}

// V3 pools take a signed amount.
const MAX_IN = 1n << 255n

function faultsOfCall(call: RouterCall): readonly string[] {
  const faults: string[] = []
  if (call.amountIn === 0n) faults.push('the amount in is zero')
  if (call.amountIn >= MAX_IN) faults.push('the amount in is more than any pool takes')
  if (call.minAmountOut === 0n) faults.push('there is no floor')
  if (call.tokenIn === call.tokenOut) faults.push('the token in is the token out')
  if (call.payment && call.tokenIn === NATIVE) faults.push('the native token has no permit')
  return faults
}

function faultsOfReceiver(
  call: RouterCall,
  where: CalledContracts & { readonly wrappedNative: Address },
): readonly string[] {
  const { receiver } = call
  // The router replaces the zero address with the sender.
  const fault =
    BigInt(receiver) === 0n ? undefined : receiverFault(receiver, contractsOf(call, where))
  return fault === undefined ? [] : [`the receiver would lose the output: ${fault}`]
}

/** The recipient of a fee is checked as a receiver is, but the zero address never means the sender. */
function faultsOfFee(
  fee: Fee | undefined,
  call: RouterCall,
  where: CalledContracts & { readonly wrappedNative: Address },
): readonly string[] {
  const fault = fee && receiverFault(fee.recipient, contractsOf(call, where))
  return fault === undefined ? [] : [`the recipient of the fee would lose it: ${fault}`]
}

/** The contracts that may not be paid: those of the call, and the known ones. */
function contractsOf<T extends CalledContracts>(
  { tokenIn, tokenOut, executor }: RouterCall,
  where: T,
) {
  return { ...where, tokenIn, tokenOut, executors: [executor, ...(where.executors ?? [])] }
}

/**
 * Follows the program without amounts: a hop may sell only tokens that were received before it, and at
 * the end only the token out may be left.
 */
function faultsOfHops(
  hops: Intent['hops'],
  ends: { readonly tokenIn: Address; readonly tokenOut: Address },
): readonly string[] {
  const faults: string[] = []
  const held = new Set<Address>([ends.tokenIn])
  for (const [i, { tokenIn, tokenOut, share }] of hops.entries()) {
    if (!held.has(tokenIn)) faults.push(`hop ${i + 1} sells ${tokenIn} before any hop buys it`)
    if (share === 0) held.delete(tokenIn)
    held.add(tokenOut)
  }
  if (!held.delete(ends.tokenOut)) faults.push(`no hop buys ${ends.tokenOut}`)
  for (const token of held) faults.push(`some ${token} would be left over`)
  return faults
}
