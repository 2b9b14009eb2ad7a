import type { GraphEntry } from '@braid-swap/client'
import { symbolOf, type Tokens } from '../format.js'

/** Describes the route in one sentence: its two ends and the tokens between them. */
export function describeRoute(graph: readonly GraphEntry[], tokens: Tokens): string {
  const [first, last] = [graph[0]?.from, graph.at(-1)?.to]
  if (!first || !last) return 'No route yet'
  const between = new Set(graph.map(({ to }) => to).filter((token) => token !== last))
  const names = [...between].map((token) => symbolOf(token, tokens))
  const via = names.length > 0 ? ` via ${names.join(', ')}` : ''
  const hops = `${graph.length} ${graph.length === 1 ? 'hop' : 'hops'}`
  const ends = `${symbolOf(first, tokens)} to ${symbolOf(last, tokens)}`
  return `Route from ${ends}${via}: ${hops}, listed below`
}
