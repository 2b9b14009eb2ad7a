// What each runtime is asked: quotes of both kinds with their bounds, and the calldata of each, as text.
// Nothing but the language and core, so that a page and a worker run the same file.

const AMOUNTS = [10n ** 6n, 10n ** 12n, 10n ** 18n, 3n * 10n ** 20n]
const ROUTER = '0x00000000000000000000000000000000000000aa'
const EXECUTOR = '0x00000000000000000000000000000000000000bb'
const DEADLINE = 4_000_000_000n

/** A value in one line, with integers as text. */
const textOf = (value) =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}` : one))

/**
 * Answers to orders between the first tokens of each market. `call` is what a chain sees: amounts and
 * calldata, or the code of the refusal. `quote` is all that core says, with every digit of its figures.
 *
 * @param core The module `@braid-swap/core`.
 * @param {readonly string[]} markets Snapshots as text.
 * @param {number} width How many tokens of each market.
 * @returns {{ market: number, asked: string, call: string, quote: string }[]}
 */
export function answersOf(core, markets, width) {
  return markets.flatMap((text, market) => {
    const graph = core.buildGraph(core.parseSnapshot(text))
    return ordersOf(graph.snapshot, width).map((order) => ({
      ...{ market, asked: textOf(order) },
      ...answer(core, graph, order),
    }))
  })
}

function ordersOf({ tokens }, width) {
  const ends = tokens.slice(0, width).map(({ address }) => address)
  const pairs = ends.flatMap((tokenIn) =>
    ends.filter((end) => end !== tokenIn).map((tokenOut) => ({ tokenIn, tokenOut })),
  )
  return pairs.flatMap((pair) => [
    ...AMOUNTS.map((amountIn) => ({ ...pair, amountIn })),
    { ...pair, amountOut: AMOUNTS[1] },
  ])
}

function answer(core, graph, order) {
  try {
    const found = 'amountIn' in order ? core.quote(graph, order) : core.quoteExactOut(graph, order)
    const { wrappedNative } = graph.snapshot
    const own = { wrappedNative, executor: EXECUTOR }
    const terms = { ...own, slippagePpm: 5_000n, deadline: DEADLINE }
    const { data, value } = core.swapCallOf(ROUTER, core.routerCallOf(found, terms))
    // Without the state of the pools, which is the input.
    const route = found.route.map(({ pool, ...hop }) => ({ ...hop, pool: pool.id }))
    return {
      call: `${found.order.amountIn} ${found.amountOut} ${value} ${data}`,
      quote: textOf({ ...found, route }),
    }
  } catch (error) {
    if (typeof error.code !== 'string') throw error
    return { call: error.code, quote: textOf({ ...error.details, code: error.code }) }
  }
}
