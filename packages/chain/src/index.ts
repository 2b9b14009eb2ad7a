export { examineChain } from './doctor/examineChain.js'
export { examineVenues, PAYS } from './doctor/examineVenues.js'
export { type ProbedSwap, probePools } from './doctor/probePools.js'
export { advanceMarket } from './market/advanceMarket.js'
export { type Audit, auditPools } from './market/auditPools.js'
export { type FoundPools, findPools } from './market/findPools.js'
export { type FollowOptions, followMarket } from './market/followMarket.js'
export { type LoadOptions, loadSnapshot } from './market/loadMarket.js'
export {
  countSetAside,
  type Market,
  type SetAside,
  type SwapCounts,
  type TrailBlock,
} from './market/market.js'
export { type Searched, type SearchPart, searchPools } from './market/searchPools.js'
export { DriftError } from './market/syncErrors.js'
export type { Finding } from './pools/check.js'
export type { LoadErrorCode } from './pools/loadError.js'
export type { PoolRef } from './pools/loader.js'
export type { LoadedFamily, Venue } from './pools/venue.js'
export { readUsesBigBlocks } from './reads/bigBlocks.js'
export { codeHashOf } from './reads/codeHash.js'
export { compareEndpoints, type Disagreement } from './reads/compareEndpoints.js'
export { type Header, readHeader } from './reads/headers.js'
export { overrideHolding } from './reads/stateOverrides.js'
export { steadyMs } from './reads/steadyClock.js'
export { type Head, type HeadsOptions, watchHeads } from './reads/watchHeads.js'
export { readTokens, readWallet, type TokenText, type Wallet } from './tokens/metadata.js'
export {
  type Client,
  type ClientOptions,
  createClient,
  hyperEvm,
  learnProfiles,
  probeEndpoints,
  profilesOf,
  readHealth,
} from './transport/client.js'
export type { EndpointHealth } from './transport/endpoint.js'
export { EndpointsBusyError } from './transport/fallback.js'
export type { EndpointProfile } from './transport/profile.js'
export { type SharedLimit, shareRequests } from './transport/rateLimit.js'
export { type Blame, findBlame } from './trust/blame.js'
export { createLedger, type Ledger, type Lesson, type Lessons } from './trust/ledger.js'
export type { Terms } from './trust/measure.js'
export { readPrices } from './trust/orderBooks.js'
export type { Book, PriceGuard } from './trust/priceGuard.js'
export { findFlaws, type TokenFlaw, type TokenFlawCode } from './trust/transferTests.js'
export {
  type GivenStates,
  isServed,
  servedSnapshot,
  startTrials,
  type Trial,
  type VenueState,
  venueStates,
} from './trust/trials.js'
export { tryAtOnce } from './trust/tryVenues.js'
export {
  describeShares,
  readWorths,
  type VenueShare,
  venueShares,
  type Worths,
} from './trust/venueShares.js'
export { verdictsOf } from './trust/verdicts.js'
export { BadVenuesError, checkVenues, venuesSchema } from './venues/checkVenues.js'
export { hyperEvmHubs, hyperEvmVenues, WHYPE } from './venues/hyperevm.js'
export { hyperEvmGuard } from './venues/hyperevmGuard.js'
export { hyperEvmUnserved, type Unserved } from './venues/hyperevmUnserved.js'
export { type Judge, type JudgeKind, judges, judgesOf } from './venues/judges.js'
