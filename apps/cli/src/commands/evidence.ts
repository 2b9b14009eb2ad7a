import { isSettledProved, isSettledTied, readSettled } from '@braid-swap/chain'
import { type Braid, RefusedError } from '@braid-swap/client'
import { readSnapshot } from '@braid-swap/client/snapshot'
import {
  buildGraph,
  type Hex,
  type Order,
  quote,
  readIntent,
  type Snapshot,
} from '@braid-swap/core'
import {
  type Evidence,
  type EvidenceParts,
  evidenceOf,
  hopsOnMarket,
  type PlannedHop,
  quoteHops,
  stringifyEvidence,
} from '@braid-swap/core/advanced'
import type { Command } from 'commander'
import { withExample, withOrder, withSource } from '../commandOptions.js'
import { MismatchError, UsageError } from '../errors.js'
import { singlePools } from '../markets/comparePools.js'
import { ownChain } from '../ownChain.js'
import { apiOf } from '../sources/apiClient.js'
import { loadMarket, openClient, readMarket, type SourceOptions } from '../sources/marketSource.js'
import { callNode } from '../sources/node.js'
import { type OrderOptions, readOrder } from '../sources/order.js'
import { readApiTokens } from '../sources/quoteSource.js'
import type { Terminal } from '../terminal.js'

type EvidenceOptions = SourceOptions &
  Partial<OrderOptions> & { readonly tx?: string; readonly quoteId?: string }

/** `braid evidence`: writes what was promised for a swap, and what came of it, as a file that others can check. */
export function addEvidence(program: Command, terminal: Terminal): void {
  const command = program
    .command('evidence')
    .description('write the evidence of a swap or a quote, which `braid check` verifies offline')
    .option('--tx <hash>', 'a swap through the router, on the chain of --rpc')
    .option('--quote-id <id>', 'with --api and the order: the quote that it must be')
  withSource(command)
  for (const option of withOrder(program.createCommand()).options) {
    command.addOption(option.makeOptionMandatory(false))
  }
  command.action(async (options: EvidenceOptions) => {
    const evidence = options.tx
      ? await ofTransaction(options.tx, options, terminal)
      : await ofQuote(options, terminal)
    terminal.out(stringifyEvidence(evidence))
  })
  withExample(
    command,
    'braid evidence --tx 0x5a3f… --rpc $RPC > evidence.json',
    'braid evidence --tx 0x5a3f… --rpc $RPC --snapshot market.json > evidence.json',
    'braid evidence --api $API --quote-id q1_… --in native --out USDC --amount 1.5 > evidence.json',
  )
}

/** How many single pools are named as other offers. */
const OFFERS = 3

/** What the hops pay on the market, the bound there, and what its best single pools would have paid. */
function promisedOn(
  snapshot: Snapshot,
  { order, hops, fee }: Pick<Evidence, 'order' | 'fee'> & { readonly hops: readonly PlannedHop[] },
  parts: Omit<EvidenceParts, 'offers'>,
): Evidence {
  const graph = buildGraph(snapshot)
  const promised = quoteHops(graph, order, hops, fee)
  if (!promised)
    throw new MismatchError('the route pays nothing on this market', {
      wanted: 'the market of its quote',
    })
  const best = quote(graph, order, fee ? { fee } : {})
  if (!best.bound) {
    const wanted = 'a swap through pools: wrapping is 1:1, and nothing is promised for it'
    throw new MismatchError('the order only wraps', { wanted })
  }
  const alone = singlePools(graph, order, { maxPools: OFFERS, ...(fee && { fee }) })
  const offers = alone.map(({ pool, venue, amountOut }) => ({
    ...{ by: `${venue} ${pool}`, amountOut },
  }))
  return evidenceOf(snapshot, { ...best, ...promised }, { ...parts, offers })
}

