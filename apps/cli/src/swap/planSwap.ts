/**
 * From the options of a swap to what the client takes: the order, the caller's own terms, and who builds the
 * transaction. Each answer, also our own, is compared by the client, here before it is shown.
 */

import {
  type OwnTerms as ClientTerms,
  type NetworkFee,
  MismatchError as NotAsAsked,
  networkFeeLimit,
  parseAmount,
  type SwapBuilder,
  type Swapped,
  type SwapRequest,
  verifySwap,
  type Warning,
} from '@braid-swap/client'
import { type Address, decodeRouterCall, type Intent, readIntent } from '@braid-swap/core'
import {
  BadCalldataError,
  BadProgramError,
  isBurnAddress,
  type OwnLimits,
  raisedAt,
  unaccepted,
} from '@braid-swap/core/advanced'
import { exactAmountText } from '../draw/index.js'
import { MismatchError, OwnLimitError, requireImpact, UsageError } from '../errors.js'
import { ownChain } from '../ownChain.js'
import { apiOf, feeParameters } from '../sources/apiClient.js'
import { openClient, openMarket, type SourceOptions } from '../sources/marketSource.js'
import { srcAmountOf } from '../sources/quoteSource.js'
import { type RouteListOptions, readRouteLists } from '../sources/routeLists.js'
import { type ListedToken, labelsOf, nativeToken } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'
import { type FeeOptions, readFee } from './fee.js'
import { localBuilder } from './localBuilder.js'
import { raiseFloor } from './ownFloor.js'
import { type OwnTerms, orderOf, readTerms, type TermOptions } from './ownTerms.js'
import { readOwnView } from './ownView.js'
import { type KnownRouter, knownRouter, requireRouter } from './router.js'
import { readAddress, readImpactLimit, readSlippagePpm } from './slippage.js'

/** The options of a swap. */
export type SwapOptions = SourceOptions &
  TermOptions &
  RouteListOptions &
  FeeOptions & {
    readonly slippage: string
    readonly from?: string
    readonly receiver?: string
    readonly router?: string
    /** Seconds. */
    readonly deadline: string
    /** In whole native tokens; absent: what follows from the worth of the order. */
    readonly maxNetworkFee?: string
    /** In percent. */
    readonly maxPriceImpact?: string
    /** Codes of findings, comma-separated. */
    readonly accept?: string
    /** In gwei per gas. */
    readonly tip?: string
  }

/** What a builder answers; `srcAmount` only for an amount to buy. */
export type Answer = Awaited<ReturnType<SwapBuilder['swap']>> &
  Partial<Pick<Swapped, 'srcAmount'>> & {
    readonly meta?: { readonly priceImpactBps?: number | null | undefined } | undefined
  }

/** A swap as the client takes it. */
export type Plan = {
  readonly request: SwapRequest
  readonly terms: Omit<ClientTerms, 'maxNetworkFee'> & { readonly wrappedNative: Address }
  /** The caller's own limit of what gas may cost, in wei; absent: {@link networkFeeLimit}. */
  readonly maxNetworkFee?: bigint
  readonly builder: { readonly swap: (request: SwapRequest) => Promise<Answer> }
  readonly tokens: readonly ListedToken[]
  /** The caller's own limit, in wei of the output, or for an amount to buy of the input. */
  readonly limit: bigint | undefined
  /** What the caller accepts of what may be found in the quote. */
  readonly accepted: { readonly codes?: readonly string[] } & OwnLimits
}

/** A swap that is ready to sign, and was checked. */
export type Built = {
  readonly answer: Answer
  /** What gas may cost, and whether that is so much for this order that its owner must be asked. */
  readonly fee: NetworkFee
  readonly intent: Intent
  /** What was found in the quote and is for the owner to accept, and was not. */
  readonly open: readonly Warning[]
  /** Only for an amount to buy: the input in wei that is enough at this block. */
  readonly leastAmountIn?: bigint
}

const MAX_DEADLINE_SECONDS = 86_400n
const GWEI_DECIMALS = 9

/**
 * Plans a swap by the API if one is named, else by a market of our own. If there is a node, the router's
 * code is checked on it first. Throws ROUTER_UNVERIFIED, NO_OWN_FLOOR, NO_OWN_MAXIMUM, USAGE, and what the
 * source throws.
 */
