/** The refusal of an order on a market of our own, in the words in which an API says it, and with what would work. */
import type { Graph, Options } from '@braid-swap/core'
import {
  findNearest,
  InsufficientLiquidityError,
  isUnfilled,
  type PartialOrder,
  refusalWords,
} from '@braid-swap/core/advanced'
import { OrderRefusedError } from '../errors.js'
import { type ListedToken, labelsOf } from './tokens.js'

/** Runs a search; its refusal says what would work. Throws what it throws. */
export function orOffer<T>(
  graph: Graph,
  asked: {
    readonly order: PartialOrder
    readonly options: Options
    readonly tokens: readonly ListedToken[]
  },
  find: () => T,
): T {
  try {
    return find()
  } catch (error) {
    if (!isUnfilled(error)) throw error
    const { order, options, tokens } = asked
    const labels = labelsOf(tokens)
    const isShort = error instanceof InsufficientLiquidityError
    const nearest = isShort ? findNearest(graph, order, options) : undefined
    const words = { wordsOf: (token: PartialOrder['tokenIn']) => labels.get(token), nearest }
    throw new OrderRefusedError(refusalWords(error, order, words), error)
  }
}
