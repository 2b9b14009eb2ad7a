import type { GraphEntry } from '@braid-swap/client'
import { symbolOf, type Tokens } from './text.js'

/** The route in one sentence: its ends by what enters and leaves it, and what it passes. */
export function describeRoute(graph: readonly GraphEntry[], tokens: Tokens): string {
  const [first, last] = [graph[0]?.from, graph.at(-1)?.to]
  if (!first || !last) return 'No route yet'
  const between = new Set(graph.map(({ to }) => to).filter((token) => token !== last))
  const names = [...between].map((token) => symbolOf(token, tokens))
  const over = names.length > 0 ? ` over ${names.join(', ')}` : ''
  const hops = `${graph.length} ${graph.length === 1 ? 'hop' : 'hops'}`
  const ends = `${symbolOf(first, tokens)} to ${symbolOf(last, tokens)}`
  return `Route from ${ends}${over}: ${hops}, listed below`
}
