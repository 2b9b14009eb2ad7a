export { NodeFailedError } from '@braid-swap/core/advanced'
export {
  type BlockKind,
  type ChainRecord,
  type Unserved,
  viemChainOf,
} from './chains/chainRecord.js'
export { type ClientOptions, createClient } from './chains/createClient.js'
export { hyperEvm } from './chains/hyperevm.js'
export {
  BadChainError,
  chainSchema,
  checkChain,
  knownChain,
  readChain,
} from './chains/readChain.js'
export { routerOf } from './chains/routerOf.js'
export { examineChain } from './doctor/examineChain.js'
export { examineVenues, PAYS } from './doctor/examineVenues.js'
export { type ProbedSwap, probePools } from './doctor/probePools.js'
export { advanceMarket, type Target } from './market/advanceMarket.js'
export { type Audit, auditPools } from './market/auditPools.js'
export { type FoundPools, findPools } from './market/findPools.js'
export { type FollowOptions, followMarket } from './market/followMarket.js'
export { GasPriceAbsurdError, type GasPrices } from './market/gasPrice.js'
export { type LoadOptions, loadSnapshot } from './market/loadMarket.js'
export type {
  Cursor,
  Failing,
  Market,
  MarketState,
  SwapCounts,
  Traded,
  TrailBlock,
  Trust,
} from './market/market.js'
export { readFileText } from './market/readFileText.js'
export {
  type BlockTransaction,
  readTransactions,
  snapshotAfter,
} from './market/readTransactions.js'
export {
  type Discovered,
  type Searched,
  type SearchPart,
  searchPools,
} from './market/searchPools.js'
export { DriftError } from './market/syncErrors.js'
export type { Check, Comparison } from './market/syncedPools.js'
export type { Finding } from './pools/check.js'
export type { LoadErrorCode } from './pools/loadError.js'
export type { PoolKey, PoolRef } from './pools/loader.js'
export { countSetAside, type Refusal, type SetAside } from './pools/setAside.js'
export type { FeeSource, LoadedFamily, Venue } from './pools/venue.js'
export { readUsesBigBlocks } from './reads/bigBlocks.js'
export type { BlockSeen } from './reads/call.js'
export { codeHashOf } from './reads/codeHash.js'
export { compareEndpoints, type Disagreement } from './reads/compareEndpoints.js'
export { type Header, readHeader } from './reads/headers.js'
export type { Log } from './reads/log.js'
export { isPinned } from './reads/pinned.js'
export type { ReadLogs } from './reads/roundLogs.js'
export { isSettledProved, isSettledTied, readSettled } from './reads/settled.js'
export { type Holding, overrideHolding } from './reads/stateOverrides.js'
export { steadyMs } from './reads/steadyClock.js'
export { type Head, type HeadsOptions, watchHeads } from './reads/watchHeads.js'
export { readTokens, readWallet, type TokenText, type Wallet } from './tokens/metadata.js'
export {
  type Client,
  learnProfiles,
  mayOverride,
  probeEndpoints,
  profilesOf,
  readHealth,
} from './transport/client.js'
export type { EndpointHealth } from './transport/endpoint.js'
export { EndpointsBusyError } from './transport/fallback.js'
export type { EndpointProfile } from './transport/profile.js'
export { type RateLimit, type SharedLimit, shareRequests } from './transport/rateLimit.js'
export type { AskedSwap } from './trust/askDirectly.js'
export { type Blame, type Culprit, findBlame } from './trust/blame.js'
export type { Book, PriceGuard } from './trust/book.js'
export {
  type Charge,
  createLedger,
  type Ledger,
  type Lesson,
  type Lessons,
  type Verdict,
} from './trust/ledger.js'
export type { CalledContracts, Terms } from './trust/measure.js'
export { type Prices, readPrices } from './trust/orderBooks.js'
export type { Entry, RateHistory } from './trust/rateHistory.js'
export {
  findFlaws,
  type TestPlace,
  type TokenFlaw,
  type TokenFlawCode,
} from './trust/transferTests.js'
export {
  type Accused,
  type GivenStates,
  isServed,
  servedSnapshot,
  startTrials,
  type Trial,
  type VenueState,
  venueStates,
} from './trust/trials.js'
export { type Tried, tryAtOnce } from './trust/tryVenues.js'
export {
  describeShares,
  type Held,
  readWorths,
  type SharedMarket,
  type VenueShare,
  venueShares,
  type Worths,
} from './trust/venueShares.js'
export { isGuarded, type VerdictText, verdictsOf } from './trust/verdicts.js'
export { BadVenuesError, checkVenues, type Fault, venuesSchema } from './venues/checkVenues.js'
export { type Judge, type JudgeKind, judges, judgesOf, type Traits } from './venues/judges.js'
