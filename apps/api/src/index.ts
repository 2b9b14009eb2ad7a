export type { AppConfig } from './config/appConfig.js'
export { type ApiConfig, configDefaults, readConfig } from './config/config.js'
export { ConfigError } from './config/configError.js'
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
export { createApp } from './start/app.js'
export type { AppOptions } from './start/appOptions.js'
export { tuneHeap } from './start/heap.js'
export { type RunningApi, type StartOptions, startApi } from './start/startApi.js'
export { readTokenList, type TokenList, TokenListError } from './tokens/tokenList.js'
export { ENGINE_VERSION, quoteIdOf, snapshotIdOf } from './wire/quoteId.js'
export * as wire from './wire/responses.js'
