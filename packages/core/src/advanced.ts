// What the other packages of this repository share. It may change in any version.

export { BadOrderError } from './checkCall.js'
export { badOption, checkNames, requireFields } from './checkNames.js'
export { poolsOffMarket } from './curve/nearestSales.js'
export { BadCalldataError } from './encoder/calldata.js'
export { BadCallError } from './encoder/checkCall.js'
export {
  type Check,
  checkIntent,
  hopsOnMarket,
  type ReplayedIntent,
  replayIntent,
} from './encoder/intent.js'
export { payeeOf } from './encoder/payee.js'
export type { Paid, Spending } from './encoder/payment.js'
export {
  PERMIT2,
  type PermitToken,
  permit2Message,
  permitMessage,
  withPayment,
} from './encoder/payment.js'
export { BadProgramError } from './encoder/program.js'
export {
  isBurnAddress,
  type ReceiverContext,
  ReceiverRefusedError,
  receiverFault,
  type SystemAddresses,
} from './encoder/receiver.js'
export { CannotRescaleError, type RescaledAmounts, rescale } from './encoder/rescale.js'
export { nativeValueOf } from './encoder/swapCall.js'
export { BadOptionsError } from './errors.js'
export {
  checkEvidence,
  type EvidenceVerdict,
  leftOut,
  swapIn,
  verdictOf,
} from './evidence/checkEvidence.js'
export {
  type EdgeGas,
  type Evidence,
  type EvidenceParts,
  evidenceOf,
  type Offer,
  type PromisedHop,
  type Settled,
} from './evidence/evidence.js'
export {
  BadEvidenceError,
  evidenceSchema,
  parseEvidence,
  stringifyEvidence,
} from './evidence/evidenceFile.js'
export { type Delivery, quoteDelivery } from './exactOut/quoteDelivery.js'
export { beforeFee, feeOn, MAX_FEE_PPM } from './fee.js'
export {
  MAX_TIP_OVER_BASE,
  type TxFees,
  txFeesOf,
  withGasMargin,
  withGasPriceMargin,
} from './gasMargin.js'
export { poolById } from './graph.js'
export { concatHex, sizeOfHex, sliceHex, toHex, wrappedOf, ZERO_ADDRESS } from './hex.js'
export { parse, stringify } from './json.js'
export {
  type Finding,
  type FindingCode,
  type JudgedMarket,
  type JudgedQuote,
  judge,
  judgeSlippage,
  LIMITS,
  type OwnLimits,
  roundingBps,
  unaccepted,
} from './judge.js'
export { backedTokens, depthsOfPools, pricesOfTokens, worthLostBps } from './marketValues.js'
export { NodeFailedError, nodeFailed } from './nodeFailed.js'
export type { PartialOrder } from './order.js'
export { ownValue } from './ownValue.js'
export { spotAmountOut } from './priceImpact.js'
export {
  InsufficientLiquidityError,
  quoteHops,
  UntrustedRouteError,
} from './quote.js'
export { precomputeReference } from './reference/referencePrices.js'
export {
  findNearest,
  isUnfilled,
  type Nearest,
  refusalWords,
  untrustedOf,
} from './refusal.js'
export type { ReplayEnds } from './replay.js'
export {
  leastGas,
  type PlannedHop,
  ROUTER_GAS,
  replay,
  SHARE_ONE,
  transactionGasOf,
} from './replay.js'
export { floorOf, type QuotedOutput, raisedAt, raisedBy } from './slippage.js'
export { advance, type SnapshotChange } from './snapshot.js'
export { BadSnapshotError, SNAPSHOT_VERSION, snapshotSchema } from './snapshotFile.js'
export { solveOrder } from './solveOrder.js'
export type { Realised } from './solver/primal/realise.js'
export type { Solution } from './solver/solve.js'
export type { Terms } from './solver/terms.js'
export {
  amountDigits,
  amountWords,
  formatAmount,
  percentWords,
  shortAddress,
  type TokenWords,
  usdWords,
} from './words.js'
