/**
 * Chooses the prices at which the search for an order starts. Input: the tokens of the order, and prices of the market or of an
 * earlier solution. Output: log prices. They change the time of an answer, not the answer's validity.
 */
import type { Graph } from '../graph.js'
import type { Address } from '../hex.js'
import type { Reference } from './referencePrices.js'

/**
 * ln of what a raw unit of each token is worth in raw units of the one at `sink`: the given number if there is one, else
 * that of the reference.
 */
export function initialPrices(
  {
    graph,
    tokens,
    sink,
  }: { readonly graph: Graph; readonly tokens: Int32Array; readonly sink: number },
  { price }: Pick<Reference, 'price'>,
  given: Readonly<Record<Address, number>>,
): Float64Array {
  const atSink = price[tokens[sink]!]!
  const priceOf = (k: number) => given[graph.tokens[k]!] ?? Math.log(price[k]! / atSink)
  return Float64Array.from(tokens, (k, n) => (n === sink ? 0 : priceOf(k)))
}
