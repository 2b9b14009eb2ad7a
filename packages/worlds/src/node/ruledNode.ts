import { answerEach, type RpcServer, startRpcServer } from './wire/rpcServer.js'
import { upstreamAt } from './wire/upstream.js'

/** Asks the real node; with other parameters if some are given. */
export type Ask = (params?: readonly unknown[]) => Promise<unknown>

/** What a node answers instead of the real one, which it may still ask: a result, `CUT`, or a thrown `Refusal`. */
export type Rule = (ask: Ask, method: string, params: readonly unknown[]) => unknown

/** Starts a node before a real one: `rule` answers each of its methods. */
export function startRuledNode(rpcUrl: string, rule: Rule): Promise<RpcServer> {
  const upstream = upstreamAt(rpcUrl)
  return startRpcServer((body) =>
    answerEach(body, ({ method, params = [] }) =>
      rule((now = params) => upstream(method, now), method, params),
    ),
  )
}