export async function planSwap(options: SwapOptions, terminal: Terminal): Promise<Plan> {
  const addresses = addressesOf(options)
  const { receiver } = addresses
  const { maxNetworkFee, maxPriceImpact, tip } = options
  const maxPriceImpactBps = readImpactLimit(maxPriceImpact)
  const codes = options.accept?.split(',').map((code) => code.trim())
  readSlippagePpm(options.slippage)
  const seconds = readDeadline(options.deadline)
  if (receiver && isBurnAddress(receiver)) terminal.err(burnWarning(receiver))
  const view = await (options.api === undefined ? viewHere : viewByApi)(options, terminal)
  const { own, known, tokens, now, wrappedNative, builder, lists } = view
  const latestDeadline = now + seconds
  const [limit, least, most] =
    'order' in own
      ? [own.ownFloor, own.ownFloor, undefined]
      : [own.ownMaximum, own.wanted.amountOut, own.ownMaximum]
  return {
    request: {
      ...{ ...orderOf(own), slippage: options.slippage, deadline: Number(latestDeadline) },
      ...{ ...feeParameters(readFee(options)), ...addresses, ...lists },
      ...(options.api !== undefined && maxPriceImpact !== undefined && { maxPriceImpact }),
      ...(tip !== undefined && { maxPriorityFeePerGas: parseAmount(tip, GWEI_DECIMALS) }),
      ...{ includeMeta: true, includeNearest: true },
    },
    terms: {
      ...{ router: known.router, executors: known.executors, wrappedNative, latestDeadline },
      systemAddresses: ownChain().systemAddresses,
      ...{ minAmountOut: least ?? 1n, ...(most !== undefined && { maxAmountIn: most }) },
    },
    ...(maxNetworkFee !== undefined && {
      maxNetworkFee: parseAmount(maxNetworkFee, nativeToken().decimals),
    }),
    ...{ builder, tokens, limit },
    accepted: {
      ...(codes && { codes }),
      ...(maxPriceImpactBps !== undefined && { maxPriceImpactBps }),
    },
  }
}

/** What a source knows: the caller's own terms, the router, tokens, time, and who builds. */
type View = Pick<Plan, 'builder' | 'tokens'> & {
  readonly own: OwnTerms
  readonly known: KnownRouter
  readonly wrappedNative: Address
  /** Unix seconds from which the deadline counts. */
  readonly now: bigint
  /** Limits on the route, for a builder elsewhere. */
  readonly lists?: ReturnType<typeof readRouteLists>
}

async function viewHere(options: SwapOptions, terminal: Terminal): Promise<View> {
  const { rpc, router } = options
  const checked = rpc && (await requireRouter(openClient(rpc, options), knownRouter(router)))
  const market = await openMarket(options, terminal)
  const { wrappedNative, block } = market.snapshot
  const known = checked || unchecked(knownRouter(router, wrappedNative), terminal)
  const builder = localBuilder(market, options, { known, terminal })
  const { tokens } = market
  const own = readTerms(options, tokens)
  return { own, known, wrappedNative, tokens, now: block.timestamp, builder }
}

async function viewByApi(options: SwapOptions, terminal: Terminal): Promise<View> {
  const api = apiOf(options, terminal)
  const named = knownRouter(options.router)
  const known = options.rpc === undefined ? unchecked(named, terminal) : named
  const { terms: own, tokens, now } = await readOwnView({ options, api, known }, terminal)
  const lists = readRouteLists(options, tokens)
  return { own, known, wrappedNative: ownChain().wrapped.address, tokens, now, builder: api, lists }
}

function unchecked(known: KnownRouter, terminal: Terminal): KnownRouter {
  const { router, source } = known
  terminal.err(`the router is ${router} (${source}); without --rpc its code is not checked`)
  return known
}

/**
 * Has a planned swap built and checked; the floor is never below the caller's own. Throws MISMATCH,
 * BELOW_OWN_FLOOR, ABOVE_OWN_MAXIMUM, RECEIVER_REFUSED, and what the builder throws.
 */
