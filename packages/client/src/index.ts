export { type Braid, type BraidOptions, createBraid, type Including } from './braid.js'
export { BadAnswerError, type Issue, RefusedError, UnreachableError } from './errors.js'
export type { Nearest } from './refusal.js'
export type {
  AllowanceRequest,
  ApprovalRequest,
  ComparisonRequest,
  QuoteRequest,
  QuoteStreamRequest,
  QuotesRequest,
  SnapshotRequest,
  SwapRequest,
  TokensRequest,
} from './requests.js'
export {
  type Allowance,
  type Approval,
  answerSchemas,
  type Comparison,
  type GraphEntry,
  type ListedToken,
  type Meta,
  type Quoted,
  type QuotedAmounts,
  type RouteEntry,
  type Served,
  type Sources,
  type Spender,
  type SwapMeta,
  type Swapped,
  type Token,
  type TokenInfo,
  type Transaction,
  type Version,
} from './responses.js'
export type { StreamEvent, StreamedQuote } from './stream.js'
export { verifyApproval } from './verifyApproval.js'
export { verifyCalls } from './verifyCalls.js'
export {
  type NodeRequests,
  RouterUnverifiedError,
  type VerifiedRouter,
  verifyRouter,
} from './verifyRouter.js'
export {
  BadTermsError,
  type CheckedTransaction,
  MismatchError,
  type OwnTerms,
  verifySwap,
} from './verifySwap.js'
