export { type NodeCounts, type NodeDouble, startNodeDouble } from './nodeDouble.js'
export {
  nanoreth,
  nasty,
  noQuirks,
  official,
  type Quirks,
  unlimited,
} from './quirks/quirks.js'
export { type Ask, type Rule, startRuledNode } from './ruledNode.js'
export { answerEach, CUT, Refusal, type RpcRequest, startRpcServer } from './wire/rpcServer.js'
export {
  type AskUpstream,
  askUpstream,
  blockAt,
  hex,
  type RpcLog,
  upstreamAt,
} from './wire/upstream.js'
