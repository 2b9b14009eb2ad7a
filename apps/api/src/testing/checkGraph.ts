import { SHARE_ONE } from '@braid-swap/core/advanced'
import { mulDivDown } from '@braid-swap/core/families'
import type { GraphEntry, RouteEntry } from '../wire/responses.js'

/** A quote as the API answered it, with the request it answers. */
export type QuotedGraph = {
  readonly src: string
  readonly dst: string
  readonly amount: string
  readonly dstAmount: string
  readonly graph: readonly GraphEntry[]
}

const SHARE_ONE_BIGINT = BigInt(SHARE_ONE)

/**
 * Every rule of `graph` that an answer breaks, as sentences; none for a right one. Rules: hops in
 * topological order without a cycle; per token, what comes in goes out, to the wei; `amountIn` is
 * `floor(remaining · share / 0xFFFFFF)`; the last hop of a token, and no other, takes the remainder;
 * the percentages of a token sum to 100.
 */
export function checkGraph(quoted: QuotedGraph): readonly string[] {
  const faults: string[] = []
  const src = quoted.src.toLowerCase()
  const dst = quoted.dst.toLowerCase()
  const held = new Map<string, bigint>([[src, BigInt(quoted.amount)]])
  const left = new Set<string>()
  if (quoted.graph.length === 0) faults.push('the graph is empty')
  for (const [index, entry] of quoted.graph.entries()) {
    const from = entry.from.toLowerCase()
    const to = entry.to.toLowerCase()
    const remaining = held.get(from) ?? 0n
    const amountIn = BigInt(entry.amountIn)
    const share = BigInt(entry.share)
    const wanted = share === 0n ? remaining : mulDivDown(remaining, share, SHARE_ONE_BIGINT)
    if (left.has(to)) faults.push(`hop ${index} pays ${to} after hops out of it`)
    if (amountIn !== wanted) faults.push(`hop ${index} takes ${amountIn}, its share is ${wanted}`)
    if (amountIn > remaining) faults.push(`hop ${index} takes more than the ${remaining} left`)
    if (amountIn <= 0n || BigInt(entry.amountOut) <= 0n) faults.push(`hop ${index} moves nothing`)
    const isLast = !quoted.graph.slice(index + 1).some((later) => later.from.toLowerCase() === from)
    if (isLast !== entry.takesRemainder || isLast !== (share === 0n)) {
      faults.push(`hop ${index} of ${from}: last ${isLast}, share ${share}`)
    }
    left.add(from)
    held.set(from, remaining - amountIn)
    held.set(to, (held.get(to) ?? 0n) + BigInt(entry.amountOut))
  }
  const received = held.get(dst) ?? 0n
  if (received !== BigInt(quoted.dstAmount)) {
    faults.push(`${received} of ${dst} arrive, ${quoted.dstAmount} are promised`)
  }
  held.delete(dst)
  for (const [token, amount] of held) {
    if (amount !== 0n) faults.push(`${amount} of ${token} are left over`)
  }
  return [...faults, ...checkPercentages(quoted.graph)]
}

function checkPercentages(graph: readonly GraphEntry[]): readonly string[] {
  return [...new Set(graph.map(({ from }) => from))].flatMap((token) => {
    const parts = graph.filter(({ from }) => from === token).map(({ percentage }) => percentage)
    const sum = parts.reduce((total, part) => total + part, 0)
    return sum === 100 ? [] : [`the percentages out of ${token} sum to ${sum}`]
  })
}

/**
 * Every rule of `routes` that an answer breaks: percents sum to exactly 100, amounts to the order's,
 * a path of n tokens has n - 1 pools, begins at `src`, ends at `dst` and uses hops of the graph.
 */
export function checkRoutes(
  quoted: QuotedGraph & { readonly routes: readonly RouteEntry[] },
): readonly string[] {
  const faults: string[] = []
  const { routes, graph } = quoted
  const sum = (numbers: readonly string[]) => numbers.reduce((total, n) => total + BigInt(n), 0n)
  const percent = routes.reduce((total, route) => total + route.percent, 0)
  if (percent !== 100) faults.push(`the percents sum to ${percent}`)
  const amountIn = sum(routes.map((route) => route.amountIn))
  const amountOut = sum(routes.map((route) => route.amountOut))
  if (amountIn !== BigInt(quoted.amount)) faults.push(`the amounts in sum to ${amountIn}`)
  if (amountOut !== BigInt(quoted.dstAmount)) faults.push(`the amounts out sum to ${amountOut}`)
  for (const [index, { path, pools }] of routes.entries()) {
    const tokens = path.map(({ address }) => address.toLowerCase())
    if (pools.length !== tokens.length - 1) faults.push(`path ${index}: ${pools.length} pools`)
    if (tokens[0] !== quoted.src.toLowerCase()) faults.push(`path ${index} begins at ${tokens[0]}`)
    if (tokens.at(-1) !== quoted.dst.toLowerCase()) faults.push(`path ${index} ends elsewhere`)
    for (const [i, { address }] of pools.entries()) {
      const isHop = graph.some(
        (entry) =>
          entry.pool === address &&
          entry.from.toLowerCase() === tokens[i] &&
          entry.to.toLowerCase() === tokens[i + 1],
      )
      if (!isHop) faults.push(`path ${index} uses ${address}, which is no such hop of the graph`)
    }
  }
  return faults
}
