import { describe, expect, it } from 'vitest'
import { evaluate } from '../evaluate.js'
import { toMarket } from '../market.js'
import { type MadeToken, madeAddress, makePair, toSnapshot } from '../markets/build.js'
import { toRequest } from '../request.js'
import { braid } from '../routers/braid.js'
import { searchRoutes } from './ownSearch.js'
import { hopsOfParts, pathsOfHops } from './pathFlow.js'

const token = (n: number): MadeToken => ({
  address: madeAddress('token', n),
  decimals: 18,
  price: 1,
})
const tokens = [token(0), token(1), token(2)]
const pools = [
  [0, 1],
  [0, 1],
  [0, 2],
  [2, 1],
].map(([a, b], n) =>
  makePair({ n, ends: [tokens[a!]!, tokens[b!]!], depth: 100 + n, feePpm: 3000 }),
)
const snapshot = toSnapshot(tokens, pools)
const market = toMarket('four pools', snapshot, tokens[1]!.address)
const order = {
  tokenIn: tokens[0]!.address,
  tokenOut: tokens[1]!.address,
  amountIn: 50n * 10n ** 18n,
}
const request = toRequest(market, { id: 'r', label: 'r', order, gwei: 0 })

describe('searchRoutes', () => {
  it('comes close to the optimum without a start, and never above it', async () => {
    const ready = await braid.ready(market)
    const ours = evaluate(request, (await ready.quote(request))!.hops)!
    const found = searchRoutes(market, request, { start: undefined, solves: 400, seed: 1 })!
    expect(Number(found.net) / Number(ours.net)).toBeGreaterThan(0.9999)
    expect(Number(found.net) / Number(ours.net)).toBeLessThan(1 + 1e-9)
  })

  it('keeps to the limit of gas', async () => {
    const single = searchRoutes(market, request, { start: undefined, solves: 50, seed: 1 })!
    const tight = { ...request, maxGas: single.gas / 2 + 30_000 }
    const found = searchRoutes(market, tight, { start: undefined, solves: 200, seed: 1 })!
    expect(found.gas).toBeLessThanOrEqual(tight.maxGas)
    expect(found.legs).toBeLessThan(single.legs)
  })
})

it('a route is the same as its paths', async () => {
  const { hops } = (await (await braid.ready(market)).quote(request))!
  const paths = pathsOfHops(market, order, hops)
  expect(paths.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1, 9)
  const again = evaluate(request, hopsOfParts(order, paths))!
  const own = evaluate(request, hops)!
  expect(Number(again.gross) / Number(own.gross)).toBeCloseTo(1, 6)
})