export async function buildSwap({ request, terms, builder, ...plan }: Plan): Promise<Built> {
  const answer = await builder.swap(request)
  const { tx, dstAmount, meta } = answer
  const { accepted } = plan
  requireImpact(meta?.priceImpactBps, accepted.maxPriceImpactBps)
  const open = unaccepted(meta?.warnings ?? [], accepted)
  try {
    const isSale = request.dstAmountExact === undefined
    const leastAmountIn = isSale ? undefined : srcAmountOf(answer)
    const { amountIn } = decodeRouterCall(tx.data)
    requireLimit({ ...plan, request }, isSale ? dstAmount : amountIn)
    const raised = { ...answer, tx: raiseFloor(tx, terms.minAmountOut) }
    const most = leastAmountIn && raisedAt(leastAmountIn, readSlippagePpm(`${request.slippage}`))
    const { wrappedNative = ownChain().wrapped.address } = terms
    const sold = { ...request, amount: amountIn, wrappedNative }
    const fee = feeOf(answer, sold, plan.maxNetworkFee)
    const own = { ...terms, maxNetworkFee: fee.most }
    verifySwap(raised, request, { ...own, ...(most && { maxAmountIn: most }) })
    const intent = readIntent(raised.tx.data, wrappedNative)
    return { answer: raised, intent, fee, open, ...(leastAmountIn && { leastAmountIn }) }
  } catch (error) {
    throw asMismatch(error, tx.to, terms)
  }
}

/** The caller's own limit of what gas may cost, or the one that follows from the order. */
function feeOf(
  { tx, meta, dstAmount }: Answer,
  order: Parameters<typeof networkFeeLimit>[0],
  own: bigint | undefined,
): NetworkFee {
  if (own !== undefined) return { most: own, isDear: false }
  const { gasPrice = tx.gasPrice, gasCostInDst } = meta ?? {}
  // The estimate that the limit was made from.
  const gas = (tx.gas * 10n) / 12n
  return networkFeeLimit(order, { gas, gasPrice, dstAmount, gasCostInDst })
}

/** Throws BELOW_OWN_FLOOR, ABOVE_OWN_MAXIMUM. */
function requireLimit(
  { request, limit, tokens }: Pick<Plan, 'request' | 'limit' | 'tokens'>,
  got: bigint,
): void {
  const { src, dst, dstAmountExact } = request
  const isSale = dstAmountExact === undefined
  if (limit === undefined || (isSale ? got >= limit : got <= limit)) return
  const text = (wei: bigint) => exactAmountText(wei, isSale ? dst : src, labelsOf(tokens))
  throw new OwnLimitError(isSale ? 'floor' : 'maximum', text(got), text(limit))
}

/** Malformed calldata is a mismatch, because it is no wrong input of the caller. */
function asMismatch(error: unknown, to: Address, { router }: Plan['terms']): unknown {
  const isMalformed = error instanceof BadCalldataError || error instanceof BadProgramError
  if (!isMalformed && !(error instanceof NotAsAsked)) return error
  const wrong = isMalformed ? `data: ${error.message}` : `${error.details['wrong']}`
  return new MismatchError('the transaction does not match the order', {
    ...(to !== router && { got: to, wanted: `${router}, or --router` }),
    wrong,
  })
}

/** The warning for a receiver that is a burn address. */
export function burnWarning(receiver: Address): string {
  return `warning: ${receiver} is a burn address: the output will be lost for ever`
}

/** The addresses in the options. Throws USAGE. */
function addressesOf(options: SwapOptions) {
  const { from, receiver } = options
  return {
    ...(from === undefined ? {} : { from: readAddress('--from', from) }),
    ...(receiver === undefined ? {} : { receiver: readAddress('--receiver', receiver) }),
  }
}

function readDeadline(text: string): bigint {
  const seconds = /^\d{1,6}$/.test(text) ? BigInt(text) : 0n
  if (seconds > 0n && seconds <= MAX_DEADLINE_SECONDS) return seconds
  throw new UsageError('--deadline is out of range', {
    ...{ got: text, wanted: `1 to ${MAX_DEADLINE_SECONDS} seconds` },
  })
}