/** The evidence of a swap that the router performed, or that reverted. */
async function ofTransaction(hash: string, options: EvidenceOptions, terminal: Terminal) {
  if (options.rpc === undefined || !/^0x[0-9a-f]{64}$/.test(hash)) {
    throw new UsageError('a transaction is read from a node', {
      got: hash,
      wanted: '--tx HASH --rpc URL',
    })
  }
  const client = openClient(options.rpc, options)
  const settled = await callNode(() => readSettled(client, hash as Hex))
  if (!(await isSettledProved(settled))) {
    terminal.err('the node does not prove the receipt, so the evidence is without a proof of it')
  } else if (!(await isSettledTied(settled))) {
    terminal.err('the node does not prove the transaction, so nothing ties the receipt to it')
  }
  const { to, input: data, value } = settled.transaction
  const intent = readIntent(data, ownChain().wrapped.address)
  const block = settled.block.number - 1n
  const { snapshot } = options.snapshot
    ? readMarket(options.snapshot, options.tokens, terminal)
    : await loadMarket(options.rpc, { ...options, block }, terminal)
  const { number } = snapshot.block
  if (number >= settled.block.number) {
    throw new MismatchError('the market is not of before the swap', {
      got: `block ${number}, which a node without past state reads instead`,
      wanted: `block ${block}, or the market of the quote: --snapshot FILE`,
    })
  }
  const hops = hopsOnMarket(intent, snapshot)
  if ('why' in hops) throw new MismatchError(`not the market of this swap: ${hops.why}`)
  const { tokenIn, tokenOut, amountIn, minAmountOut, receiver } = intent.call
  const of = {
    order: { tokenIn, tokenOut, amountIn },
    hops,
    ...(intent.fee && { fee: intent.fee }),
  }
  const call = { to, data, value }
  return promisedOn(snapshot, of, { minAmountOut, receiver, call, settled })
}

/** The evidence of a quote: on a market of our own, or of an API. */
async function ofQuote(options: EvidenceOptions, terminal: Terminal): Promise<Evidence> {
  const { in: tokenIn, out: tokenOut } = options
  if (tokenIn === undefined || tokenOut === undefined) {
    throw new UsageError('nothing to give evidence of', {
      wanted: '--tx HASH, or --in, --out and --amount',
    })
  }
  const ordered = { ...options, in: tokenIn, out: tokenOut }
  if (options.api !== undefined) return ofApi(ordered, terminal)
  if (options.quoteId !== undefined) {
    throw new UsageError('only an API knows its quotes', { wanted: '--quote-id with --api URL' })
  }
  const { snapshot, tokens } = options.snapshot
    ? readMarket(options.snapshot, options.tokens, terminal)
    : await loadMarket(options.rpc ?? '', options, terminal)
  const order = readOrder(ordered, tokens)
  const { route: hops } = quote(buildGraph(snapshot), order)
  return promisedOn(snapshot, { order, hops: withoutWraps(hops, snapshot) }, {})
}

/** Blocks that are searched for a quote: about as many as an API keeps. */
const SEARCHED_BLOCKS = 90n

async function ofApi(options: EvidenceOptions & OrderOptions, terminal: Terminal) {
  const api = apiOf(options, terminal)
  const order = readOrder(options, await readApiTokens(api, options))
  const { meta, graph, quoteId } = await findQuote(api, order, options.quoteId)
  const { snapshotId } = meta
  const snapshot = await readSnapshot(api, { snapshotId })
  const hops = graph.flatMap(({ pool: called, poolId, from, to, share }): PlannedHop[] => {
    const pool = snapshot.pools.find((one) => one.id === (poolId ?? called))
    if (!pool)
      throw new MismatchError('the API quotes a pool that its market lacks', { got: called })
    const direction = { in: pool.tokens.indexOf(from), out: pool.tokens.indexOf(to) }
    return [{ pool, direction, share: Number(share) }]
  })
  return promisedOn(
    snapshot,
    { order, hops: withoutWraps(hops, snapshot) },
    { quoteId, snapshotId },
  )
}

/** Hops between the wrapped ends: what wraps there is added again where a route is replayed. */
const withoutWraps = (hops: readonly PlannedHop[], { wrappedNative }: Snapshot) =>
  hops.filter(({ pool }) => pool.id !== wrappedNative)

/** The API's quote for the order: the newest, or the one of that id among the states that it keeps. */
async function findQuote(api: Braid, order: Order, wanted: string | undefined) {
  const { tokenIn: src, tokenOut: dst, amountIn: amount } = order
  const request = { src, dst, amount } as const
  const full = { ...request, includeGraph: true, includeMeta: true } as const
  const newest = await api.quote(full)
  const last = BigInt(newest.meta.blockNumber)
  for (let block = last; wanted !== undefined && block > last - SEARCHED_BLOCKS; block--) {
    try {
      const { served } = await api.quote({ ...request, block })
      if (served.quoteId !== wanted) continue
      return { ...(await api.quote({ ...full, block })), quoteId: wanted }
    } catch (error) {
      if (error instanceof RefusedError && error.code === 'STATE_NOT_RETAINED') break
      throw error
    }
  }
  if (wanted === undefined) return { ...newest, quoteId: newest.meta.quoteId }
  throw new MismatchError('no state that the API keeps gives this quote for this order', {
    ...{ got: wanted, wanted: 'the order as it was asked, within a minute' },
  })
}
