// Follows a chain that a test writes while it is followed.
import { type FollowOptions, followMarket } from '../market/followMarket.js'
import type { Market } from '../market/market.js'
import type { ScriptedNode } from './scriptedNode.js'

/** Follows while each poll of the head first writes what a step says; ends after the last step. */
export async function watchSteps(
  node: ScriptedNode,
  steps: readonly (() => void)[],
  options: Pick<FollowOptions, 'client' | 'venues' | 'start'> & Partial<FollowOptions>,
) {
  const ending = new AbortController()
  const seen: Market[] = []
  const errors: unknown[] = []
  let polls = 0
  const before = node.tamper
  node.tamper = (asked, honest) => {
    if (asked.method === 'eth_getBlockByNumber' && asked.params[0] === 'latest') {
      if (polls >= steps.length) ending.abort()
      steps[polls++]?.()
    }
    return before(asked, honest)
  }
  await followMarket({
    ...{ pollMs: 1, signal: ending.signal },
    onSnapshot: (market) => seen.push(market),
    onError: (error) => errors.push(error),
    ...options,
  })
  node.tamper = before
  return { seen, errors }
}
