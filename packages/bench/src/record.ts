/**
 * Records what the solver answers to 520 requests on the recorded market: one line of JSON each, with
 * hops, shares, program and bound. Two records are equal if and only if no answer changed by a byte, so
 * `diff` before and after a refactoring shows what it changed. Written to standard output.
 */
import { encodeProgram } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import { loadEthereum } from './markets/ethereum.js'
import { ANY_LEGS, type Request } from './request.js'
import { referenceRequests, smallRequests, stratifiedRequests } from './requests/requests.js'
import { braid } from './routers/braid.js'

const GWEI = 1

const ethereum = loadEthereum()
const market = ethereum.clean
const requests: readonly Request[] = [
  ...referenceRequests(ethereum, { gwei: GWEI, maxLegs: 24 }),
  ...stratifiedRequests(market, { count: 200, seed: 11, gwei: GWEI, maxLegs: 24 }),
  ...stratifiedRequests(market, { count: 150, seed: 12, gwei: GWEI, maxLegs: ANY_LEGS }),
  ...stratifiedRequests(market, { count: 60, seed: 13, gwei: 100, maxLegs: 4 }),
  ...smallRequests(market, { count: 100, seed: 14, gwei: 0.1, maxLegs: 24 }),
]
const router = await braid.ready(market)
for (const request of requests) {
  const { id, order, maxLegs } = request
  const answer = await router.quote(request)
  const line = answer && {
    hops: answer.hops.map(({ pool, direction, share }) => [pool.id, direction.in, share]),
    program: encodeProgram(answer.hops, order),
    bound: answer.bound,
  }
  process.stdout.write(`${stringify({ id, order, maxLegs: `${maxLegs}`, ...line })}\n`)
}
