// A bot as its owner writes it: quotes a market, holds the answer to its bound, draws it and encodes the call.
import { readFileSync } from 'node:fs'
import { checkVenues } from '@braid-swap/chain'
import { createBraid, UnreachableError } from '@braid-swap/client'
import { routerDeployment } from '@braid-swap/contracts'
import {
  type BaseError,
  buildGraph,
  encodeProgram,
  NATIVE,
  parseSnapshot,
  quote,
  recomputeBound,
} from '@braid-swap/core'
import { drawQuote, toDrawnQuote } from '@braid-swap/draw'
import { createMemoryFeed } from '@braid-swap/feed'

const snapshot = parseSnapshot(readFileSync('market.json', 'utf8'))
const tokenOut = snapshot.tokens.find(({ decimals }) => decimals === 6)?.address
if (tokenOut === undefined) throw new Error('the market has no dollar')
const order = { tokenIn: NATIVE, tokenOut, amountIn: 10n ** 18n }
const answer = quote(buildGraph(snapshot), order)
if (!answer.bound || recomputeBound(snapshot, order, answer.bound) > answer.bound.amount) {
  throw new Error('the bound does not hold')
}
const program = encodeProgram(answer.route, order)
const { router } = routerDeployment(snapshot.wrappedNative)
const lines = drawQuote(toDrawnQuote(answer), { labels: new Map() }).split('\n')
createMemoryFeed()
try {
  checkVenues([{ family: 'none' }])
  throw new Error('a family that is not ours was accepted')
} catch (error) {
  if ((error as BaseError).code === undefined) throw error
}
try {
  await createBraid({ url: 'http://127.0.0.1:9', apiKey: 'none' }).quote({
    src: NATIVE,
    dst: tokenOut,
    amount: 1n,
  })
} catch (error) {
  if (!(error instanceof UnreachableError)) throw error
}
console.log(
  `${answer.amountOut} units, ${program.length / 2} bytes for ${router}, ${lines.length} lines`,
)
