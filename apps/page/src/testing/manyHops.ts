import type { Page } from 'playwright-core'

/** A graph entry in wire format. */
type WireHop = Readonly<Record<string, unknown>>
type WireQuote = { readonly dstAmount: string; readonly graph: readonly WireHop[] }

const VENUES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const UNIT = 10n ** 18n

/**
 * Replaces the graph in the API's responses, so that every quote has a route of many hops through
 * tokens of the market, some of them with a tiny share.
 */
export async function routeThroughMany(page: Page, tokens: readonly string[]): Promise<void> {
  await page.route('**/quote?**', async (route) => {
    const response = await route.fetch()
    if (!response.ok()) return route.fulfill({ response })
    const quote = (await response.json()) as WireQuote
    await route.fulfill({ response, json: { ...quote, graph: manyHops(quote, tokens) } })
  })
}

function manyHops({ graph, dstAmount }: WireQuote, tokens: readonly string[]): readonly WireHop[] {
  const [wrap, first] = graph
  const last = graph.at(-1)
  if (!wrap || !first || !last) return graph
  const [from, to] = [`${first['from']}`, `${last['to']}`]
  let pool = 0
  const hop = (of: string, into: string, parts: bigint): WireHop => {
    pool += 1
    return {
      ...{ ...first, from: of, to: into, exchange: VENUES[pool % VENUES.length] },
      ...{ pool: `0x${pool.toString(16).padStart(40, 'a')}`, poolType: 'uniswapV3' },
      ...{ amountIn: `${parts * UNIT}`, amountOut: `${parts * UNIT}`, takesRemainder: false },
    }
  }
  const between = tokens.filter((token) => ![from, to].includes(token)).slice(0, 5)
  const widths = [300n, 4n, 60n, 1n, 90n]
  return [
    wrap,
    ...between.map((token, i) => hop(from, token, widths[i] ?? 1n)),
    ...[700n, 400n, 300n, 2n, 1n, 1n, 40n, 9n].map((parts) => hop(from, to, parts)),
    ...between.flatMap((token, i) => {
      const all = (widths[i] ?? 1n) * 2n
      return [hop(token, to, all - 1n), hop(token, to, 1n)]
    }),
  ].map((entry, i, all) => (i === all.length - 1 ? { ...entry, amountOut: dstAmount } : entry))
}
