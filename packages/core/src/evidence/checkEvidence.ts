/**
 * Holds evidence against itself: the bound is recomputed, the hops are replayed in exact integers, the calldata is
 * decoded, and what was received is compared with what was promised. Needs no node and trusts nobody.
 */
import {
  type BoundTerms,
  checkBound,
  GAS_SHARE_OF_BLOCK,
  MAX_LEGS,
} from '../certificate/checkBound.js'
import { usableEdges } from '../certificate/usableEdges.js'
import { type Check, checkIntent, readIntent, replayIntent } from '../encoder/intent.js'
import { nativeValueOf, type SwapCall } from '../encoder/swapCall.js'
import { BaseError } from '../errors.js'
import { FEE_GAS, textOfFee } from '../fee.js'
import { buildGraph } from '../graph.js'
import { type Address, type Hex, NATIVE, sizeOfHex, sliceHex, ZERO_ADDRESS } from '../hex.js'
import { poolOrderOf } from '../order.js'
import { quoteHops } from '../quote.js'
import type { PlannedHop } from '../replay.js'
import type { EdgeGas, Evidence, PromisedHop, Settled } from './evidence.js'

/** The router's event of a swap: `Swap(address,address,address,address,uint256,uint256)`. */
const SWAP_TOPIC = '0x20efd6d5195b7b50273f01cd79a27989255356f9f13293edc53ee142accfdb75'
/** A bound that stands further above its recomputation is not the one of these prices. */
const LOOSE = 1e-6

/**
 * Compares every field of evidence with what follows from the others; each check says what it got and wanted. `terms`
 * are the caller's own of the bound; by default what it leaves out is accepted, and shown by {@link leftOut}.
 *
 * @example
 * const wrong = checkEvidence(parseEvidence(text)).filter(({ isOk }) => !isOk)
 */
export function checkEvidence(
  evidence: Evidence,
  terms: BoundTerms = ownTerms(evidence),
): readonly Check[] {
  const { call, settled } = evidence
  return [
    boundCheck(evidence, terms),
    edgesCheck(evidence),
    ...routeChecks(evidence),
    ...(call ? callChecks({ ...evidence, call }) : []),
    ...(settled ? settledChecks({ ...evidence, settled }) : []),
  ]
}

/** The terms of a bound as it states them itself. */
function ownTerms({ bound, fee }: Evidence): BoundTerms {
  const { objective, gasCost, maxGas, maxLegs, excluded, setAside, onlyIntermediates } = bound
  return {
    ...{ objective, maxGas, maxLegs, ...(fee && { fee }) },
    gasCost: objective === 'net' ? gasCost : 0,
    ...{ excludedPools: new Set(excluded), setAside: new Set(setAside) },
    ...(onlyIntermediates && { onlyIntermediates: new Set(onlyIntermediates) }),
  }
}

/** What the bound does not cover, in words; empty if it covers every route of the market. */
export function leftOut({ bound, snapshot, order, fee }: Evidence): readonly string[] {
  const { excluded, setAside, onlyIntermediates, maxLegs, maxGas, gasCost, prices } = bound
  const { block, wrappedNative } = snapshot
  const { tokenOut } = poolOrderOf(order, wrappedNative)
  const room = Number(block.gasLimit) * GAS_SHARE_OF_BLOCK - (fee ? FEE_GAS : 0)
  const ofBlock =
    Number(block.gasPrice) * Math.exp((prices[wrappedNative] ?? Number.NaN) - prices[tokenOut]!)
  return [
    ...(excluded.length > 0 ? [`${excluded.length} pools that the order excluded`] : []),
    ...(setAside.length > 0
      ? [`${setAside.length} pools off the market, but as a single hop`]
      : []),
    ...(onlyIntermediates ? [`tokens between the ends but ${onlyIntermediates.length}`] : []),
    ...(maxLegs < MAX_LEGS ? [`routes of more than ${maxLegs} hops`] : []),
    ...(maxGas < room ? [`routes of more than ${maxGas} gas`] : []),
    // The prices are not those at which the solver valued gas.
    ...(gasCost > 2 * ofBlock || (gasCost > 0 && Number.isNaN(ofBlock))
      ? [`routes if gas costs less than ${gasCost} a unit`]
      : []),
  ]
}

