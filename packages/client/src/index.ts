export {
  BadAmountError,
  formatAmount,
  parseAmount,
  shortAddress,
  shortAmount,
} from './amounts.js'
export type { Included, IncludedBy } from './braid.js'
export { type Braid, type BraidOptions, createBraid, type Including } from './braid.js'
export { BadAnswerError, type Issue, RefusedError, UnreachableError } from './errors.js'
export type { GasFigures } from './networkFee.js'
export { type NetworkFee, networkFeeLimit } from './networkFee.js'
export type { Nearest } from './refusal.js'
export type {
  AllowanceRequest,
  ApprovalRequest,
  ComparisonRequest,
  ExactIn,
  ExactOut,
  Flags,
  Order,
  Pair,
  QuoteRequest,
  QuoteStreamRequest,
  QuotesRequest,
  SnapshotRequest,
  SwapRequest,
  TokensRequest,
} from './requests.js'
export type { AnswerBody } from './responses.js'
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
export type { Leftover, Patience } from './send/confirm.js'
export { confirmSwap } from './send/confirm.js'
export { OutcomeUnknownError, type SendCode, SendError } from './send/errors.js'
export type { Said } from './send/failures.js'
export { causesOf } from './send/failures.js'
export type { Awaitable } from './send/memory.js'
export {
  createSwapMemory,
  type DoneSwap,
  type Outcome,
  type SentSwap,
  type SwapMemory,
} from './send/memory.js'
export { orderKey, type SendTerms, type SwapOrder } from './send/order.js'
export { type PayBy, type PermitDomain, readPermit } from './send/payment.js'
export type { BuiltMeta, SendOptions, SwapBuilder, SwapProgress, SwapStep } from './send/prepare.js'
export { sendSwap } from './send/sendSwap.js'
export { parseSentSwap } from './send/sentSwap.js'
export { readAllowance, readBalance, requireChain, type SwapWallet } from './send/wallet.js'
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
  type BuiltSwap,
  type CheckedTransaction,
  MismatchError,
  type OwnTerms,
  verifySwap,
} from './verifySwap.js'
export type { Warning } from './words.js'
