import type { Address } from '@braid-swap/core'
import type { DrawnQuote, TokenLabels } from './plan.js'
import { amountText, nameOf, percentText } from './text.js'

/** A route as a Mermaid flowchart: tokens are nodes, hops are edges with share, venue and amount. */
export function routeMermaid(quote: DrawnQuote, labels: TokenLabels): string {
  const tokens = [...new Set(quote.hops.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]))]
  const idOf = (token: Address) => `t${tokens.indexOf(token)}`
  const totals = new Map<Address, bigint>()
  for (const { tokenIn, amountIn } of quote.hops) {
    totals.set(tokenIn, (totals.get(tokenIn) ?? 0n) + amountIn)
  }
  const nodes = tokens.map((token) => `  ${idOf(token)}["${toEntities(nameOf(token, labels))}"]`)
  const edges = quote.hops.map((hop) => {
    const share = percentText(hop.amountIn, totals.get(hop.tokenIn)!)
    const paid = `${hop.sampled ? '≥ ' : ''}${amountText(hop.amountOut, hop.tokenOut, labels)}`
    const label = toEntities(`${share} ${hop.venue}: ${paid}`)
    return `  ${idOf(hop.tokenIn)} -->|"${label}"| ${idOf(hop.tokenOut)}`
  })
  return ['flowchart LR', ...nodes, ...edges].join('\n')
}

/** Mermaid reads entity codes in quoted text; names of tokens come from strangers. */
function toEntities(text: string): string {
  return text.replace(/["#<>&\\`|;\r\n]/g, (letter) => `#${letter.codePointAt(0)};`)
}