const check = (name: string, got: unknown, wanted: unknown, isOk = got === wanted): Check => ({
  ...{ name, got: `${got}`, wanted: `${wanted}`, isOk },
})

function boundCheck({ snapshot, order, bound }: Evidence, terms: BoundTerms): Check {
  const { ok, why, amount } = checkBound(snapshot, order, bound, terms)
  const slack = amount === undefined ? 0 : Number(bound.amount - amount) / Number(bound.amount)
  const faults = slack > LOOSE ? [...why, 'these prices prove less'] : why
  const wanted = [`${amount ?? 'a bound'}, as recomputed`, ...faults].join('; ')
  return check('bound', bound.amount, wanted, ok && slack <= LOOSE)
}

/** The edges that the bound counts, with the gas that Braid takes each to cost. */
function edgesCheck({ snapshot, order, bound, edges }: Evidence): Check {
  const textOf = ({ pool, tokenIn, tokenOut, gas, stepGas }: EdgeGas) =>
    `${pool} from ${tokenIn} to ${tokenOut} for ${gas} and ${stepGas}`
  const wanted = usableEdges(snapshot, poolOrderOf(order, snapshot.wrappedNative), bound)
  const at = [...edges, ...wanted].findIndex((_, i) => {
    const [one, other] = [edges[i], wanted[i]]
    return !one || !other || textOf(one) !== textOf(other)
  })
  const shown = (all: readonly EdgeGas[]) => `${all.length}${all[at] ? `, ${textOf(all[at])}` : ''}`
  return check('edges', shown(edges), shown(wanted))
}

/** The hops between the wrapped ends, as the market has their pools; a text if it lacks one. */
function plannedOf({ snapshot, route }: Evidence): readonly PlannedHop[] | string {
  const planned: PlannedHop[] = []
  for (const { pool: id, tokenIn, tokenOut, share } of route) {
    const pool = snapshot.pools.find((one) => one.id === id)
    if (!pool) return `no pool ${id}`
    const direction = { in: pool.tokens.indexOf(tokenIn), out: pool.tokens.indexOf(tokenOut) }
    if (direction.in < 0 || direction.out < 0) return `pool ${id} trades other tokens`
    if (!pool.tokens.includes(NATIVE)) planned.push({ pool, direction, share })
  }
  return planned
}

function routeChecks(evidence: Evidence): readonly Check[] {
  const { snapshot, order, fee, route, amountOut } = evidence
  const planned = plannedOf(evidence)
  if (typeof planned === 'string') return [check('route', planned, 'pools of the market')]
  const replayed = quoteHops(buildGraph(snapshot), order, planned, fee)
  if (!replayed) return [check('route', 'it would revert', 'a route that pays')]
  const amounts = (hops: readonly Pick<PromisedHop, 'amountIn' | 'amountOut'>[]) =>
    hops.map((hop) => `${hop.amountIn} → ${hop.amountOut}`).join(', ')
  return [
    check('route', amounts(route), amounts(replayed.route)),
    check('quoted', amountOut, replayed.amountOut),
    check('gas', evidence.gas, replayed.gas),
  ]
}

function callChecks(evidence: Evidence & Required<Pick<Evidence, 'call'>>): readonly Check[] {
  const { call, order, snapshot, minAmountOut, receiver = ZERO_ADDRESS, fee, settled } = evidence
  const intent = intentOf(evidence)
  if (typeof intent === 'string') return [check('calldata', intent, 'a call of the router')]
  const wanted = {
    ...{ ...order, receiver, fee, ...(minAmountOut !== undefined && { minAmountOut }) },
    ...(settled && { sender: settled.transaction.from }),
  }
  const replayed = replayIntent(intent, snapshot)
  const pays = 'why' in replayed ? replayed.why : replayed.amountOut
  return [
    ...checkIntent(intent, wanted).map((one) => ({ ...one, name: `calldata: ${one.name}` })),
    // A lower fee and a higher floor are as good for the caller, but are not what is written here.
    check('calldata: its fee', textOfFee(intent.fee), textOfFee(fee)),
    check('calldata: its floor', intent.call.minAmountOut, minAmountOut),
    check('calldata: faults', intent.faults.join(', ') || 'none', 'none'),
    check('calldata: pays', pays, evidence.amountOut),
    check('calldata: value', call.value, nativeValueOf(intent.call)),
  ]
}

