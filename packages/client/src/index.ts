export type { NodeRequests } from '@braid-swap/contracts'
export { NodeFailedError } from '@braid-swap/core/advanced'
export { BadAmountError, formatAmount, parseAmount, shortAddress, shortAmount } from './amounts.js'
export {
  type Braid,
  type BraidOptions,
  createBraid,
  type Included,
  type IncludedBy,
  type Including,
} from './braid.js'
export { BadAnswerError, type Issue, RefusedError, UnreachableError } from './errors.js'
export type { CallOptions } from './http.js'
export { type GasFigures, type NetworkFee, networkFeeLimit } from './networkFee.js'
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
export {
  type Allowance,
  type AnswerBody,
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
export { confirmSwap, type Leftover, type Patience } from './send/confirm.js'
export { OutcomeUnknownError, type SendCode, SendError } from './send/errors.js'
export { causesOf, type Said } from './send/failures.js'
export {
  type Awaitable,
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
