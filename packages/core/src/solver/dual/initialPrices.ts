/**
 * Initial prices of the dual, and prices of tokens that a certificate leaves out. Input: a network, the
 * reference prices of its market, and known prices. Output: ln ν by local token.
 */
import type { Reference } from '../../reference/referencePrices.js'
import type { Network } from '../network/problem.js'
import type { StartPrices } from '../options.js'

/** The log price of each token in units of the sink's: the given one if there is one, else the reference price. */
export function initialPrices(
  { graph, tokens, sink }: Pick<Network, 'graph' | 'tokens' | 'sink'>,
  { price }: Reference,
  given: StartPrices,
): Float64Array {
  const atSink = price[tokens[sink]!]!
  const priceOf = (k: number) => given[graph.tokens[k]!] ?? Math.log(price[k]! / atSink)
  return Float64Array.from(tokens, (k, n) => (n === sink ? 0 : priceOf(k)))
}