/** The decoded calldata; a text if it is none of the router's. */
function intentOf({ call, snapshot }: Pick<Evidence, 'snapshot'> & { readonly call: SwapCall }) {
  try {
    return readIntent(call.data, snapshot.wrappedNative)
  } catch (error) {
    if (error instanceof BaseError) return error.message
    throw error
  }
}

function settledChecks(evidence: Evidence & { readonly settled: Settled }): readonly Check[] {
  const { settled, call, order, minAmountOut = 0n, receiver = ZERO_ADDRESS } = evidence
  const { transaction, receipt, block } = settled
  const quoted = evidence.snapshot.block.number
  const { from } = transaction
  const paid = swapIn(settled)
  const status = statusOf(receipt)
  return [
    check('block', block.number, `after ${quoted}`, block.number > quoted),
    check('transaction: input', transaction.input, call?.data),
    check('transaction: to', transaction.to, call?.to),
    check('transaction: value', transaction.value, call?.value),
    check('receipt: status', status, paid ? 'performed' : 'reverted'),
    ...(paid
      ? [
          check('receipt: payer', paid.payer, from),
          check('receipt: receiver', paid.receiver, receiver === ZERO_ADDRESS ? from : receiver),
          check('receipt: sold', `${paid.amountIn} of ${paid.tokenIn}`, soldText(order)),
          check('receipt: bought', paid.tokenOut, order.tokenOut),
          check(
            'received',
            paid.amountOut,
            `at least ${minAmountOut}`,
            paid.amountOut >= minAmountOut,
          ),
        ]
      : []),
  ]
}

/** What a status says; one that no receipt has, as it is. */
function statusOf({ status }: Settled['receipt']): string {
  const value = BigInt(status)
  return value === 1n ? 'performed' : value === 0n ? 'reverted' : status
}

const soldText = ({ amountIn, tokenIn }: Evidence['order']) => `${amountIn} of ${tokenIn}`

/** The swap that the router reports in the receipt; undefined if there is none. Amounts in wei. */
export function swapIn({ transaction, receipt }: Settled) {
  const [log, ...more] = receipt.logs.filter(
    ({ address, topics }) => address === transaction.to && topics[0] === SWAP_TOPIC,
  )
  // The router lets nobody in while it swaps.
  if (more.length > 0 || log?.topics.length !== 3 || sizeOfHex(log.data) !== 4 * 32)
    return undefined
  const [, payer, receiver] = log.topics.map(addressIn)
  const word = (i: number): Hex => sliceHex(log.data, 32 * i, 32 * (i + 1))
  const [tokenIn, tokenOut] = [word(0), word(1)].map(addressIn)
  return {
    payer,
    receiver,
    tokenIn,
    tokenOut,
    amountIn: BigInt(word(2)),
    amountOut: BigInt(word(3)),
  }
}

const addressIn = (word: Hex): Address => sliceHex(word, 12, 32)

/** What came of a promise. */
export type EvidenceVerdict =
  | 'only quoted'
  | 'reverted'
  | 'paid as quoted'
  | 'paid more than quoted'
  | 'paid less than quoted, and no less than its floor'
  | 'paid less than its floor'

/** What came of the promise, by the receipt alone. */
export function verdictOf({ settled, amountOut, minAmountOut = 0n }: Evidence): EvidenceVerdict {
  if (!settled) return 'only quoted'
  const paid = swapIn(settled)
  if (!paid) return 'reverted'
  if (paid.amountOut < minAmountOut) return 'paid less than its floor'
  if (paid.amountOut === amountOut) return 'paid as quoted'
  return paid.amountOut > amountOut
    ? 'paid more than quoted'
    : 'paid less than quoted, and no less than its floor'
}
