import { type Snapshot, stringifySnapshot } from '@braid-swap/core'
import { freshState } from '../answers/freshState.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import type { Values } from '../wire/requests.js'

/**
 * `GET /swap/v1/{chainId}/snapshot`: the market that quotes are computed from, in core's file format,
 * so that anyone can recompute them offline; the same bytes from every process. Earlier states are
 * retained for about a minute.
 */
export function snapshotRoute(need: Need) {
  return async (ctx: ApiContext, wish: Values<'snapshot'>): Promise<void> => {
    ctx.set('cache-control', 'no-store')
    const { graph } = freshState(ctx, need, wish)
    // Set before the body, otherwise Koa sends a string as plain text.
    ctx.type = 'application/json; charset=utf-8'
    ctx.body = textOf(graph.snapshot)
  }
}

/** The texts of states that are still in use: megabytes, which take as long to make as many quotes. */
const texts = new WeakMap<Snapshot, string>()

function textOf(snapshot: Snapshot): string {
  const text = texts.get(snapshot) ?? stringifySnapshot(inOrder(snapshot))
  texts.set(snapshot, text)
  return text
}

/** Pools by id and tokens by address: each process has its own order, which no answer depends on. */
function inOrder(snapshot: Snapshot): Snapshot {
  return {
    ...snapshot,
    tokens: [...snapshot.tokens].sort((a, b) => (a.address < b.address ? -1 : 1)),
    pools: [...snapshot.pools].sort((a, b) => (a.id < b.id ? -1 : 1)),
  }
}
