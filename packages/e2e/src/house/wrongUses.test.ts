// Wrong uses of the libraries, as somebody without types makes them: each is refused with a code, by an error that
// names the value or the field.

import { checkVenues, createClient, loadSnapshot } from '@braid-swap/chain'
import {
  confirmSwap,
  createBraid,
  parseAmount,
  sendSwap,
  verifyApproval,
  verifyRouter,
  verifySwap,
} from '@braid-swap/client'
import * as core from '@braid-swap/core'
import { expect, it } from 'vitest'

const [A, B, WRAPPED, ID] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}` as const)
const MIXED = `0x${'aB'.repeat(20)}`
const hash = `0x${'0'.repeat(64)}`
const block = { number: 1n, hash, timestamp: 1n, gasPrice: 0n, gasLimit: 30_000_000n }
const pair = { family: 'uniswapV2', id: ID, venue: 'mine', tokens: [A, B], feePpm: 3000 }
const pools = [{ ...pair, reserves: [10n ** 20n, 2n * 10n ** 20n] }]
const tokens = [A, B].map((address) => ({ address, decimals: 18 }))
const market = { chainId: 999, block, wrappedNative: WRAPPED, tokens, pools }
const snapshot = core.checkSnapshot(market)
const graph = core.buildGraph(snapshot)
const order = { tokenIn: A!, tokenOut: B!, amountIn: 10n ** 18n }
const quoted = core.quote(graph, order)
const terms = { wrappedNative: WRAPPED!, executor: ID!, slippagePpm: 5000n, deadline: 9n }
const call = core.routerCallOf(quoted, terms)
const tx = core.swapCallOf(ID!, call)
const expected = { router: ID, executors: [ID], wrappedNative: WRAPPED, wanted: {} }
const bound = quoted.bound!
const ends = { tokenIn: A!, tokenOut: B! }
const url = 'http://127.0.0.1:1'
const braid = createBraid({ url, apiKey: 'k', retries: 0 })
const sent = { ...tx, from: A, gas: 1n, gasPrice: 1n }
const own = {
  router: ID,
  executors: [ID],
  minAmountOut: 1n,
  latestDeadline: 99n,
  maxNetworkFee: 9n,
}

// biome-ignore lint/suspicious/noExplicitAny: what is passed has the wrong type on purpose.
type Any = any
const { quote, quoteExactOut, buildGraph, checkSnapshot, parseSnapshot, encodeProgram } =
  core as Any
const { decodeProgram, encodeRouterCall, decodeRouterCall, routerCallOf, swapCallOf } = core as Any
const { readIntent, findMismatches, checkBound, floorAt, gapBpsOf } = core as Any
const [send, confirm, ofRouter] = [sendSwap, confirmSwap, verifyRouter] as Any[]
const [swap, approval, create] = [verifySwap, verifyApproval, createBraid] as Any[]
const [client, load, venues] = [createClient, loadSnapshot, checkVenues] as Any[]

const node = { request: async () => '0x' }

it.each<[string, () => unknown, string, string]>([
  ['quote without a graph', () => quote(undefined, order), 'BAD_OPTIONS', 'graph'],
  ['quote of a snapshot', () => quote(snapshot, order), 'BAD_OPTIONS', 'graph'],
  ['a copy of a graph', () => quote({ ...graph }, order), 'BAD_OPTIONS', 'graph'],
  ['quote without an order', () => quote(graph), 'BAD_ORDER', 'order'],
  ['an order as text', () => quote(graph, 'all'), 'BAD_ORDER', 'order'],
  ['an amount as a number', () => quote(graph, { ...order, amountIn: 5 }), 'BAD_ORDER', 'amountIn'],
  ['an amount as text', () => quote(graph, { ...order, amountIn: '5' }), 'BAD_ORDER', '"5"'],
  [
    'a sale with an output',
    () => quote(graph, { ...ends, amountOut: 5n }),
    'BAD_ORDER',
    'amountIn',
  ],
  ['a checksummed token', () => quote(graph, { ...order, tokenIn: MIXED }), 'BAD_ORDER', 'tokenIn'],
  ['one token twice', () => quote(graph, { ...order, tokenOut: A }), 'BAD_ORDER', 'tokenOut'],
  [
    'exludedPools',
    () => quote(graph, order, { exludedPools: new Set() }),
    'BAD_OPTIONS',
    'exludedPools',
  ],
  ['maxhops', () => quote(graph, order, { maxhops: 2 }), 'BAD_OPTIONS', 'maxhops'],
  [
    'pools as a list',
    () => quote(graph, order, { excludedPools: [] }),
    'BAD_OPTIONS',
    'excludedPools',
  ],
  ['null as options', () => quote(graph, order, null), 'BAD_OPTIONS', 'null'],
  ['gas as a bigint', () => quote(graph, order, { maxGas: 5n }), 'BAD_OPTIONS', 'maxGas'],
  ['half a hop', () => quote(graph, order, { maxLegs: 0.5 }), 'BAD_OPTIONS', '0.5'],
  ['a fee of all', () => quote(graph, order, { fee: { of: 'both' } }), 'BAD_OPTIONS', 'fee'],
  ['an output with an input', () => quoteExactOut(graph, order), 'BAD_ORDER', 'amountOut'],
  ['exact output without options', () => quoteExactOut(graph, order, 5), 'BAD_ORDER', 'amountOut'],
  ['no snapshot', () => buildGraph(), 'BAD_SNAPSHOT', 'snapshot'],
  ['an empty snapshot', () => buildGraph({}), 'BAD_SNAPSHOT', 'snapshot'],
  ['a snapshot as text', () => buildGraph('{}'), 'BAD_SNAPSHOT', 'snapshot'],
  [
    'pools of no family',
    () => buildGraph({ ...market, pools: [{ ...pair, family: 'x' }] }),
    'BAD_FAMILY',
    'x',
  ],
  ['a graph before that is none', () => buildGraph(snapshot, {}), 'BAD_OPTIONS', 'graph'],
  ['null as a snapshot', () => checkSnapshot(null), 'BAD_SNAPSHOT', 'null'],
  [
    'a misspelt option of a check',
    () => checkSnapshot(market, { onPool: 1 }),
    'BAD_OPTIONS',
    'onPool',
  ],
  ['no text', () => parseSnapshot(), 'BAD_SNAPSHOT', 'JSON'],
  ['an object as text', () => parseSnapshot({}), 'BAD_SNAPSHOT', 'JSON'],
  ['hops that are none', () => encodeProgram(undefined, ends), 'BAD_OPTIONS', 'hops'],
  ['a program without ends', () => encodeProgram([]), 'BAD_OPTIONS', 'ends'],
  ['a program with one end', () => encodeProgram([], { tokenIn: A }), 'BAD_OPTIONS', 'tokenOut'],
  ['no bytes', () => decodeProgram(undefined, ends), 'BAD_PROGRAM', 'nothing'],
  ['bytes that are no hex', () => decodeProgram('0xzz', ends), 'BAD_PROGRAM', '0xzz'],
  ['half a byte', () => decodeProgram('0x0', ends), 'BAD_PROGRAM', '0x0'],
  ['bytes without ends', () => decodeProgram('0x00'), 'BAD_OPTIONS', 'ends'],
  ['no call', () => encodeRouterCall(), 'BAD_OPTIONS', 'call'],
  ['an empty call', () => encodeRouterCall({}), 'BAD_CALL', 'tokenIn'],
  ['no calldata', () => decodeRouterCall(), 'BAD_CALLDATA', 'nothing'],
  ['calldata as a number', () => decodeRouterCall(5), 'BAD_CALLDATA', '5'],
  ['empty calldata', () => decodeRouterCall('0x'), 'BAD_CALLDATA', '0x'],
  ['a call without a quote', () => routerCallOf(undefined, terms), 'BAD_OPTIONS', 'quote'],
  ['a call without terms', () => routerCallOf(quoted), 'BAD_OPTIONS', 'terms'],
  [
    'slipagePpm',
    () => routerCallOf(quoted, { ...terms, slipagePpm: 1n }),
    'BAD_OPTIONS',
    'slipagePpm',
  ],
  [
    'slippage as a number',
    () => routerCallOf(quoted, { ...terms, slippagePpm: 1 }),
    'BAD_OPTIONS',
    'slippagePpm',
  ],
  ['a router by its name', () => swapCallOf('router', call), 'BAD_CALL', 'router'],
  ['an intent of nothing', () => readIntent(undefined, WRAPPED), 'BAD_CALLDATA', 'nothing'],
  ['no transaction', () => findMismatches(undefined, expected), 'BAD_OPTIONS', 'tx'],
  [
    'no router',
    () => findMismatches(tx, { ...expected, router: undefined }),
    'BAD_OPTIONS',
    'router',
  ],
  [
    'minAmountout',
    () => findMismatches(tx, { ...expected, wanted: { minAmountout: 1n } }),
    'BAD_OPTIONS',
    'minAmountout',
  ],
  ['no certificate', () => checkBound(snapshot, order), 'BAD_OPTIONS', 'certificate'],
  [
    'terms of no certificate',
    () => checkBound(snapshot, order, bound, { setaside: 1 }),
    'BAD_OPTIONS',
    'setaside',
  ],
  ['a bound of nothing', () => checkBound(snapshot, order, {}), 'BAD_OPTIONS', 'amount'],
  ['a bound in no market', () => checkBound({}, order, bound), 'BAD_OPTIONS', 'snapshot'],
  [
    'a bound of no order',
    () => checkBound(snapshot, { ...order, tokenOut: MIXED }, bound),
    'BAD_ORDER',
    'tokenOut',
  ],
  ['a floor of a number', () => floorAt(1, 5n), 'BAD_OPTIONS', 'amountOut'],
  ['a floor at a number', () => floorAt(1n, 5), 'BAD_OPTIONS', '5'],
  ['the gap of nothing', () => gapBpsOf(), 'BAD_OPTIONS', 'quote'],
  ['a client without settings', () => create(), 'BAD_OPTIONS', 'options'],
  ['apikey', () => create({ url, apikey: 'k' }), 'BAD_OPTIONS', 'apikey'],
  ['a client without a key', () => create({ url }), 'BAD_OPTIONS', 'apiKey'],
  ['a client of no URL', () => create({ url: 'foo', apiKey: 'k' }), 'BAD_OPTIONS', 'foo'],
  [
    'an API that is down',
    () => braid.quote({ src: A!, dst: B!, amount: 1n }),
    'API_UNREACHABLE',
    '127.0.0.1',
  ],
  ['no swap', () => swap(undefined, {}, own), 'BAD_OPTIONS', 'swap'],
  ['a swap without a transaction', () => swap({ dstAmount: 1n }, {}, own), 'BAD_OPTIONS', 'tx'],
  [
    'a swap without a request',
    () => swap({ tx: sent, dstAmount: 1n }, {}, own),
    'BAD_OPTIONS',
    'src',
  ],
  [
    'a swap without terms',
    () => swap({ tx: sent, dstAmount: 1n }, { src: A, dst: B }),
    'BAD_OPTIONS',
    'terms',
  ],
  ['no approval', () => approval(undefined, {}, own), 'BAD_OPTIONS', 'approval'],
  ['no node', () => ofRouter(undefined), 'BAD_OPTIONS', 'node'],
  ['no wallet', () => send(undefined, {}, {}, {}), 'BAD_OPTIONS', 'wallet'],
  ['no order to send', () => send(node, undefined, own, { braid }), 'BAD_OPTIONS', 'order'],
  ['nothing that was sent', () => confirm(node, undefined), 'BAD_OPTIONS', 'sent'],
  ['an amount in words', () => parseAmount('ten', 18), 'BAD_AMOUNT', 'ten'],
  ['a node of no URL', () => client('foo'), 'BAD_OPTIONS', 'foo'],
  ['nodes that are none', () => client([]), 'BAD_OPTIONS', 'rpcUrl'],
  ['no node at all', () => client(undefined), 'BAD_OPTIONS', 'rpcUrl'],
  ['a market without options', () => load(client(url)), 'BAD_OPTIONS', 'options'],
  ['venues as text', () => venues('[]'), 'BAD_VENUES', '[]'],
  [
    'a node that is down',
    () => load(client(url, { retryCount: 0 }), { venues: [], wrappedNative: WRAPPED }),
    'RPC_FAILED',
    '127.0.0.1:1',
  ],
  [
    'a node that is down, for the router',
    () => ofRouter(client(url, { retryCount: 0 })),
    'RPC_FAILED',
    '127.0.0.1:1',
  ],
])('%s', async (_, use, code, named) => {
  const error = await Promise.resolve()
    .then(use)
    .then(
      () => undefined,
      (thrown: unknown) => thrown as core.BaseError,
    )
  expect(error?.code ?? error).toBe(code)
  expect(`${error!.message} ${JSON.stringify(error!.details)}`).toContain(named)
})
