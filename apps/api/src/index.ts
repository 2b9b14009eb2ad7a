export { createApp } from './app.js'
export { type ApiConfig, configDefaults, readConfig } from './config.js'
export { ConfigError } from './configError.js'
export type { AppConfig, AppOptions } from './context.js'
export { openApi } from './docs/openapi.js'
export { ApiError, type ErrorCode, type ErrorEntry, errorTable, type Issue } from './errors.js'
export { type KeyStore, openKeyStore, REVOKED_WITHIN_MS } from './keys/keyStore.js'
export {
  createKey,
  KeysFileError,
  KeysFileGoneError,
  KeysFileUnwritableError,
  type KeyTerms,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
  type StoredKey,
} from './keys/keys.js'
export type { Limiter, Limits, Taken } from './keys/rateLimiter.js'
export type { LiveMarket as Market, MarketState } from './market/liveMarket.js'
export { type RouterCode, RouterUnconfirmedError } from './node/deployment.js'
export { tuneHeap } from './processes/heap.js'
export { type RunningApi, type StartOptions, startApi } from './startApi.js'
export { readTokenList, type TokenList, TokenListError } from './tokens/tokenList.js'
export { ENGINE_VERSION, quoteIdOf, snapshotIdOf } from './wire/quoteId.js'
export * as wire from './wire/responses.js'
